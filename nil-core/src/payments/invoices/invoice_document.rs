//! Renders an invoice as a PDF. The output is deterministic: the same invoice gives the same bytes.

use chrono::NaiveDate;

use super::invoice::{Invoice, InvoiceKind, InvoiceLine, InvoiceStatus};
use crate::document::flow::{Draft, Flow};
use crate::document::fonts::Fonts;
use crate::document::footer::footers;
use crate::document::pen::{self, Properties};
use crate::document::structure::Role;
use crate::document::style::{BODY, CELL, POINT, STRONG_CELL};
use crate::document::table::{Cell, Column, Table, cell};
use crate::document::{DocumentError, Paper};
use crate::kernel::utc_day;
use crate::wording::{day, inline, label, money, short_day};

/// Renders the invoice as a PDF.
pub(super) fn pdf(fonts: &Fonts, invoice: &Invoice) -> Result<Vec<u8>, DocumentError> {
    let about = Properties {
        title: format!("{} {}", title(invoice), invoice.number),
        description: subject(invoice),
        authors: vec![invoice.issuer_name.clone()],
        date: utc_day(invoice.issued_at),
        identity: format!("{} {}", invoice.number, invoice.issued_at),
    };
    pen::write(layout(fonts, invoice)?, about)
}

fn layout(fonts: &Fonts, invoice: &Invoice) -> Result<Draft, DocumentError> {
    let mut flow = Flow::new(Paper::Letter, fonts);
    flow.head(&invoice.number, title(invoice), &subject(invoice))?;
    flow.table(particulars(invoice))?;
    flow.heading("", "Lines")?;
    flow.table(lines(invoice))?;
    let note = flow.draft.structure.add(Role::Paragraph, None);
    flow.gap(2 * POINT);
    flow.text(standing(invoice), BODY, 0, note)?;
    let mut draft = flow.draft;
    let identity = format!("{}  ·  {}", invoice.number, inline(&invoice.issuer_name));
    footers(&mut draft, &identity)?;
    Ok(draft)
}

/// A negative total makes it a credit note.
fn title(invoice: &Invoice) -> &'static str {
    if invoice.total_cents.get() < 0 { "Credit note" } else { "Invoice" }
}

fn subject(invoice: &Invoice) -> String {
    let what = match invoice.kind {
        InvoiceKind::PlatformFees => "Platform fees",
        InvoiceKind::Subscription => "Subscription",
    };
    if let Some([from, until]) = days(&invoice.period) {
        return format!("{what}, {} to {}", day(from), day(until));
    }
    let first = format!("{}-01", invoice.period);
    let month = first
        .parse::<NaiveDate>()
        .map_or_else(|_| invoice.period.clone(), |first| first.format("%B %Y").to_string());
    format!("{what}, {month}")
}

/// The two days of a period such as `2026-11-20/2026-12-20`.
fn days(period: &str) -> Option<[NaiveDate; 2]> {
    let (from, until) = period.split_once('/')?;
    Some([from.parse().ok()?, until.parse().ok()?])
}

fn standing(invoice: &Invoice) -> &'static str {
    match (invoice.status, invoice.kind) {
        (InvoiceStatus::Paid, InvoiceKind::Subscription) if invoice.total_cents.get() < 0 => {
            "The total was returned to the card that was charged."
        }
        (InvoiceStatus::Paid, InvoiceKind::PlatformFees) => {
            "The fees were collected together with the payments named above. Nothing is left to pay."
        }
        (InvoiceStatus::Paid, InvoiceKind::Subscription) => {
            "The total was charged to the saved card. Nothing is left to pay."
        }
        (InvoiceStatus::Open, _) => "The total is due.",
        (InvoiceStatus::Void, _) => "This invoice was cancelled. No payment is due.",
        (InvoiceStatus::Uncollectible, _) => "The total was not paid.",
    }
}

