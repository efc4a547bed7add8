//! What the payment processor says, and what it does not say.

use crate::catalog::table::Entry;
use crate::catalog::table::operator::finance;
use crate::error::codes;
use crate::payments::movement::deciding;
use crate::payments::reconciliation::settling;
use crate::payments::reconciliation::{DifferenceEvent, DifferenceStatus};

/// The columns of requests to the processor.
const UNANSWERED: &[&str] =
    &["key", "kind", "record_id", "amount_cents", "since", "attempt", "looked_at", "next_look_at"];

/// The columns of differences from the processor's statement.
const DIFFERENCES: &[&str] = &[
    "kind",
    "status",
    "detail",
    "ours_cents",
    "theirs_cents",
    "found_at",
    "at",
    "key",
    "source",
    "settled_by",
    "note",
];

/// How the processor's statement differs from our rows.
pub(super) fn differences() -> Vec<Entry> {
    vec![
        finance(
            "admin.processor_difference.list",
            "GET /processor-differences/{status}",
            settling::list,
        )
        .purpose("list differences between the processor's statement and the platform's records")
        .title("Differences from the processor's statement")
        .columns(DIFFERENCES)
        .extension(),
        finance(
            "admin.processor_difference.view",
            "GET /processor-difference/{id}",
            settling::view,
        )
        .purpose("look at a difference between the processor's statement and the records")
        .title("A difference from the processor's statement")
        .extension(),
        finance(
            "admin.processor_difference.settle",
            "POST /processor-differences/{id}/settle",
            settling::settle,
        )
        .purpose("settle a difference from the processor's statement with a note")
        .title("Settle a difference from the processor's statement")
        .acts_on("processor_difference", "id")
        .when::<DifferenceStatus>(&[DifferenceEvent::Settle])
        .verb("Settle")
        .says("Difference settled")
        .errors(&[codes::ILLEGAL_TRANSITION])
        .strict()
        .extension(),
    ]
}

/// Requests to the processor whose outcome is unknown.
pub(super) fn requests() -> Vec<Entry> {
    vec![
        finance("admin.processor_request.list", "GET /processor-requests", deciding::list)
            .purpose("list requests to the payment processor without an outcome")
            .title("Requests without an outcome")
            .columns(UNANSWERED)
            .extension(),
        finance(
            "admin.processor_request.decide",
            "POST /processor-request/decide",
            deciding::decide,
        )
        .purpose("decide about a request that the payment processor cannot answer")
        .title("Decide about a request without an outcome")
        .verb("Decide")
        .confirm(
            "The books follow what you found out at the processor.",
            "If it is wrong, money is booked that has not moved, or moves a second time.",
        )
        .says("Request decided")
        .errors(&[codes::NOT_FOUND, codes::ILLEGAL_TRANSITION])
        .strict()
        .extension(),
    ]
}
