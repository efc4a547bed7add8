//! A dispute of a charge, and its division over payments.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AgentId, AthleteId, BasisPoints, Cents, ChargeId, ContractId, DisputeId, JobId, Machine, Move,
    PartnerId, PaymentId, SubscriptionChargeId, Time,
};
pub use crate::ports::processor::DisputeKind;
use crate::storage::FromRow;

vocabulary! {
    /// The status of a dispute.
    DisputeStatus {
        /// An early warning or an inquiry: no money has moved.
        Warning = "warning",
        /// The bank has taken the money; evidence is awaited.
        NeedsResponse = "needs_response",
        /// Evidence was handed in; the bank decides.
        UnderReview = "under_review",
        /// The bank decided for the platform, and gave the money back.
        Won = "won",
        /// The bank decided for the cardholder.
        Lost = "lost",
        /// It came to nothing: the cardholder withdrew it, or a warning was closed.
        Withdrawn = "withdrawn",
    }
}

/// An event in a dispute's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeEvent {
    /// The bank takes the money after it had asked.
    Escalate,
    /// Evidence is handed in.
    Answer,
    /// It is decided for the platform.
    Win,
    /// It is decided for the cardholder, or accepted.
    Lose,
    /// The cardholder withdraws it, or a warning is closed.
    Withdraw,
    /// A lost one is decided anew, for the platform.
    Overturn,
}

impl Machine for DisputeStatus {
    type Event = DisputeEvent;
    const NAME: &'static str = "dispute";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Warning, Self::NeedsResponse];
    const TERMINAL: &'static [Self] = &[Self::Won, Self::Withdrawn];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Warning, DisputeEvent::Escalate, Self::NeedsResponse),
        (Self::Warning, DisputeEvent::Withdraw, Self::Withdrawn),
        (Self::NeedsResponse, DisputeEvent::Answer, Self::UnderReview), // POST /dispute/{id}/answer
        (Self::NeedsResponse, DisputeEvent::Win, Self::Won),
        (Self::NeedsResponse, DisputeEvent::Lose, Self::Lost), // POST /dispute/{id}/accept
        (Self::NeedsResponse, DisputeEvent::Withdraw, Self::Withdrawn),
        (Self::UnderReview, DisputeEvent::Win, Self::Won),
        (Self::UnderReview, DisputeEvent::Lose, Self::Lost),
        (Self::UnderReview, DisputeEvent::Withdraw, Self::Withdrawn),
        (Self::Lost, DisputeEvent::Overturn, Self::Won),
    ];
}

impl DisputeStatus {
    /// Whether the bank has the money and has not decided.
    #[must_use]
    pub const fn has_taken(self) -> bool {
        matches!(self, Self::NeedsResponse | Self::UnderReview)
    }

    /// Whether nothing is decided yet.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Warning | Self::NeedsResponse | Self::UnderReview)
    }
}

/// A dispute of a charge.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Dispute {
    /// The dispute's id.
    pub id: DisputeId,
    /// What the cardholder's bank does.
    pub kind: DisputeKind,
    /// The status.
    pub status: DisputeStatus,
    /// The bank's reason, in the processor's word.
    #[schemars(extend("examples" = ["fraudulent"]))]
    pub reason: String,
    /// How much of the charge is disputed.
    pub amount_cents: Cents,
    /// What the processor has kept because of it.
    pub fee_cents: Cents,
    /// What payees have borne of it; 0 until it is lost.
    pub borne_by_payees_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// The brand whose card was charged.
    pub partner_id: Option<PartnerId>,
    /// The agent whose card was charged, for a subscription.
    pub agent_id: Option<AgentId>,
    /// The name of the brand or of the agency.
    pub payer_name: String,
    /// The charge of payments that is disputed.
    pub charge_id: Option<ChargeId>,
    /// The charge of a subscription that is disputed.
    pub subscription_charge_id: Option<SubscriptionChargeId>,
    /// How many payments the charge was for.
    pub payments: i64,
    /// The number of the payment, if the charge was for one.
    pub payment_number: Option<String>,
    /// The processor's id of the dispute.
    pub processor_dispute_id: String,
    /// Until when evidence can be handed in.
    pub evidence_due_at: Option<Time>,
    /// What the platform has handed in, in its own words.
    pub statement: Option<String>,
    /// Who answered it, such as `operator:1`.
    pub answered_by: Option<String>,
    /// When it was answered.
    pub answered_at: Option<Time>,
    /// When the bank opened it.
    pub opened_at: Time,
    /// When it was decided, withdrawn or closed.
    pub closed_at: Option<Time>,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Dispute {
    /// Its name in ledger transfers.
    #[must_use]
    pub fn name(&self) -> String {
        format!("dispute:{}", self.id)
    }
}

/// The part of a dispute that falls on one payment.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct DisputeShare {
    /// The payment.
    pub payment_id: PaymentId,
    /// The payment's number.
    pub payment_number: String,
    /// The athlete who was paid.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete_name: String,
    /// The athlete's agent in that deal.
    pub agent_id: Option<AgentId>,
    /// How much of the payment's amount is disputed.
    pub amount_cents: Cents,
    /// How much of the platform's fee is disputed.
    pub fee_cents: Cents,
    /// How much of the amount is the agent's commission.
    pub commission_cents: Cents,
    /// How much waits in the athlete's wallet while the dispute is open.
    pub athlete_waits_cents: Cents,
    /// How much waits in the agent's wallet while the dispute is open.
    pub agent_waits_cents: Cents,
}

/// What a disputed payment was for, and what payees bear of its dispute.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct DisputedDeal {
    /// The payment.
    pub payment_id: PaymentId,
    /// When it was paid.
    pub paid_at: Option<Time>,
    /// What the payment was.
    pub paid_cents: Cents,
    /// The job.
    pub job_id: JobId,
    /// The job's title.
    pub job_title: String,
    /// The contract.
    pub contract_id: ContractId,
    /// The contract's number.
    pub contract_number: String,
    /// The SHA-256 of the contract's terms.
    pub document_sha256: String,
    /// The name of the athlete's agent in that deal.
    pub agent_name: Option<String>,
    /// What payees give back if the dispute is lost; of a lost one, what they gave back.
    pub payees_bear_cents: Cents,
}

/// What payees bear of a lost dispute of payments made from an instant on.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct DisputeTerms {
    /// The share of the disputed amount that the athlete and the agent give back, in hundredths of
    /// a percent. The platform bears the rest, its own fee and what the processor keeps.
    #[schemars(extend("examples" = [0]))]
    pub payee_basis_points: BasisPoints,
    /// They hold for payments made from then on, until later terms.
    pub applies_from: Time,
    /// Who set them, such as `operator:1`.
    pub set_by: String,
}
