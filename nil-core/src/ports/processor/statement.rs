//! The statement of the platform's own balance at the processor: a line for all that came to it or
//! left it.

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, Time};

/// The most lines of one page.
pub const PAGE: usize = 100;

vocabulary! {
    /// What a line of the processor's statement is.
    LineKind {
        /// A charge came in.
        Charge = "charge",
        /// A charge that had come in failed after all: a bank took its debit back.
        ChargeFailed = "charge_failed",
        /// A refund left.
        Refund = "refund",
        /// A refund failed, and its money is back.
        RefundFailed = "refund_failed",
        /// A payout left, to the account of a payee.
        Payout = "payout",
        /// A payout is back.
        PayoutReturned = "payout_returned",
        /// A disputed charge was taken.
        Dispute = "dispute",
        /// A disputed charge is back.
        DisputeReturned = "dispute_returned",
        /// The processor took a fee of its own, beside those of single charges.
        Fee = "fee",
        /// The platform's own money went to its own bank, or is back from there.
        OwnPayout = "own_payout",
        /// Anything else.
        Other = "other",
    }
}

/// A line of the statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementLine {
    /// The processor's id of the line.
    pub id: String,
    /// When the balance changed.
    pub at: Time,
    /// What it is.
    pub kind: LineKind,
    /// The key of our request; none if it was not one of ours.
    pub key: Option<String>,
    /// The processor's reference of what moved. That of a charge is the one of its outcome.
    pub source: Option<String>,
    /// How much: more than nothing came to the balance, less than nothing left it.
    pub amount: Cents,
    /// What the processor kept of it.
    pub fee: Cents,
    /// The currency in lower case.
    pub currency: String,
}

/// A page of the statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatementPage {
    /// The lines, at most [`PAGE`], each once, in an order of the processor's own.
    pub lines: Vec<StatementLine>,
    /// What the next page is asked for with; none after the last one.
    pub next: Option<String>,
}
