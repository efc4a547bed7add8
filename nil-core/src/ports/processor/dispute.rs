//! Disputes: cardholders who take a charge back through their bank, and what comes before that.

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, Time};

vocabulary! {
    /// What a cardholder's bank does about a charge.
    DisputeKind {
        /// The network reports a charge as fraudulent. No money moves; a dispute may follow.
        EarlyWarning = "early_warning",
        /// The bank asks about a charge. No money moves; a chargeback may follow.
        Inquiry = "inquiry",
        /// The bank takes the charge back.
        Chargeback = "chargeback",
    }
}

vocabulary! {
    /// How far a dispute is at the processor.
    DisputeState {
        /// An inquiry or an early warning: no money has moved.
        Warning = "warning",
        /// The money was taken; evidence is awaited.
        NeedsResponse = "needs_response",
        /// The bank looks at the evidence.
        UnderReview = "under_review",
        /// The money is back.
        Won = "won",
        /// The money is gone.
        Lost = "lost",
        /// It came to nothing: withdrawn by the cardholder, or closed before any money moved.
        Withdrawn = "withdrawn",
    }
}

/// A dispute as the processor knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispute {
    /// The processor's reference.
    pub reference: String,
    /// The charge that is disputed, by the processor's reference.
    pub charge: String,
    /// What it is.
    pub kind: DisputeKind,
    /// How far it is.
    pub state: DisputeState,
    /// Why, in the processor's word, such as `fraudulent`.
    pub reason: String,
    /// How much of the charge.
    pub amount: Cents,
    /// The currency in lower case.
    pub currency: String,
    /// What the processor keeps for itself because of it.
    pub fee: Cents,
    /// Until when evidence can be handed in.
    pub evidence_due_at: Option<Time>,
    /// When it was opened.
    pub opened_at: Time,
}

/// What is handed in against a dispute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// What was bought.
    pub product: String,
    /// Who paid.
    pub customer: String,
    /// The platform's own words.
    pub statement: String,
    /// The contract, the assent to it, the proof of the work and the messages, as a PDF.
    pub document: Vec<u8>,
}

/// The dispute after it was answered; or why the processor refuses, in its own words.
pub type Verdict = Result<Dispute, String>;
