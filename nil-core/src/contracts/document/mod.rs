//! The contract as a PDF: an archivable, accessible and repeatable document.
//!
//! `compose` and `schedule` say what stands in it; [`crate::document`] sets it. The date is the day of
//! signing and the identity is the terms' hash.

mod amended;
mod compose;
mod schedule;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amendment::Amendment;
use super::terms::Terms;
pub use super::terms::sha256;
use crate::document::pen::{self, Properties};
pub use crate::document::{DocumentError, Paper};

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
    let title = format!("Name, Image and Likeness Agreement {}", terms.number);
    let description = format!("SHA-256 of the terms: {hash}");
    pen::write(draft, about(terms, title, description, terms.dates.signed_on, hash))
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
    let title = format!("Amendments to Agreement {}", terms.number);
    let description = format!("SHA-256 of the latest amendment: {hash}");
    let day = last.map_or(terms.dates.signed_on, |last| last.at.date_naive());
    pen::write(draft, about(terms, title, description, day, hash))
}

/// What a file says of itself; the hash also is its identity.
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
