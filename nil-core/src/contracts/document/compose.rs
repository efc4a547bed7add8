//! The contents of the document, from the title to the footer.

use super::{Assent, DocumentError, Paper, schedule};
use crate::contracts::clause::Clause;
use crate::contracts::terms::Terms;
use crate::document::flow::{Draft, Flow};
use crate::document::fonts::Fonts;
use crate::document::footer::footers;
use crate::document::structure::Role;
use crate::document::style::{BODY, POINT};
use crate::wording::inline;

/// The layout of a contract.
pub(super) fn contract(
    fonts: &Fonts,
    terms: &Terms,
    assents: &[Assent],
    (hash, paper): (&str, Paper),
) -> Result<Draft, DocumentError> {
    let mut flow = Flow::new(paper, fonts);
    whole(&mut flow, terms, assents, hash)?;
    let mut draft = flow.draft;
    let identity = format!("{}  ·  SHA-256 {hash}", inline(&terms.number));
    footers(&mut draft, &identity)?;
    Ok(draft)
}

/// All of a contract, from its title to the acts of assent.
pub(super) fn whole(
    flow: &mut Flow,
    terms: &Terms,
    assents: &[Assent],
    hash: &str,
) -> Result<(), DocumentError> {
    title(flow, terms)?;
    flow.heading("", "Parties")?;
    flow.table(schedule::parties(terms))?;
    flow.heading("", "Engagement")?;
    flow.table(schedule::engagement(terms))?;
    description(flow, terms)?;
    clauses(flow, terms)?;
    assent(flow, terms, assents, hash)
}

fn title(flow: &mut Flow, terms: &Terms) -> Result<(), DocumentError> {
    let number = format!("Contract {}", terms.number);
    flow.head(&number, "Name, Image and Likeness Agreement", &inline(&terms.job.title))
}

/// The brand's own description, set apart so that it is not read as a clause.
fn description(flow: &mut Flow, terms: &Terms) -> Result<(), DocumentError> {
    if terms.job.description.trim().is_empty() {
        return Ok(());
    }
    let intro = flow.draft.structure.add(Role::Paragraph, None);
    flow.gap(2 * POINT);
    flow.need(4 * BODY.leading);
    flow.text("The Brand described the engagement in these words:", BODY, 0, intro)?;
    for paragraph in terms.job.description.lines() {
        if paragraph.trim().is_empty() {
            continue;
        }
        let part = flow.draft.structure.add(Role::Paragraph, None);
        flow.gap(3 * POINT);
        flow.text(paragraph, BODY, 18 * POINT, part)?;
    }
    flow.top += 4 * POINT;
    let close = flow.draft.structure.add(Role::Paragraph, None);
    let words = "The description explains the Deliverables. Where it says something else than the \
                 clauses and schedules below, these prevail.";
    flow.text(words, BODY, 0, close)
}

fn clauses(flow: &mut Flow, terms: &Terms) -> Result<(), DocumentError> {
    let applicable = Clause::ALL.into_iter().filter(|clause| clause.applies(terms));
    for (clause, number) in applicable.zip(1..) {
        flow.heading(&format!("{number}."), clause.title())?;
        for (text, part) in clause.text(terms).lines().zip(1..) {
            flow.numbered(&format!("{number}.{part}"), text)?;
        }
        match clause {
            Clause::Deliverables => flow.table(schedule::deliverables(terms))?,
            Clause::Compensation => flow.table(schedule::compensation(terms))?,
            _ => {}
        }
    }
    Ok(())
}

fn assent(
    flow: &mut Flow,
    terms: &Terms,
    assents: &[Assent],
    hash: &str,
) -> Result<(), DocumentError> {
    flow.gap(6 * POINT);
    // The statement and the signatures belong on one page.
    let rows = i32::try_from(assents.len().clamp(2, 6)).unwrap_or(6);
    flow.need((96 + 20 * rows) * POINT);
    flow.heading("", "Assent")?;
    let words = format!(
        "Each of the following acts of assent was recorded electronically and refers to the terms \
         of contract {} whose SHA-256 digest is {hash}.",
        inline(&terms.number)
    );
    let part = flow.draft.structure.add(Role::Paragraph, None);
    flow.text(&words, BODY, 0, part)?;
    flow.table(schedule::assents(terms, assents))
}
