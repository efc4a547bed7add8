//! The contracts at the end of the evidence against a dispute: each whole, as it was agreed to, or
//! a sentence that says why it is not there.

use crate::contracts::agreement::Agreement;
use crate::document::DocumentError;
use crate::document::flow::Flow;
use crate::document::fonts::Fonts;
use crate::document::structure::Role;
use crate::document::style::{BODY, CELL, POINT};
use crate::document::table::{Column, Table, cell};
use crate::wording::inline;

/// The columns of the list of contracts.
const CONTRACTS: [Column; 3] = [
    Column::left("Contract", 110),
    Column::left("Its text", 150),
    Column::left("SHA-256 of its terms", 0),
];

/// What comes of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Appended,
    /// The file would be too large.
    TooLarge,
    /// A letter of it is in no font.
    Unprintable,
    /// The terms on record are not those that were agreed to.
    Changed,
}

impl Place {
    const fn words(self) -> &'static str {
        match self {
            Self::Appended => "follows on pages of its own",
            Self::TooLarge => "left out: the file would be larger than the processor takes",
            Self::Unprintable => "left out: no font has some of its letters",
            Self::Changed => "left out: the text on record does not have this digest",
        }
    }
}

/// How many contracts could be appended, if the file may be of any size.
pub(super) fn printable(fonts: &Fonts, agreements: &[Agreement]) -> usize {
    agreements.iter().filter(|one| place(fonts, one) == Place::Appended).count()
}

fn place(fonts: &Fonts, agreement: &Agreement) -> Place {
    if !agreement.is_unchanged() {
        let number = &agreement.terms.number;
        tracing::error!(number, "the terms of a contract are not those that were agreed to");
        Place::Changed
    } else if agreement.check(fonts).is_err() {
        Place::Unprintable
    } else {
        Place::Appended
    }
}

/// Lists the contracts, then prints the first of them that can be printed, up to `most`.
pub(super) fn append(
    flow: &mut Flow,
    fonts: &Fonts,
    agreements: &[Agreement],
    most: usize,
) -> Result<(), DocumentError> {
    if agreements.is_empty() {
        return Ok(());
    }
    let mut room = most;
    let places: Vec<Place> = agreements
        .iter()
        .map(|agreement| match place(fonts, agreement) {
            Place::Appended if room == 0 => Place::TooLarge,
            Place::Appended => {
                room -= 1;
                Place::Appended
            }
            other => other,
        })
        .collect();
    // The list begins on the page of its heading.
    flow.need(120 * POINT);
    flow.heading("", "Contracts")?;
    let part = flow.draft.structure.add(Role::Paragraph, None);
    let words = "The digest of a contract was recorded with each act of assent. It is the SHA-256 \
                 of the terms, which cannot be changed after that.";
    flow.text(words, BODY, 0, part)?;
    flow.gap(4 * POINT);
    let rows = agreements.iter().zip(&places).map(|(agreement, place)| {
        let number = inline(&agreement.terms.number);
        let cells = [number, place.words().to_owned(), agreement.agreed_sha256.clone()];
        cells.into_iter().map(|text| cell(text, CELL)).collect()
    });
    flow.table(Table { columns: &CONTRACTS, headed: true, rows: rows.collect() })?;
    for (agreement, place) in agreements.iter().zip(places) {
        if place == Place::Appended {
            agreement.append(flow)?;
        }
    }
    Ok(())
}
