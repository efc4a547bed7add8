//! A saved payment method: a brand's or agent's card, stored at the processor.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{PaymentMethodId, Time};
use crate::storage::FromRow;

/// A saved card. Only the processor knows its number.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PaymentMethod {
    /// The payment method's id.
    pub id: PaymentMethodId,
    /// The owner, such as `partner:7`.
    pub owner: String,
    /// `visa`, `mastercard`, …
    pub brand: String,
    /// The last four digits of the card number.
    pub last4: String,
    /// Month of expiry.
    pub exp_month: i64,
    /// Year of expiry.
    pub exp_year: i64,
    /// Whether it is the card that is charged.
    pub is_default: bool,
    /// The processor's id of the card.
    pub processor_ref: String,
    /// When it was saved.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
