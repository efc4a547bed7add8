//! A PDF summary of a disclosed deal. The same disclosure gives the same file, byte for byte.

use chrono_tz::Tz;

use super::disclosed_job::DisclosedJob;
use super::store::person::Person;
use crate::document::flow::{Draft, Flow};
use crate::document::fonts::Fonts;
use crate::document::footer::footers;
use crate::document::pen::{self, Properties};
use crate::document::structure::Role;
use crate::document::style::{BODY, CELL, POINT, STRONG_CELL};
use crate::document::table::{Cell, Column, Table};
use crate::document::{DocumentError, Paper};
use crate::kernel::{Cents, day_in};
use crate::wording::{day, inline, label, listing, money, optional_day, words};

const HEADING: &str = "Summary of a disclosed deal";
/// Printed on the document itself, so that it is not taken for the contract.
const NATURE: &str = "The athlete has disclosed this deal without submitting a document. This summary \
    repeats the disclosure. It is not the contract.";

/// Typesets the summary as a PDF.
pub(super) fn pdf(
    fonts: &Fonts,
    job: &DisclosedJob,
    person: &Person,
) -> Result<Vec<u8>, DocumentError> {
    let about = Properties {
        title: format!("{HEADING} {}", job.id),
        description: inline(&job.title),
        authors: vec![inline(&person.display_name)],
        date: job.signed_on,
        identity: format!("disclosed job {} {}", job.id, job.updated_at),
    };
    pen::write(layout(fonts, job, person)?, about)
}

fn layout(fonts: &Fonts, job: &DisclosedJob, person: &Person) -> Result<Draft, DocumentError> {
    let mut flow = begun(fonts, &format!("Disclosed job {}", job.id), HEADING, &job.title)?;
    paragraph(&mut flow, NATURE)?;
    flow.heading("", "Parties")?;
    flow.table(table(parties(job, person)))?;
    flow.heading("", "Terms")?;
    flow.table(table(terms(job)))?;
    flow.heading("", "Description of the work")?;
    paragraph(&mut flow, &inline(&job.description))?;
    flow.heading("", "Disclosure")?;
    flow.table(table(disclosure(job, person.zone())))?;
    let mut draft = flow.draft;
    let identity = format!("Disclosed job {}  ·  {}", job.id, inline(&person.display_name));
    footers(&mut draft, &identity)?;
    Ok(draft)
}

/// The first page of a document, with its number, its title and the title of the deal.
pub(super) fn begun(
    fonts: &Fonts,
    number: &str,
    heading: &str,
    deal: &str,
) -> Result<Flow, DocumentError> {
    let mut flow = Flow::new(Paper::Letter, fonts);
    flow.head(number, heading, &inline(deal))?;
    flow.top += 4 * POINT;
    Ok(flow)
}

/// A paragraph.
pub(super) fn paragraph(flow: &mut Flow, text: &str) -> Result<(), DocumentError> {
    let part = flow.draft.structure.add(Role::Paragraph, None);
    flow.text(text, BODY, 0, part)
}

/// A fact of a document: what it is called, and what it is.
pub(super) type Row = (&'static str, String);

/// A table of facts.
pub(super) fn table(rows: Vec<Row>) -> Table<'static> {
    const COLUMNS: [Column; 2] = [Column::left("", 150), Column::left("", 0)];
    let cells = |(name, what): Row| -> Vec<Cell> {
        vec![vec![(name.to_owned(), STRONG_CELL)], vec![(what, CELL)]]
    };
    Table { columns: &COLUMNS, headed: false, rows: rows.into_iter().map(cells).collect() }
}

fn parties(job: &DisclosedJob, person: &Person) -> Vec<Row> {
    let legal = person.legal_name();
    let athlete = if legal.is_empty() { &person.display_name } else { &legal };
    let payer = format!("{} ({})", inline(&job.payer_name), words(job.payer_kind.as_str()));
    let owner = job.payer_parent.as_deref().map_or("—".into(), inline);
    let school = person.college_name.as_deref().map_or("—".into(), inline);
    vec![
        ("Athlete", inline(athlete)),
        ("Institution", school),
        ("Payer", payer),
        ("Owned by", owner),
    ]
}

fn terms(job: &DisclosedJob) -> Vec<Row> {
    vec![
        ("Signed", day(job.signed_on)),
        ("First day", optional_day(job.starts_on)),
        ("Last day", optional_day(job.ends_on)),
        ("Compensation", label(job.compensation.as_str())),
        ("Total value", dollars(job.amount_cents)),
        ("Included goods or services", dollars(job.benefits_cents)),
        ("Included contingent pay", dollars(job.contingent_cents)),
        ("Payer associated with the institution", yes(job.associated_entity)),
        ("Institution's marks or facilities", yes(job.uses_marks)),
    ]
}

/// An amount in words.
pub(super) fn dollars(cents: Cents) -> String {
    money("USD", cents.get())
}

/// An answer in words.
pub(super) fn yes(yes: bool) -> String {
    if yes { "Yes" } else { "No" }.to_owned()
}

fn disclosure(job: &DisclosedJob, zone: Tz) -> Vec<Row> {
    let attested = job.attestations.iter().map(|one| words(one.as_str()));
    let attested = listing(attested);
    let handed_in = job.first_submitted_at;
    let handed_in = handed_in.map(|at| day_in(at, zone));
    vec![
        ("Submitted", optional_day(handed_in)),
        ("Status", label(job.status.as_str())),
        ("Attested", attested),
    ]
}
