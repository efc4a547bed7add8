//! The invoices of subscriptions: of a period or a change of plan, issued before the first charge,
//! then paid, void or uncollectible; the credit notes of refunds, and the invoices that take these
//! back.

use super::change::Quote;
use super::plan::SubscriptionPlan;
use super::subscription::{Span, Subscription};
use crate::error::Result;
use crate::kernel::{Cents, Date, InvoiceId, Machine as _, Moved, Time, utc_day};
use crate::operation::Work;
use crate::payments::invoices::invoice::{InvoiceEvent, InvoiceKind, InvoiceLine, InvoiceStatus};
use crate::payments::invoices::invoicing::{self, Bill};
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
    let what = days(span.starts_at, span.ends_at);
    let line = line(
        format!("{}, {}", subscription.plan_name, what.words()),
        span.starts_at,
        subscription.price_cents,
    );
    let invoice = issue(work, subscription, what, None, vec![line]).await?;
    let now = work.now();
    let terms = (subscription.id, subscription.plan_id, subscription.price_cents);
    store::add_period(work, terms, span, invoice, now).await
}

/// The lines of a change of plan: what is credited for the days left of the old plan, if anything,
/// and what they cost with the new one.
pub(super) fn lines_of_change(
    subscription: &Subscription,
    plan: &SubscriptionPlan,
    quote: &Quote,
) -> Vec<InvoiceLine> {
    let (at, until) = (quote.takes_effect_at, subscription.period_ends_at);
    let words = days(at, until).words();
    let days = match quote.days.left {
        1 => "1 day".to_owned(),
        left => format!("{left} days"),
    };
    let named = |name: &str, what: &str| format!("{name}, {what} {days}, {words}");
    let credit = line(named(&subscription.plan_name, "unused"), at, -quote.unused);
    let charge = line(named(&plan.name, "remaining"), at, quote.rest);
    if quote.credited == Cents::ZERO { vec![charge] } else { vec![credit, charge] }
}

/// Issues the invoice of a change of plan.
pub(super) async fn issue_for_change(
    work: &mut Work,
    subscription: &Subscription,
    plan: &SubscriptionPlan,
    quote: &Quote,
) -> Result<InvoiceId> {
    let lines = lines_of_change(subscription, plan, quote);
    let what = days(quote.takes_effect_at, subscription.period_ends_at);
    issue(work, subscription, what, None, lines).await
}

/// Issues the credit note of a refund.
pub(super) async fn credit(
    work: &mut Work,
    subscription: &Subscription,
    (number, amount): (&str, Cents),
    span: (Time, Time),
) -> Result<InvoiceId> {
    let words = format!("Refund of invoice {number}");
    issue_moved(work, subscription, (words, -amount), span).await
}

/// Issues the invoice that takes back the credit note of a refund that failed after all.
pub(super) async fn take_back(
    work: &mut Work,
    subscription: &Subscription,
    (number, amount): (&str, Cents),
    span: (Time, Time),
) -> Result<InvoiceId> {
    let words = format!("Credit note {number}: its refund failed");
    issue_moved(work, subscription, (words, amount), span).await
}

/// Issues an invoice of one line, whose money has moved before.
async fn issue_moved(
    work: &mut Work,
    subscription: &Subscription,
    (words, amount): (String, Cents),
    (from, until): (Time, Time),
) -> Result<InvoiceId> {
    let lines = vec![line(words, work.now(), amount)];
    let moved = Some(InvoiceStatus::Open.on(InvoiceEvent::Pay)?);
    issue(work, subscription, days(from, until), moved, lines).await
}

/// The first and the last day of a bill.
#[derive(Clone, Copy)]
struct Dates(Date, Date);

fn days(from: Time, until: Time) -> Dates {
    Dates(utc_day(from), utc_day(until))
}

impl Dates {
    fn words(self) -> String {
        format!("{} to {}", self.0, self.1)
    }
}

fn line(description: String, at: Time, amount_cents: Cents) -> InvoiceLine {
    InvoiceLine { description, at, payment_id: None, refund_id: None, amount_cents }
}

async fn issue(
    work: &mut Work,
    subscription: &Subscription,
    Dates(from, until): Dates,
    moved: Option<Moved<InvoiceStatus>>,
    lines: Vec<InvoiceLine>,
) -> Result<InvoiceId> {
    let owner = subscription.payer()?;
    let customer = invoices::customer(work, owner).await?;
    let period = format!("{from}/{until}");
    let bill = Bill { owner, kind: InvoiceKind::Subscription, period, moved, lines };
    Ok(invoicing::issue_to(work, customer, bill).await?.id)
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
