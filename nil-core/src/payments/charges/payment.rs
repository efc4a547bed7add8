//! A brand's payment to one athlete, and the charge it is part of.

use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, BulkId, Cents, ContractId, ConversionId, DeliverableId, JobId, Machine, Move, Moved,
    PartnerId, PaymentId, Time,
};
use crate::payments::disputes::dispute::DisputeStatus;
use crate::ports::processor::Outcome;
use crate::storage::FromRow;

vocabulary! {
    /// How a payment was charged.
    PaymentKind {
        /// As a single payment.
        Card = "card",
        /// As a line of a bulk payment.
        Bulk = "bulk",
    }
}

vocabulary! {
    /// The status of a payment.
    PaymentStatus {
        /// Written, not yet sent.
        Pending = "pending",
        /// Sent to the processor; the outcome is awaited.
        Processing = "processing",
        /// The card was charged; the athlete has the money in the wallet.
        Succeeded = "succeeded",
        /// The card was not charged; a new attempt is a new payment.
        Failed = "failed",
        /// Part of it was refunded.
        PartiallyRefunded = "partially_refunded",
        /// All of it was refunded.
        Refunded = "refunded",
    }
}

/// An event in a payment's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentEvent {
    /// It is sent to the processor.
    Charge,
    /// The processor charged the card.
    Succeed,
    /// The processor did not charge the card.
    Fail,
    /// Part of it is refunded for the first time.
    RefundPart,
    /// The rest of it is refunded.
    RefundAll,
    /// A refund failed after all; part of it is still refunded.
    RestorePart,
    /// A refund failed after all; nothing of it is refunded any more.
    Restore,
}

impl Machine for PaymentStatus {
    type Event = PaymentEvent;
    const NAME: &'static str = "payment";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Pending];
    const TERMINAL: &'static [Self] = &[Self::Failed];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Pending, PaymentEvent::Charge, Self::Processing), // POST /submitProcessorPaymentsaved
        (Self::Processing, PaymentEvent::Succeed, Self::Succeeded),
        (Self::Processing, PaymentEvent::Fail, Self::Failed),
        (Self::Succeeded, PaymentEvent::RefundPart, Self::PartiallyRefunded), // POST /payment-refund
        (Self::Succeeded, PaymentEvent::RefundAll, Self::Refunded),
        (Self::PartiallyRefunded, PaymentEvent::RefundAll, Self::Refunded),
        (Self::Refunded, PaymentEvent::RestorePart, Self::PartiallyRefunded),
        (Self::Refunded, PaymentEvent::Restore, Self::Succeeded),
        (Self::PartiallyRefunded, PaymentEvent::Restore, Self::Succeeded),
    ];
}

/// A payment.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Payment {
    /// The payment's id.
    pub id: PaymentId,
    /// The payment number, such as `PAY-2026-000123`.
    pub number: String,
    /// The brand that pays.
    pub partner_id: PartnerId,
    /// The brand's name.
    pub company_name: String,
    /// The athlete who is paid.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete_name: String,
    /// The contract it is paid under.
    pub contract_id: ContractId,
    /// The job of that contract.
    pub job_id: JobId,
    /// The job's title.
    pub job_title: String,
    /// The deliverables it settles, in full or in part, earliest first.
    #[row(skip)]
    pub deliverable_ids: Vec<DeliverableId>,
    /// The sales it pays commission on, in full or in part, earliest first.
    #[row(skip)]
    pub conversion_ids: Vec<ConversionId>,
    /// What the athlete is paid, an agent's commission included.
    pub amount_cents: Cents,
    /// The platform's fee, paid by the brand on top.
    pub fee_cents: Cents,
    /// The agent's commission, deducted from the amount.
    pub agent_commission_cents: Cents,
    /// What the card is charged: amount and fee.
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// Whether it was charged singly or as a line of a bulk payment.
    pub kind: PaymentKind,
    /// The bulk payment it is a line of.
    pub bulk_id: Option<BulkId>,
    /// The status.
    pub status: PaymentStatus,
    /// Until when the cardholder can confirm it with their bank, while that is needed: see
    /// `POST /payment/confirm`.
    pub confirm_until: Option<Time>,
    /// The processor's code for the refusal.
    pub failure_code: Option<String>,
    /// The processor's id of the charge.
    pub processor_charge_id: Option<String>,
    /// When the card was charged.
    pub paid_at: Option<Time>,
    /// How much of the amount was refunded.
    pub refunded_cents: Cents,
    /// How much of the fee was refunded.
    pub refunded_fee_cents: Cents,
    /// The status of its latest dispute; none if its card's bank never asked about it.
    pub dispute_status: Option<DisputeStatus>,
    /// When it was requested.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

vocabulary! {
    /// The status of a charge at the processor.
    ChargeStatus {
        /// The outcome is not known yet.
        Processing = "processing",
        /// The card's bank wants the cardholder to confirm it.
        RequiresAction = "requires_action",
        /// The card was charged.
        Succeeded = "succeeded",
        /// The card was not and will not be charged.
        Failed = "failed",
    }
}

/// The outcome of a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChargeEvent {
    /// The card's bank wants the cardholder to confirm it.
    RequireAction,
    /// The card was charged.
    Succeed,
    /// The card was not charged.
    Fail,
}

impl ChargeEvent {
    /// What an outcome is in a charge's life; none if it says that the money is on its way.
    const fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Succeeded { .. } => Some(Self::Succeed),
            Outcome::Failed { .. } => Some(Self::Fail),
            Outcome::NeedsAction { .. } => Some(Self::RequireAction),
            Outcome::InTransit { .. } => None,
        }
    }
}

impl Machine for ChargeStatus {
    type Event = ChargeEvent;
    const NAME: &'static str = "charge";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Processing];
    const TERMINAL: &'static [Self] = &[Self::Succeeded, Self::Failed];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Processing, ChargeEvent::RequireAction, Self::RequiresAction),
        (Self::Processing, ChargeEvent::Succeed, Self::Succeeded),
        (Self::Processing, ChargeEvent::Fail, Self::Failed),
        (Self::RequiresAction, ChargeEvent::Succeed, Self::Succeeded),
        (Self::RequiresAction, ChargeEvent::Fail, Self::Failed),
    ];
}

impl ChargeStatus {
    /// Where an outcome leads to; none if it changes nothing here.
    pub(in crate::payments) fn moved_by(self, outcome: &Outcome) -> Result<Option<Moved<Self>>> {
        let event = ChargeEvent::of(outcome).filter(|event| self.can(*event));
        Ok(event.map(|event| self.on(event)).transpose()?)
    }

    /// Whether the outcome is still to come.
    pub(in crate::payments) const fn is_open(self) -> bool {
        matches!(self, Self::Processing | Self::RequiresAction)
    }
}

/// A bulk payment: one charge, with one payment per line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct BulkPayment {
    /// The bulk payment's id.
    pub bulk_id: BulkId,
    /// The payments, in the order of the request.
    pub payments: Vec<Payment>,
    /// The athletes' amounts.
    pub amount_cents: Cents,
    /// The platform's fees.
    pub fee_cents: Cents,
    /// What the card is charged.
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
}
