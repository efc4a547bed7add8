//! A refund of what was charged for a subscription.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    Cents, InvoiceId, SubscriptionChargeId, SubscriptionId, SubscriptionRefundId, Time,
};
use crate::payments::{RefundStatus, movement};
use crate::storage::FromRow;

vocabulary! {
    /// How much of an invoice is refunded.
    SubscriptionRefundRule {
        /// All that is left of it; within the days that the site grants.
        Full = "full",
        /// The days left of its period, today included; until the period is over.
        Unused = "unused",
    }
}

/// A refund of a subscription's invoice.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct SubscriptionRefund {
    /// The refund's id.
    pub id: SubscriptionRefundId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// The invoice that is refunded.
    pub invoice_id: InvoiceId,
    /// The charge of the invoice.
    #[serde(skip)]
    pub charge_id: SubscriptionChargeId,
    /// The processor's id of that charge.
    #[serde(skip)]
    pub processor_charge_id: Option<String>,
    /// How much goes back to the card.
    pub amount_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// The rule it was computed by.
    pub rule: SubscriptionRefundRule,
    /// The reason.
    pub reason: String,
    /// The status.
    pub status: RefundStatus,
    /// The processor's code for the refusal.
    pub failure_code: Option<String>,
    /// The credit note, once the card was refunded; null again if that fails later.
    pub credit_note_id: Option<InvoiceId>,
    /// The invoice that takes the credit note back, if the refund failed after all.
    pub taken_back_by_id: Option<InvoiceId>,
    /// The requester, such as `operator:1`.
    pub requested_by: String,
    /// When it was requested.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl SubscriptionRefund {
    /// Its name in ledger transfers, and for the calls that wait for it.
    #[must_use]
    pub fn name(&self) -> String {
        movement::name(self.id)
    }
}
