//! The contract as a PDF: an archivable, accessible and repeatable document.
//!
//! `compose` and `schedule` provide the contents; [`crate::document`] typesets them. The date is
//! the day of signing and the identity is the terms' hash.

mod amended;
mod compose;
mod schedule;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::amendment::Amendment;
use super::terms::Terms;
pub use super::terms::sha256;
use crate::document::flow::Flow;
use crate::document::fonts::Fonts;
use crate::document::pen::{self, Properties};
pub use crate::document::{DocumentError, Paper};
use crate::kernel::day_in;

/// The side of an assent.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The brand: its assent is the hire.
    Brand,
    /// The athlete: the assent is confirming availability.
    Athlete,
    /// The guardian of an athlete under age.
    Guardian,
}

/// One recorded act of assent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assent {
    /// The side.
    pub side: Side,
    /// The name of the person who acted.
    pub name: String,
    /// The time.
    pub at: DateTime<Utc>,
    /// The network address of the call.
    pub address: String,
}

/// Sets the contract as a PDF.
///
/// Incomplete terms are printed as they are: call [`missing`](super::clause::missing) before a
/// contract is created, not when one is printed. This takes a few milliseconds of computation and
/// belongs outside any transaction.
///
/// # Errors
///
/// What no font has is not printed as something else: the error names it and the section. Text of
/// any length is laid out.
pub(crate) fn pdf(
    fonts: &Fonts,
    terms: &Terms,
    assents: &[Assent],
    paper: Paper,
) -> Result<Vec<u8>, DocumentError> {
    let hash = sha256(terms);
    let draft = compose::contract(fonts, terms, assents, (&hash, paper))?;
    let title = format!("Name, Image and Likeness Agreement {}", terms.number);
    let description = format!("SHA-256 of the terms: {hash}");
    pen::write(draft, about(terms, title, description, terms.dates.signed_on, hash))
}

/// Whether every letter of the terms can be printed; the error names the first section with one
/// that cannot.
pub(crate) fn check(fonts: &Fonts, terms: &Terms) -> Result<(), DocumentError> {
    // Nearly all terms pass here; only the others are laid out to find the section.
    let written = serde_json::to_value(terms).map_err(|e| DocumentError::Refused(e.to_string()))?;
    if texts(&written).all(|text| fonts.lacking(text).is_empty()) {
        return Ok(());
    }
    compose::contract(fonts, terms, &[], ("", Paper::Letter)).map(|_| ())
}

/// All texts of a value.
fn texts(value: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match value {
        Value::String(text) => Box::new(std::iter::once(text.as_str())),
        Value::Array(items) => Box::new(items.iter().flat_map(texts)),
        Value::Object(fields) => Box::new(fields.values().flat_map(texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Box::new(std::iter::empty()),
    }
}

/// An amendment with its assents.
#[derive(Debug, Clone)]
pub struct SignedAmendment {
    /// The amendment.
    pub amendment: Amendment,
    /// Its assents.
    pub assents: Vec<Assent>,
}

/// Sets a contract and its amendments within another document, on pages of their own. The hash that
/// is printed is that of the terms that are printed.
///
/// # Errors
///
/// As [`pdf`].
pub(crate) fn append(
    flow: &mut Flow,
    terms: &Terms,
    assents: &[Assent],
    amendments: &[SignedAmendment],
) -> Result<(), DocumentError> {
    let hash = sha256(terms);
    flow.turn();
    flow.entry(&format!("Contract {}", terms.number));
    compose::whole(flow, terms, assents, &hash)?;
    if amendments.is_empty() {
        return Ok(());
    }
    flow.turn();
    flow.entry(&format!("Amendments to contract {}", terms.number));
    amended::whole(flow, terms, amendments, &hash)
}

/// Typesets a contract's amendments, in order, as a separate PDF.
///
/// # Errors
///
/// As [`pdf`].
pub(crate) fn amendments(
    fonts: &Fonts,
    terms: &Terms,
    amendments: &[SignedAmendment],
    paper: Paper,
) -> Result<Vec<u8>, DocumentError> {
    let signed = sha256(terms);
    let last = amendments.last().map(|last| &last.amendment);
    let hash = last.map_or_else(|| signed.clone(), |last| last.document_sha256.clone());
    let draft = amended::amendments(fonts, terms, amendments, (&signed, &hash), paper)?;
    let title = format!("Amendments to Agreement {}", terms.number);
    let description = format!("SHA-256 of the latest amendment: {hash}");
    let day = last.map_or(terms.dates.signed_on, |last| day_in(last.at, terms.dates.zone()));
    pen::write(draft, about(terms, title, description, day, hash))
}

/// The metadata of the file; its identity is the hash.
fn about(
    terms: &Terms,
    title: String,
    description: String,
    date: NaiveDate,
    hash: String,
) -> Properties {
    Properties {
        title,
        description,
        authors: vec![terms.brand.company.clone(), terms.athlete.legal_name.clone()],
        date,
        identity: hash,
    }
}

#[cfg(test)]
mod tests;
