//! The contract as a PDF: an archivable (PDF/A-2a), accessible (PDF/UA-1) and repeatable document.
//!
//! The way of a contract through these modules: `compose` says what stands in it, `flow` and
//! `table` break it into lines and pages, `pen` draws the pages. Equal input gives equal bytes:
//! lengths are whole numbers, the date is the day of signing and the identity is the terms' hash.

mod amended;
mod compose;
mod flow;
mod line;
mod pen;
mod schedule;
mod structure;
mod style;
mod table;
mod typeface;

use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amendment::Amendment;
use super::terms::Terms;
pub use super::terms::sha256;

/// The size of the sheets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 inches, as the field's offices use it.
    #[default]
    Letter,
}

/// On whose behalf somebody assented.
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
    /// On whose behalf.
    pub side: Side,
    /// The name of the person who acted.
    pub name: String,
    /// When.
    pub at: DateTime<Utc>,
    /// The network address from which the act came.
    pub address: String,
}

/// Why there is no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentError {
    /// An embedded typeface cannot be read: the build is broken.
    Typeface,
    /// The PDF writer refused the document, for this reason.
    Refused(String),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Typeface => f.write_str("an embedded typeface cannot be read"),
            Self::Refused(reason) => write!(f, "the PDF writer refused the contract: {reason}"),
        }
    }
}

impl std::error::Error for DocumentError {}

/// Sets the contract as a PDF.
///
/// Incomplete terms are set as they are: ask [`missing`](super::clause::missing) before a contract
/// is made, not when one is printed. The work is a few milliseconds of computation, so it belongs
/// outside any transaction.
///
/// # Errors
///
/// Neither error depends on what the parties wrote: characters that the typeface lacks are
/// replaced visibly, and text of any length finds its pages.
pub fn pdf(terms: &Terms, assents: &[Assent], paper: Paper) -> Result<Vec<u8>, DocumentError> {
    let hash = sha256(terms);
    let draft = compose::contract(terms, assents, &hash, paper)?;
    let about = About {
        title: "Name, Image and Likeness Agreement",
        covers: "terms",
        day: terms.dates.signed_on,
        hash,
    };
    pen::write(draft, terms, about)
}

/// An amendment with those who agreed to it.
#[derive(Debug, Clone)]
pub struct SignedAmendment {
    /// The amendment.
    pub amendment: Amendment,
    /// Who agreed.
    pub assents: Vec<Assent>,
}

/// Sets a contract's amendments, in their order, as a PDF of their own.
///
/// # Errors
///
/// As [`pdf`].
pub fn amendments(
    terms: &Terms,
    amendments: &[SignedAmendment],
    paper: Paper,
) -> Result<Vec<u8>, DocumentError> {
    let signed = sha256(terms);
    let last = amendments.last().map(|last| &last.amendment);
    let hash = last.map_or_else(|| signed.clone(), |last| last.document_sha256.clone());
    let draft = amended::amendments(terms, amendments, &signed, &hash, paper)?;
    let about = About {
        title: "Amendments to Agreement",
        covers: "latest amendment",
        day: last.map_or(terms.dates.signed_on, |last| last.at.date_naive()),
        hash,
    };
    pen::write(draft, terms, about)
}

/// What a file says of itself.
struct About {
    /// What it is; the contract's number follows.
    title: &'static str,
    /// What the hash is taken of.
    covers: &'static str,
    /// The hash, which also is the file's identity.
    hash: String,
    /// The day it came about.
    day: NaiveDate,
}

#[cfg(test)]
mod tests;