fn particulars(invoice: &Invoice) -> Table<'static> {
    const COLUMNS: [Column; 2] = [Column::left("", 120), Column::left("", 0)];
    let with = |name: &str, contact: &str| {
        let mut cell = cell(inline(name), CELL);
        if !contact.is_empty() {
            cell.push((inline(contact), CELL));
        }
        cell
    };
    let row = |name: &str, what: Cell| vec![cell(name, STRONG_CELL), what];
    Table {
        columns: &COLUMNS,
        headed: false,
        rows: vec![
            row("From", with(&invoice.issuer_name, &invoice.issuer_contact)),
            row("To", with(&invoice.customer_name, &invoice.customer_contact)),
            row("Issued", cell(day(utc_day(invoice.issued_at)), CELL)),
            row("Status", cell(label(invoice.status.as_str()), CELL)),
        ],
    }
}

fn lines(invoice: &Invoice) -> Table<'static> {
    const COLUMNS: [Column; 3] =
        [Column::left("Date", 80), Column::left("Description", 0), Column::right("Amount", 90)];
    let currency = invoice.currency.to_uppercase();
    let row = |line: &InvoiceLine| {
        vec![
            cell(short_day(utc_day(line.at)), CELL),
            cell(inline(&line.description), CELL),
            cell(money(&currency, line.amount_cents.get()), CELL),
        ]
    };
    let mut rows: Vec<Vec<Cell>> = invoice.lines.iter().map(row).collect();
    rows.push(vec![
        cell("Total", STRONG_CELL),
        cell("", STRONG_CELL),
        cell(money(&currency, invoice.total_cents.get()), STRONG_CELL),
    ]);
    Table { columns: &COLUMNS, headed: true, rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Cents, InvoiceId, PaymentId};

    fn invoice(count: i64) -> Invoice {
        let line = |number| InvoiceLine {
            description: format!(
                "Fee on payment PAY-2026-{number:06}: Winter trail campaign, Zoë O"
            ),
            at: "2026-11-20T12:00:00Z".parse().unwrap(),
            payment_id: PaymentId::new(number),
            refund_id: None,
            amount_cents: Cents(12_345),
        };
        let at = "2026-12-01T01:00:00Z".parse().unwrap();
        Invoice {
            id: InvoiceId::new(1).unwrap(),
            number: "INV-2026-000001".into(),
            owner: "partner:7".into(),
            kind: InvoiceKind::PlatformFees,
            period: "2026-11".into(),
            status: InvoiceStatus::Paid,
            lines: (1..=count).map(line).collect(),
            total_cents: Cents(12_345 * count),
            currency: "usd".into(),
            issuer_name: "nil".into(),
            issuer_contact: "support@example.com".into(),
            customer_name: "Ridge\nOutfitters".into(),
            customer_contact: String::new(),
            pdf_url: String::new(),
            issued_at: at,
            paid_at: Some(at),
            created_at: at,
            updated_at: at,
        }
    }

    fn own() -> Fonts {
        Fonts::default()
    }

    #[test]
    fn the_same_invoice_is_the_same_file() {
        assert_eq!(pdf(&own(), &invoice(3)).unwrap(), pdf(&own(), &invoice(3)).unwrap());
        assert_ne!(pdf(&own(), &invoice(3)).unwrap(), pdf(&own(), &invoice(4)).unwrap());
    }

    #[test]
    fn many_lines_take_several_pages() {
        let draft = layout(&own(), &invoice(200)).unwrap();
        assert!(draft.pages.len() > 3, "{}", draft.pages.len());
        assert_eq!(layout(&own(), &invoice(1)).unwrap().pages.len(), 1);
    }

    #[test]
    fn less_than_nothing_is_a_credit() {
        let mut credit = invoice(1);
        credit.total_cents = Cents(-1);
        assert_eq!(title(&credit), "Credit note");
        assert_eq!(subject(&credit), "Platform fees, November 2026");
        credit.kind = InvoiceKind::Subscription;
        credit.period = "2027-01-31/2027-02-28".into();
        let words = "Subscription, January 31, 2027 to February 28, 2027";
        assert_eq!(subject(&credit), words);
        assert!(standing(&credit).contains("returned to the card"));
        credit.kind = InvoiceKind::PlatformFees;
        credit.period = "soon".into();
        assert_eq!(subject(&credit), "Platform fees, soon");
    }
}
