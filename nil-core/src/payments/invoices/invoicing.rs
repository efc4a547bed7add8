//! Issues monthly invoices to brands for the fees they have paid.
//!
//! A fee is collected with its payment, so the invoice is paid when it is issued: it is the brand's
//! record, with one line per payment and one per refunded fee. Unique lines ensure that no fee is
//! billed twice, however many workers run. A finished month is recorded, so the worker skips it. A
//! fee found later is billed in another invoice for its own month.

use std::collections::BTreeMap;

use chrono::{Datelike as _, TimeDelta};

use super::invoice::{Invoice, InvoiceEvent, InvoiceKind, InvoiceLine, InvoiceStatus};
use crate::auth::Service;
use crate::backoffice::site::{self, Letterhead};
use crate::error::Result;
use crate::kernel::{Cents, Machine as _, Moved, PartnerId, Time, midnight, utc_day};
use crate::notifications::FeedKind;
use crate::operation::{Cx, Done, Work};
use crate::payments::ledger::Owner;
use crate::payments::store::invoice::{self as invoices, Customer, NewInvoice};
use crate::platform::Platform;

/// How long after a month's end its payments count as settled.
const GRACE: TimeDelta = TimeDelta::hours(1);

/// Bills the fees of past months, once per brand and month. Returns the number of invoices issued.
/// A site without a name or an address issues none; they follow when operators have set both. For
/// the worker.
pub async fn issue_invoices(platform: &Platform) -> Result<usize> {
    let until = month_of(platform.now() - GRACE);
    let last = period(until - TimeDelta::days(1));
    let partners = {
        let mut session = platform.db().read().await?;
        if invoices::is_done(&mut session, &last).await?
            || site::letterhead(&mut session).await?.known().is_none()
        {
            return Ok(0);
        }
        invoices::unbilled_partners(&mut session, until).await?
    };
    let mut issued = 0;
    for partner in partners {
        let worker = Service::ourselves();
        issued += platform.call(worker, bill, (partner, until)).await?.into_inner();
    }
    let worker = Service::ourselves();
    platform.call(worker, close, last).await?;
    Ok(issued)
}

/// Bills a brand's unbilled fees; returns the number of invoices.
async fn bill(cx: Cx<Service>, (partner, until): (PartnerId, Time)) -> Result<Done<usize>> {
    let mut work = cx.begin().await?;
    // Workers bill a brand one after the other; the second finds nothing left.
    invoices::lock_partner(&mut work, partner).await?;
    let mut months: BTreeMap<String, Vec<InvoiceLine>> = BTreeMap::new();
    for line in invoices::unbilled(&mut work, partner, until).await? {
        months.entry(period(line.at)).or_default().push(line);
    }
    let issued = months.len();
    for (month, lines) in months {
        issue(&mut work, partner, month, lines).await?;
    }
    work.done(issued).await
}

async fn issue(
    work: &mut Work,
    partner: PartnerId,
    period: String,
    lines: Vec<InvoiceLine>,
) -> Result<()> {
    let bill = Bill {
        owner: Owner::Partner(partner),
        kind: InvoiceKind::PlatformFees,
        period,
        // The fees were collected with the payments.
        moved: Some(InvoiceStatus::Open.on(InvoiceEvent::Pay)?),
        lines,
    };
    let customer = invoices::customer(work, bill.owner).await?;
    issue_to(work, customer, bill).await.map(|_| ())
}

/// The content and the customer of an invoice.
pub(crate) struct Bill {
    pub(crate) owner: Owner,
    pub(crate) kind: InvoiceKind,
    pub(crate) period: String,
    /// The transition from `open` to apply at once; none if payment is due.
    pub(crate) moved: Option<Moved<InvoiceStatus>>,
    pub(crate) lines: Vec<InvoiceLine>,
}

/// Issues an invoice under the next number, with the current data of both parties. 409
/// `site_unnamed` for a site without a name or an address. A credit note, and the invoice that
/// takes one back, are issued all the same: the money has moved.
pub(crate) async fn issue_to(work: &mut Work, customer: Customer, bill: Bill) -> Result<Invoice> {
    let now = work.now();
    let total: Cents = bill.lines.iter().map(|line| line.amount_cents).sum();
    let has_moved = total.get() < 0
        || (bill.kind == InvoiceKind::Subscription
            && bill.moved.as_ref().is_some_and(|moved| moved.to() == InvoiceStatus::Paid));
    let issuer = if has_moved { site::letterhead(work).await? } else { site::issuer(work).await? };
    let Letterhead { name: issuer_name, support_email: issuer_contact } = issuer;
    let new = NewInvoice {
        number: invoices::NUMBERS.draw(work, now).await?,
        owner: bill.owner,
        kind: bill.kind,
        period: bill.period,
        moved: bill.moved,
        issuer_name,
        issuer_contact,
        customer_name: customer.name,
        customer_contact: customer.contact,
        lines: bill.lines,
    };
    let invoice = invoices::add(work, new, now).await?;
    work.note(invoice.id, "issued");
    work.touch(customer.user_id, FeedKind::Payments);
    Ok(invoice)
}

async fn close(cx: Cx<Service>, period: String) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    invoices::note_done(&mut work, &period, cx.now()).await?;
    work.done(()).await
}

/// The first instant of the month (UTC).
fn month_of(at: Time) -> Time {
    let day = utc_day(at);
    let first = day.with_day(1).unwrap_or(day);
    midnight(first)
}

/// The month, such as `2026-11`.
fn period(at: Time) -> String {
    at.format("%Y-%m").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_over_an_hour_into_the_next_one() {
        let at = |text: &str| text.parse::<Time>().unwrap();
        let last = |now: &str| period(month_of(at(now) - GRACE) - TimeDelta::days(1));
        assert_eq!(last("2026-12-01T00:59:59Z"), "2026-10");
        assert_eq!(last("2026-12-01T01:00:00Z"), "2026-11");
        assert_eq!(last("2027-01-31T23:59:59Z"), "2026-12");
        assert_eq!(last("2028-03-01T12:00:00Z"), "2028-02");
    }
}
