//! Agents: profile, representation, cards.

use crate::accounts::profiles;
use crate::catalog::row::Method::{Delete, Get, Post};
use crate::catalog::row::{Entry, agent};
use crate::contracts::downloading;
use crate::error::codes;
use crate::payments::methods;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        agent(
            "core.agent.me",
            Get,
            "/agent/me",
            "agent profile",
            profiles::agent_me,
        ),
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
            "core.agent.remove_payment_method",
            Delete,
            "/agent/processor/payment-methods/{paymentMethodId}",
            "remove a payment method",
            methods::remove_of_agent,
        )
        .extension()
        .owned()
        .says("Payment method removed"),
    ]
}
