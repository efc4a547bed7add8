//! Renders the evidence against a dispute as a PDF. Banks read it on paper: it says first who
//! agreed to what, and has the contracts at its end.

use std::fmt::Write as _;

use chrono_tz::Tz;

use super::evidence::{Case, Collected};
use super::evidence_contracts as contracts;
use crate::document::flow::{Draft, Flow};
use crate::document::fonts::Fonts;
use crate::document::footer::footers;
use crate::document::pen::{self, Properties};
use crate::document::structure::Role;
use crate::document::style::{BODY, CELL, POINT};
use crate::document::table::{Cell, Column, Table, cell};
use crate::document::{DocumentError, Paper};
use crate::kernel::{Time, utc_day};
use crate::payments::store::evidence::{MESSAGES, PAYMENTS};
use crate::wording::{dispute_reason, excerpt, inline, label, moment, money};

/// The most bytes of the file: the processor takes up to 5 MB, and less of all evidence together.
const LARGEST: usize = 4_500_000;

/// The columns of assents.
const AGREED: [Column; 4] = [
    Column::left("Agreed by", 110),
    Column::left("On", 110),
    Column::left("From address", 90),
    Column::left("SHA-256 of the document", 0),
];

/// The columns of work.
const DELIVERED: [Column; 4] = [
    Column::left("Work", 120),
    Column::left("Submitted", 100),
    Column::left("Approved", 100),
    Column::left("Published at", 0),
];

/// The columns of messages.
const WRITTEN: [Column; 3] =
    [Column::left("Written on", 110), Column::left("By", 60), Column::left("Message", 0)];

/// Renders the evidence as a PDF, with as many contracts as there is room for.
pub(super) fn pdf(fonts: &Fonts, found: &Collected) -> Result<Vec<u8>, DocumentError> {
    within(fonts, found, LARGEST)
}

fn within(fonts: &Fonts, found: &Collected, largest: usize) -> Result<Vec<u8>, DocumentError> {
    let all = contracts::printable(fonts, &found.agreements);
    let whole = with(fonts, found, all)?;
    if whole.len() <= largest {
        return Ok(whole);
    }
    // Between what fits for certain and what does not, the middle is tried.
    let (mut least, mut most, mut fits) = (0, all, with(fonts, found, 0)?);
    while most - least > 1 {
        let middle = least.midpoint(most);
        let tried = with(fonts, found, middle)?;
        if tried.len() <= largest {
            (least, fits) = (middle, tried);
        } else {
            most = middle;
        }
    }
    Ok(fits)
}

/// The file with this many contracts.
fn with(fonts: &Fonts, found: &Collected, count: usize) -> Result<Vec<u8>, DocumentError> {
    let dispute = &found.dispute;
    let about = Properties {
        title: format!("Evidence on dispute {}", dispute.processor_dispute_id),
        description: subject(found),
        authors: Vec::new(),
        date: utc_day(dispute.opened_at),
        identity: format!("{} {}", dispute.processor_dispute_id, dispute.updated_at),
    };
    pen::write(layout(fonts, found, count)?, about)
}

fn layout(fonts: &Fonts, found: &Collected, count: usize) -> Result<Draft, DocumentError> {
    let dispute = &found.dispute;
    let mut flow = Flow::new(Paper::Letter, fonts);
    flow.head(&dispute.processor_dispute_id, "Evidence", &subject(found))?;
    flow.table(facts(vec![
        ("Cardholder", dispute.payer_name.clone()),
        ("Disputed", money("usd", dispute.amount_cents.get())),
        ("Reason given", dispute_reason(&dispute.reason).to_owned()),
        ("Opened", when(Some(dispute.opened_at))),
    ]))?;
    if let Some(statement) = &dispute.statement {
        flow.heading("", "Statement")?;
        text(&mut flow, statement)?;
    }
    if let Some(period) = &found.period {
        flow.heading("", "Subscription")?;
        flow.table(facts(vec![
            ("Plan", period.plan_name.clone()),
            ("Charged", money("usd", period.total_cents.get())),
            ("Charged on", when(Some(period.paid_at))),
            ("From", when(Some(period.starts_at))),
            ("Until", when(Some(period.ends_at))),
        ]))?;
    }
    for case in &found.cases {
        describe(&mut flow, case)?;
    }
    if dispute.payments > PAYMENTS {
        let words = format!(
            "The charge was for {} payments. The first {PAYMENTS} are described here.",
            dispute.payments
        );
        text(&mut flow, &words)?;
    }
    contracts::append(&mut flow, fonts, &found.agreements, count)?;
    let mut draft = flow.draft;
    footers(&mut draft, &dispute.processor_dispute_id)?;
    Ok(draft)
}

