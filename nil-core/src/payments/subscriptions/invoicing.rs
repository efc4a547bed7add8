//! The invoice of a subscription period: issued before its first charge, then paid, void or uncollectible.

use super::subscription::{Span, Subscription};
use crate::error::Result;
use crate::kernel::{InvoiceId, Machine as _};
use crate::operation::Work;
use crate::payments::invoice::{InvoiceEvent, InvoiceKind, InvoiceLine, InvoiceStatus};
use crate::payments::invoicing::{self, Bill};
use crate::payments::store::invoice as invoices;
use crate::payments::store::subscription::{self as store, Period};

/// The period with its invoice: those of an earlier attempt, or new ones.
pub(super) async fn drawn_up(
    work: &mut Work,
    subscription: &Subscription,
    span: Span,
) -> Result<Period> {
    if let Some(period) = store::period(work, subscription.id, span.number).await? {
        return Ok(period);
    }
    let owner = subscription.payer()?;
    let customer = invoices::customer(work, owner).await?;
    let [from, until] = [span.starts_at, span.ends_at].map(|at| at.date_naive());
    let bill = Bill {
        owner,
        kind: InvoiceKind::Subscription,
        period: format!("{from}/{until}"),
        moved: None,
        lines: vec![InvoiceLine {
            description: format!("{}, {from} to {until}", subscription.plan_name),
            at: span.starts_at,
            payment_id: None,
            refund_id: None,
            amount_cents: subscription.price_cents,
        }],
    };
    let invoice = invoicing::issue_to(work, customer, bill).await?;
    let now = work.now();
    store::add_period(work, subscription.id, span, invoice.id, now).await
}

/// Closes an open invoice.
pub(super) async fn close(work: &mut Work, invoice: InvoiceId, event: InvoiceEvent) -> Result<()> {
    let moved = InvoiceStatus::Open.on(event)?;
    let now = work.now();
    invoices::change(work, invoice, moved, now).await?;
    let action = match event {
        InvoiceEvent::Pay => "paid",
        InvoiceEvent::Void => "voided",
        InvoiceEvent::GiveUp => "given_up",
    };
    work.note(invoice, action);
    Ok(())
}
