//! Agents: profile, representation, cards.

use crate::accounts::agents::editing::accept_contract;
use crate::accounts::{agents, profiles};
use crate::agents::{acting, browsing, ending, inviting};
use crate::auth::Permission;
use crate::catalog::table::{Entry, agent, extensions, owned};
use crate::contracts::downloading;
use crate::error::{Code, codes};
use crate::filings::noticing;
use crate::payments::{invoices, methods};

/// The refusals of an invitation to an athlete.
const INVITING: &[Code] = &[
    codes::ALREADY_INVITED,
    codes::ALREADY_REPRESENTED,
    codes::INVITATION_LIMIT,
    codes::TOO_MANY_MAILS,
];

pub(super) fn specified() -> Vec<Entry> {
    vec![
        agent("core.agent.me", "GET /agent/me", profiles::agent_me)
            .purpose("agent profile")
            .for_impersonators(Permission::Accounts),
        agent("core.agent.edit", "PUT /agent", agents::editing::edit)
            .purpose("update the agent profile")
            .says("Profile saved")
            .for_impersonators(Permission::Accounts),
        agent("core.agent.accept_contract", "POST /agent/accept-contract", accept_contract)
            .purpose("accept the platform terms and contract")
            .says("Terms accepted"),
        agent("core.agent.athletes", "GET /agent/athletes", browsing::athletes)
            .purpose("list represented athletes")
            .for_impersonators(Permission::Accounts)
            .audited(),
        agent("core.agent.invite_athlete", "POST /agent/invite-athlete", inviting::invite)
            .purpose("invite an athlete")
            .says("Athlete invited")
            .errors(INVITING),
        agent("core.agent.apply_athletes", "POST /agent/apply-athletes-to-job", acting::apply)
            .purpose("apply represented athletes to a job")
            .says("Applications sent")
            .errors(&[codes::TERMS_NOT_ACCEPTED])
            .owned(),
        agent("core.agent.contracts", "GET /agent/athlete-contracts", acting::contracts)
            .purpose("list athlete contracts")
            .for_impersonators(Permission::Jobs)
            .audited()
            .owned(),
        agent(
            "core.contract.download_as_agent",
            "GET /agent/athlete/{athleteId}/job/{jobId}/download-contract",
            downloading::as_agent,
        )
        .purpose("download a contract PDF")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE])
        .owned(),
        agent(
            "core.agent.payment_methods",
            "GET /agent/processor/payment-methods",
            methods::list_of_agent,
        )
        .purpose("list saved payment methods")
        .for_impersonators(Permission::Finance),
        agent(
            "core.agent.add_payment_method",
            "POST /agent/processor/payment-methods",
            methods::add_for_agent,
        )
        .purpose("add a payment method")
        .says("Payment method saved")
        .errors(&[codes::PROCESSOR_UNAVAILABLE])
        .strict(),
        agent(
            "core.agent.begin_payment_method",
            "POST /agent/processor/payment-methods/begin",
            methods::begin_for_agent,
        )
        .purpose("open a page of the processor where a card is entered")
        .says("Page opened")
        .errors(&[codes::PROCESSOR_UNAVAILABLE])
        .strict()
        .extension(),
        agent(
            "core.agent.set_default_payment_method",
            "POST /agent/processor/payment-methods/{paymentMethodId}/set-as-default",
            methods::set_default_of_agent,
        )
        .purpose("set default payment method")
        .says("Default payment method set")
        .owned(),
        agent("core.agent.invoices", "GET /agent/processor/invoices", invoices::list_of_agent)
            .purpose("billing invoices")
            .for_impersonators(Permission::Finance),
    ]
}

pub(super) fn beyond() -> Vec<Entry> {
    extensions(owned(vec![
        agent(
            "core.agent.remove_payment_method",
            "DELETE /agent/processor/payment-methods/{paymentMethodId}",
            methods::remove_of_agent,
        )
        .purpose("remove a payment method")
        .says("Payment method removed"),
        agent("core.agent.end_representation", "POST /agent/end-representation", ending::as_agent)
            .purpose("end a representation or withdraw an invitation")
            .says("Representation ended")
            .errors(&[codes::ILLEGAL_TRANSITION]),
        agent("core.agent.notice", "POST /agent/notice", noticing::give_as_agent)
            .purpose("give the institution notice of the contract with an athlete")
            .says("Notice given")
            .errors(&[codes::ILLEGAL_TRANSITION]),
        agent("core.agent.filings", "GET /agent/filings", noticing::list_of_agent)
            .purpose("list contracts that an institution must hear of, with their deadlines")
            .for_impersonators(Permission::Accounts),
        agent(
            "core.agent.download_invoice",
            "GET /agent/processor/invoices/{invoiceId}/pdf",
            invoices::download_of_agent,
        )
        .purpose("download an invoice")
        .for_impersonators(Permission::Finance)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE]),
    ]))
}
