//! Disputes of charges.

use crate::catalog::table::Entry;
use crate::catalog::table::operator::finance;
use crate::error::codes;
use crate::payments::disputes::{listing, responding, terms};
use crate::payments::{DisputeEvent, DisputeStatus};

/// The columns of disputes.
const DISPUTES: &[&str] = &[
    "payer_name",
    "status",
    "kind",
    "amount_cents",
    "reason",
    "evidence_due_at",
    "opened_at",
    "payments",
    "borne_by_payees_cents",
    "fee_cents",
];

/// The columns of what payees bear.
const TERMS: &[&str] = &["applies_from", "payee_basis_points", "set_by"];

/// Disputes, and what payees bear of them.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        finance("admin.dispute.list", "GET /disputes/{status}", listing::list)
            .purpose("list disputes of charges, and early warnings of them")
            .title("Disputes")
            .columns(DISPUTES)
            .extension(),
        finance("admin.dispute.view", "GET /dispute/{id}", listing::view)
            .purpose("look at a dispute and how it is divided over payments")
            .title("A dispute")
            .extension(),
        finance(
            "admin.dispute.download_evidence",
            "GET /dispute/{id}/evidence",
            responding::download_evidence,
        )
        .purpose("download the evidence against a dispute, as it is handed in")
        .title("Download the evidence against a dispute")
        .strict()
        .audited()
        .errors(&[codes::CONTRACT_INCOMPLETE])
        .sends("application/pdf")
        .extension(),
        finance("admin.dispute.answer", "POST /dispute/{id}/answer", responding::answer)
            .purpose("hand evidence in against a dispute")
            .title("Hand evidence in against a dispute")
            .acts_on("dispute", "id")
            .when::<DisputeStatus>(&[DisputeEvent::Answer])
            .verb("Hand it in")
            .confirm(
                "The bank gets your statement, and a document with the contracts, who agreed to \
                 them, which work was done and what was written about it.",
                "Evidence is handed in once. The bank decides within weeks, and the money stays \
                 with it until then.",
            )
            .says("Evidence handed in")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::DISPUTE_REFUSED])
            .strict()
            .extension(),
        finance("admin.dispute.accept", "POST /dispute/{id}/accept", responding::accept)
            .purpose("accept a dispute as lost")
            .title("Accept a dispute")
            .acts_on("dispute", "id")
            // It is accepted in place of an answer, and no longer after one.
            .when::<DisputeStatus>(&[DisputeEvent::Answer])
            .verb("Accept it")
            .confirm(
                "The dispute is lost: the cardholder keeps the money. What payees bear of it is \
                 taken from their wallets, or they owe it.",
                "The payments stay on record. This cannot be undone.",
            )
            .says("Dispute accepted")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::DISPUTE_REFUSED])
            .strict()
            .extension(),
        finance("admin.dispute.list_terms", "GET /dispute-terms", terms::list)
            .purpose("list what payees bear of lost disputes")
            .title("What payees bear of disputes")
            .columns(TERMS)
            .extension(),
        finance("admin.dispute.save_terms", "POST /dispute-terms/save", terms::save)
            .purpose("set what payees bear of lost disputes of payments from now on")
            .title("Set what payees bear of disputes")
            .verb("Save")
            .confirm(
                "Athletes and agents give this share of a lost dispute back, for payments made \
                 from now on.",
                "Payments that were made before keep the terms of their day.",
            )
            .says("Terms saved")
            .strict()
            .extension(),
    ]
}
