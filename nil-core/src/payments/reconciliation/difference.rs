//! A difference between the processor's statement and our own rows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AgentId, AllOr, AthleteId, Cents, Date, Machine, Move, PartnerId, PaymentId,
    ProcessorDifferenceId, Time,
};
use crate::storage::FromRow;

vocabulary! {
    /// In what the processor's statement and our rows differ. A line differs in one thing: the
    /// first that applies.
    DifferenceKind {
        /// Money moved there that was not requested here.
        UnknownHere = "unknown_here",
        /// It has moved here, and the statement has no line for it.
        UnknownThere = "unknown_there",
        /// The line is of another kind than the request under its key.
        Kind = "kind",
        /// It moved there more than once under one key.
        Twice = "twice",
        /// The currencies differ.
        Currency = "currency",
        /// The amounts differ.
        Amount = "amount",
        /// It moved there, and failed here.
        FailedHere = "failed_here",
        /// It moved there under a key that was given up here for a later attempt.
        GivenUpHere = "given_up_here",
        /// It moved there more than a day ago, and has no outcome here.
        OpenHere = "open_here",
        /// It came back there more than a day ago, and stands here.
        UndoneThere = "undone_there",
        /// The charge there is another one than the one that is kept here.
        OtherSource = "other_source",
        /// What the processor kept of it differs.
        Fee = "fee",
    }
}

vocabulary! {
    /// What has become of a difference.
    DifferenceStatus {
        /// Somebody must look at it.
        Open = "open",
        /// An operator has settled it.
        Settled = "settled",
        /// A later comparison no longer found it.
        Gone = "gone",
    }
}

/// An event in a difference's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceEvent {
    /// An operator settles it.
    Settle,
    /// A later comparison does not find it.
    Vanish,
    /// It is found once more after it had gone.
    Return,
    /// After it was settled, it is found with other facts.
    Reopen,
}

impl Machine for DifferenceStatus {
    type Event = DifferenceEvent;
    const NAME: &'static str = "processor_difference";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Open];
    const TERMINAL: &'static [Self] = &[];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Open, DifferenceEvent::Settle, Self::Settled), // POST /processor-differences/{id}/settle
        (Self::Open, DifferenceEvent::Vanish, Self::Gone),
        (Self::Gone, DifferenceEvent::Return, Self::Open),
        (Self::Settled, DifferenceEvent::Reopen, Self::Open),
    ];
}

/// A difference between the processor's statement and our rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ProcessorDifference {
    /// The difference's id.
    pub id: ProcessorDifferenceId,
    /// In what they differ.
    pub kind: DifferenceKind,
    /// What has become of it.
    pub status: DifferenceStatus,
    /// The key of our request; null if the line names none.
    pub key: Option<String>,
    /// The processor's id of the line; null if there is none.
    pub line_id: Option<String>,
    /// The processor's reference of what moved.
    pub source: Option<String>,
    /// When it moved there; without a line, when it was requested here.
    pub at: Time,
    /// What our rows say: more than nothing came to the platform. Null if they say nothing. Of a
    /// fee, what the processor kept.
    pub ours_cents: Option<Cents>,
    /// What the statement says; null if it says nothing.
    pub theirs_cents: Option<Cents>,
    /// The currency of the line, or else of our request.
    pub currency: String,
    /// What differs, in words.
    pub detail: String,
    /// When it was first found.
    pub found_at: Time,
    /// When it was last found.
    pub last_found_at: Time,
    /// When a later comparison did not find it any more.
    pub gone_at: Option<Time>,
    /// When it was settled.
    pub settled_at: Option<Time>,
    /// Who settled it, such as `operator:3`.
    pub settled_by: Option<String>,
    /// What they noted.
    pub note: Option<String>,
    /// The record that the key, or the processor's id of a dispute, is of; null if none has it.
    #[row(skip)]
    pub record: Option<DifferenceRecord>,
}

vocabulary! {
    /// The kind of record that money moved for.
    DifferenceRecordKind {
        /// A charge of payments.
        Charge = "charge",
        /// A refund of a payment.
        Refund = "refund",
        /// A payout.
        Payout = "payout",
        /// A charge of a subscription.
        SubscriptionCharge = "subscription_charge",
        /// A refund of a subscription.
        SubscriptionRefund = "subscription_refund",
        /// A dispute.
        Dispute = "dispute",
    }
}

/// The record that a difference is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct DifferenceRecord {
    /// Its kind.
    pub kind: DifferenceRecordKind,
    /// Its id among the records of its kind.
    pub id: i64,
    /// The payment that was charged or refunded; the first one of a charge of several.
    pub payment_id: Option<PaymentId>,
    /// The athlete who is paid out.
    pub athlete_id: Option<AthleteId>,
    /// The agent who is paid out, or subscribes.
    pub agent_id: Option<AgentId>,
    /// The brand that was charged.
    pub partner_id: Option<PartnerId>,
}

/// Selects differences.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListDifferences {
    /// `all`, `open`, `settled` or `gone`.
    pub status: AllOr<DifferenceStatus>,
    /// Only differences of this kind.
    pub kind: Option<DifferenceKind>,
    /// Only those that were found on this day or later, by UTC.
    #[schemars(extend("examples" = [null]))]
    pub from: Option<Date>,
    /// Only those that were found on this day or earlier, by UTC.
    #[schemars(extend("examples" = [null]))]
    pub to: Option<Date>,
}
