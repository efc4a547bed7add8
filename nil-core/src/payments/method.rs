//! A saved payment method: a card the processor keeps for a brand or an agent.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::kernel::{PaymentMethodId, Time};

/// A saved card. Its number is with the processor only.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct PaymentMethod {
    /// Its id.
    pub id: PaymentMethodId,
    /// Whose it is, such as `partner:7`.
    pub owner: String,
    /// `visa`, `mastercard`, …
    pub brand: String,
    /// The last four digits of its number.
    pub last4: String,
    /// Month of expiry.
    pub exp_month: i64,
    /// Year of expiry.
    pub exp_year: i64,
    /// Whether it is the one that is charged.
    pub is_default: bool,
    /// The processor's name for it.
    pub processor_ref: String,
    /// When it was saved.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
