//! A request to the payment processor whose outcome is unknown, as operators see it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{Cents, Time};
use crate::payments::reconciliation::difference::DifferenceRecord;
use crate::storage::FromRow;

/// A request to the payment processor whose outcome is unknown.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ProcessorRequest {
    /// Its key: the processor has it in the metadata of what it made.
    pub key: String,
    /// What it is for: `charge`, `refund`, `payout`, `subscription_charge` or
    /// `subscription_refund`.
    pub kind: String,
    /// The number of that record.
    pub record_id: i64,
    /// The number of the attempt, from 1.
    pub attempt: i64,
    /// What is to move.
    pub amount_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// When it can have been sent, at the earliest.
    pub since: Time,
    /// When the processor was last asked about it.
    pub looked_at: Time,
    /// When it is asked next.
    pub next_look_at: Option<Time>,
    /// The record that it is for, with the payment, the payee or the payer.
    #[row(skip)]
    pub record: Option<DifferenceRecord>,
}
