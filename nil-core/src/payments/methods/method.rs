//! A saved payment method: a brand's or agent's card, stored at the processor.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{PaymentMethodId, Time};
use crate::ports::processor::SavedCard;
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
    /// What the processor calls every copy of this card, if it tells.
    #[serde(skip)]
    pub fingerprint: Option<String>,
    /// When it was saved.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl PaymentMethod {
    /// Whether it is a copy of this card.
    pub(in crate::payments) fn is_copy_of(&self, card: &SavedCard) -> bool {
        let same_print = self.fingerprint.is_some() && self.fingerprint == card.fingerprint;
        same_print || self.processor_ref == card.reference
    }
}
