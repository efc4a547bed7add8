//! An invoice: what the platform bills somebody for a month, or for a period of a subscription.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::ledger::Owner;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, InvoiceId, Machine, Move, PaymentId, RefundId, Time};

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
    /// The state of an invoice.
    InvoiceStatus {
        /// To be paid.
        Open = "open",
        /// Paid.
        Paid = "paid",
        /// Taken back.
        Void = "void",
        /// Given up.
        Uncollectible = "uncollectible",
    }
}

/// What can happen to an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvoiceEvent {
    /// The money is there.
    Pay,
    /// It was a mistake.
    Void,
    /// Nobody expects the money any more.
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
pub struct InvoiceLine {
    /// What is billed.
    pub description: String,
    /// When it came about.
    pub at: Time,
    /// The payment it is the fee of.
    pub payment_id: Option<PaymentId>,
    /// The refund that gave the fee back.
    pub refund_id: Option<RefundId>,
    /// How much; negative where something is credited.
    pub amount_cents: Cents,
}

/// An invoice. It never changes but for its status.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Invoice {
    /// Its id.
    pub id: InvoiceId,
    /// Its number, such as `INV-2026-000123`.
    pub number: String,
    /// Who is billed, such as `partner:7`.
    pub owner: String,
    /// What it is for.
    pub kind: InvoiceKind,
    /// What it is for, by UTC: a month, such as `2026-11`; for a subscription the day it begins and the
    /// day it ends, such as `2026-11-20/2026-12-20`.
    pub period: String,
    /// Where it stands.
    pub status: InvoiceStatus,
    /// What is billed.
    #[sqlx(skip)]
    pub lines: Vec<InvoiceLine>,
    /// The sum of the lines.
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// Who bills, as it was on the day of issue.
    pub issuer_name: String,
    /// How to reach them.
    pub issuer_contact: String,
    /// Who is billed, as it was on the day of issue.
    pub customer_name: String,
    /// Where they are; empty where that is not known.
    pub customer_contact: String,
    /// Where the PDF is, for its owner.
    #[sqlx(skip)]
    pub pdf_url: String,
    /// When it was issued.
    pub issued_at: Time,
    /// When it was paid.
    pub paid_at: Option<Time>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Invoice {
    /// With the address of its PDF on the server that users reach at `public_url`.
    pub(super) fn at(mut self, public_url: &str) -> Self {
        let side = match Owner::named(&self.owner) {
            Some(Owner::Agent(_)) => "agent",
            _ => "partner",
        };
        let base = public_url.trim_end_matches('/');
        self.pdf_url = format!("{base}/api/{side}/processor/invoices/{}/pdf", self.id);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<InvoiceStatus>();
    }
}