fn subject(found: &Collected) -> String {
    match found.cases.len() {
        0 => "Subscription".into(),
        1 => "One payment".into(),
        count => format!("{count} payments"),
    }
}

fn describe(flow: &mut Flow, case: &Case) -> Result<(), DocumentError> {
    let deal = &case.deal;
    flow.heading("", &format!("{}: {}", deal.payment_number, inline(&deal.job_title)))?;
    flow.table(facts(vec![
        ("Contract", deal.contract_number.clone()),
        ("Brand", deal.company_name.clone()),
        ("Athlete", deal.athlete_name.clone()),
        ("Disputed of it", money("usd", (deal.amount_cents + deal.fee_cents).get())),
        ("Charged on", when(deal.paid_at)),
    ]))?;
    let rows = case.agreed.iter().map(|agreed| {
        let name = format!("{} ({})", inline(&agreed.name), label(&agreed.side));
        let address = agreed.address.clone().unwrap_or_default();
        row([name, when(Some(agreed.at)), address, agreed.document_sha256.clone()])
    });
    headed(flow, &AGREED, rows.collect())?;
    let rows = case.delivered.iter().map(|work| {
        let approved = work.reviewed_at.filter(|_| work.status == "approved");
        let links = work.post_urls.as_array().into_iter().flatten();
        let links: Vec<&str> = links.filter_map(serde_json::Value::as_str).collect();
        row([inline(&work.title), when(work.submitted_at), when(approved), links.join(" ")])
    });
    headed(flow, &DELIVERED, rows.collect())?;
    let fonts = flow.draft.fonts.clone();
    let rows = case.written.iter().map(|message| {
        let by = if message.by_payer { "Brand" } else { "Athlete" };
        row([when(Some(message.at)), by.to_owned(), legible(&fonts, &excerpt(&message.text))])
    });
    headed(flow, &WRITTEN, rows.collect())?;
    if i64::try_from(case.written.len()).is_ok_and(|count| count == MESSAGES) {
        let words = format!("These are the latest {MESSAGES} messages. Earlier ones are left out.");
        text(flow, &words)?;
    }
    Ok(())
}

/// Text that people wrote to each other, with the code points of letters that no font has: nobody
/// can write it anew, and it must not keep the evidence from being made.
fn legible(fonts: &Fonts, text: &str) -> String {
    let lacking = fonts.lacking(text);
    let mut legible = String::new();
    for letter in text.chars() {
        if lacking.contains(letter) {
            let _ = write!(legible, "[U+{:04X}]", u32::from(letter));
        } else {
            legible.push(letter);
        }
    }
    legible
}

fn headed(flow: &mut Flow, columns: &[Column], rows: Vec<Vec<Cell>>) -> Result<(), DocumentError> {
    if rows.is_empty() {
        return Ok(());
    }
    flow.gap(4 * POINT);
    flow.table(Table { columns, headed: true, rows })
}

fn text(flow: &mut Flow, words: &str) -> Result<(), DocumentError> {
    let paragraph = flow.draft.structure.add(Role::Paragraph, None);
    flow.gap(2 * POINT);
    flow.text(&inline(words), BODY, 0, paragraph)
}

fn facts(rows: Vec<(&'static str, String)>) -> Table<'static> {
    const COLUMNS: [Column; 2] = [Column::left("", 120), Column::left("", 0)];
    Table::facts(&COLUMNS, rows.into_iter().map(|(name, what)| (name, inline(&what))).collect())
}

fn row<const N: usize>(cells: [String; N]) -> Vec<Cell> {
    cells.into_iter().map(|text| cell(text, CELL)).collect()
}

/// An instant in UTC: banks compare it with their own records.
fn when(at: Option<Time>) -> String {
    at.map_or_else(String::new, |at| moment(at, Tz::UTC))
}

#[cfg(test)]
#[path = "evidence_document_tests.rs"]
mod tests;
