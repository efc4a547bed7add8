//! Invoices for a month of platform fees or for a period of a subscription.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, InvoiceId, Machine, Move, PaymentId, RefundId, Time};
use crate::payments::ledger::Owner;
use crate::storage::FromRow;

vocabulary! {
    /// What an invoice is for.
    InvoiceKind {
        /// The platform's fees on a brand's payments, collected with them.
        PlatformFees = "platform_fees",
        /// A period of a subscription.
        Subscription = "subscription",
    }
}

vocabulary! {
    /// The status of an invoice.
    InvoiceStatus {
        /// Unpaid.
        Open = "open",
        /// Paid.
        Paid = "paid",
        /// Cancelled.
        Void = "void",
        /// Not paid and no longer pursued.
        Uncollectible = "uncollectible",
    }
}

/// An event in an invoice's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvoiceEvent {
    /// It is paid.
    Pay,
    /// It is cancelled.
    Void,
    /// Collection is given up.
    GiveUp,
}

impl Machine for InvoiceStatus {
    type Event = InvoiceEvent;
    const NAME: &'static str = "invoice";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Open];
    const TERMINAL: &'static [Self] = &[Self::Paid, Self::Void];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Open, InvoiceEvent::Pay, Self::Paid), // the worker at once: fees come with payments
        (Self::Open, InvoiceEvent::Void, Self::Void), // a subscription that does not come about or go on
        (Self::Open, InvoiceEvent::GiveUp, Self::Uncollectible), // one that was not paid in time
        (Self::Uncollectible, InvoiceEvent::Pay, Self::Paid),
        (Self::Uncollectible, InvoiceEvent::Void, Self::Void),
    ];
}

/// A line of an invoice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct InvoiceLine {
    /// What is billed.
    pub description: String,
    /// When the item arose.
    pub at: Time,
    /// The payment whose fee is billed.
    pub payment_id: Option<PaymentId>,
    /// The refund that returned the fee.
    pub refund_id: Option<RefundId>,
    /// The amount; negative for credits.
    pub amount_cents: Cents,
}

/// An invoice. Only its status ever changes.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Invoice {
    /// The invoice's id.
    pub id: InvoiceId,
    /// The invoice number, such as `INV-2026-000123`.
    pub number: String,
    /// The customer, such as `partner:7`.
    pub owner: String,
    /// The kind of invoice.
    pub kind: InvoiceKind,
    /// The billed period (UTC): a month, such as `2026-11`; for a subscription its first and last
    /// day, such as `2026-11-20/2026-12-20`.
    pub period: String,
    /// The status.
    pub status: InvoiceStatus,
    /// The lines.
    #[row(skip)]
    pub lines: Vec<InvoiceLine>,
    /// The sum of the lines.
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// The issuer's name on the day of issue.
    pub issuer_name: String,
    /// The issuer's contact.
    pub issuer_contact: String,
    /// The customer's name on the day of issue.
    pub customer_name: String,
    /// The customer's contact; empty if unknown.
    pub customer_contact: String,
    /// The URL of the PDF, for its owner.
    #[row(skip)]
    pub pdf_url: String,
    /// When it was issued.
    pub issued_at: Time,
    /// When it was paid.
    pub paid_at: Option<Time>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Invoice {
    /// Sets the PDF's URL on the server that users reach at `public_url`.
    pub(crate) fn at(mut self, public_url: &str) -> Self {
        let side = match Owner::named(&self.owner) {
            Some(Owner::Agent(_)) => "agent",
            _ => "partner",
        };
        let base = public_url.trim_end_matches('/');
        self.pdf_url = format!("{base}/api/{side}/processor/invoices/{}/pdf", self.id);
        self
    }
}
