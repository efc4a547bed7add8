//! Renders the evidence against a dispute as a PDF. Banks read it on paper: it is short, and says
//! first who agreed to what.

use chrono_tz::Tz;

use super::evidence::{Case, Collected};
use crate::document::flow::{Draft, Flow};
use crate::document::fonts::Fonts;
use crate::document::footer::footers;
use crate::document::pen::{self, Properties};
use crate::document::structure::Role;
use crate::document::style::{BODY, CELL, POINT};
use crate::document::table::{Cell, Column, Table, cell};
use crate::document::{DocumentError, Paper};
use crate::kernel::{Time, utc_day};
use crate::wording::{excerpt, inline, label, moment, money};

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

/// Renders the evidence as a PDF.
pub(super) fn pdf(fonts: &Fonts, found: &Collected) -> Result<Vec<u8>, DocumentError> {
    let dispute = &found.dispute;
    let about = Properties {
        title: format!("Evidence on dispute {}", dispute.processor_dispute_id),
        description: subject(found),
        authors: Vec::new(),
        date: utc_day(dispute.opened_at),
        identity: format!("{} {}", dispute.processor_dispute_id, dispute.updated_at),
    };
    pen::write(layout(fonts, found)?, about)
}

fn layout(fonts: &Fonts, found: &Collected) -> Result<Draft, DocumentError> {
    let dispute = &found.dispute;
    let mut flow = Flow::new(Paper::Letter, fonts);
    flow.head(&dispute.processor_dispute_id, "Evidence", &subject(found))?;
    flow.table(facts(vec![
        ("Cardholder", dispute.payer_name.clone()),
        ("Disputed", money("usd", dispute.amount_cents.get())),
        ("Reason given", label(&dispute.reason)),
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
    let rows = case.written.iter().map(|message| {
        let by = if message.by_payer { "Brand" } else { "Athlete" };
        row([when(Some(message.at)), by.to_owned(), excerpt(&message.text)])
    });
    headed(flow, &WRITTEN, rows.collect())
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
