//! Agents: profile, representation, cards.

use crate::accounts::{agent_editing, profiles};
use crate::agents::{acting, browsing, ending, inviting};
use crate::catalog::Method::{Delete, Get, Post, Put};
use crate::catalog::row::{Entry, agent};
use crate::contracts::downloading;
use crate::error::codes;
use crate::payments::{invoices, methods};

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        agent("core.agent.me", Get, "/agent/me", "agent profile", profiles::agent_me),
        agent("core.agent.edit", Put, "/agent", "update the agent profile", agent_editing::edit)
            .says("Profile saved"),
        agent(
            "core.agent.accept_contract",
            Post,
            "/agent/accept-contract",
            "accept the platform terms and contract",
            agent_editing::accept_contract,
        )
        .says("Terms accepted"),
        agent(
            "core.agent.athletes",
            Get,
            "/agent/athletes",
            "list represented athletes",
            browsing::athletes,
        ),
        agent(
            "core.agent.invite_athlete",
            Post,
            "/agent/invite-athlete",
            "invite an athlete",
            inviting::invite,
        )
        .says("Athlete invited")
        .errors(&[
            codes::ALREADY_INVITED,
            codes::ALREADY_REPRESENTED,
            codes::INVITATION_LIMIT,
            codes::TOO_MANY_MAILS,
        ]),
        agent(
            "core.agent.apply_athletes",
            Post,
            "/agent/apply-athletes-to-job",
            "apply represented athletes to a job",
            acting::apply,
        )
        .owned()
        .says("Applications sent")
        .errors(&[codes::TERMS_NOT_ACCEPTED]),
        agent(
            "core.agent.contracts",
            Get,
            "/agent/athlete-contracts",
            "list athlete contracts",
            acting::contracts,
        )
        .owned(),
        agent(
            "core.contract.download_as_agent",
            Get,
            "/agent/athlete/{athleteId}/job/{jobId}/download-contract",
            "download a contract PDF",
            downloading::as_agent,
        )
        .owned()
        .sends("application/pdf"),
        agent(
            "core.agent.payment_methods",
            Get,
            "/agent/processor/payment-methods",
            "list saved payment methods",
            methods::list_of_agent,
        ),
        agent(
            "core.agent.add_payment_method",
            Post,
            "/agent/processor/payment-methods",
            "add a payment method",
            methods::add_for_agent,
        )
        .strict()
        .says("Payment method saved")
        .errors(&[codes::PROCESSOR_UNAVAILABLE]),
        agent(
            "core.agent.set_default_payment_method",
            Post,
            "/agent/processor/payment-methods/{paymentMethodId}/set-as-default",
            "set default payment method",
            methods::set_default_of_agent,
        )
        .owned()
        .says("Default payment method set"),
        agent(
            "core.agent.invoices",
            Get,
            "/agent/processor/invoices",
            "billing invoices",
            invoices::list_of_agent,
        ),
        agent(
            "core.agent.remove_payment_method",
            Delete,
            "/agent/processor/payment-methods/{paymentMethodId}",
            "remove a payment method",
            methods::remove_of_agent,
        )
        .extension()
        .owned()
        .says("Payment method removed"),
        agent(
            "core.agent.end_representation",
            Post,
            "/agent/end-representation",
            "end a representation or withdraw an invitation",
            ending::as_agent,
        )
        .extension()
        .owned()
        .says("Representation ended")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        agent(
            "core.agent.download_invoice",
            Get,
            "/agent/processor/invoices/{invoiceId}/pdf",
            "download an invoice",
            invoices::download_of_agent,
        )
        .sends("application/pdf")
        .extension()
        .owned(),
    ]
}
