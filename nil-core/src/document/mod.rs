//! Typesets a document as a PDF: archivable (PDF/A-2a), accessible (PDF/UA-1) and repeatable.
//!
//! Callers (contracts, invoices) describe the content. `flow` and `table` break it into lines and
//! pages, with `line`, `shape` and `style`; `footer` numbers the pages, and `pen` draws them,
//! tagged with the tree of `structure`. Equal input gives equal bytes: lengths are whole numbers,
//! and date and identity are parameters.

#![expect(missing_docs, reason = "only the packages of this library use it")]

pub mod flow;
pub mod fonts;
pub mod footer;
mod installed;
mod letters;
mod line;
mod packed;
pub mod pen;
mod shape;
pub mod structure;
pub mod style;
pub mod table;
mod typeface;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, codes};
use crate::wording::listing;

/// The paper size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 inches, the usual size in the United States.
    #[default]
    Letter,
}

/// Why a document could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentError {
    /// No font has these letters of a section, which is named by its title.
    Lacking {
        /// The letters, each once.
        letters: String,
        /// The title of the section.
        section: String,
    },
    /// The PDF writer refused the document, for this reason.
    Refused(String),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lacking { letters, section } => {
                write!(f, "no font has {} (in “{section}”)", named(letters))
            }
            Self::Refused(reason) => write!(f, "the PDF writer refused the document: {reason}"),
        }
    }
}

impl std::error::Error for DocumentError {}

impl DocumentError {
    pub const fn lacking(letters: String) -> Self {
        Self::Lacking { letters, section: String::new() }
    }
}

/// What could not be printed is the caller's to mend; everything else is a fault.
impl From<DocumentError> for Error {
    fn from(error: DocumentError) -> Self {
        let DocumentError::Lacking { letters, section } = &error else {
            return Self::internal(error);
        };
        codes::CONTRACT_INCOMPLETE.saying(format!(
            "The document cannot be printed: no font has {} in the section “{section}”.",
            named(letters)
        ))
    }
}

/// Letters with their code points, because a reader may not have a font for them either.
fn named(letters: &str) -> String {
    let shown =
        letters.chars().take(8).map(|letter| format!("{letter} (U+{:04X})", u32::from(letter)));
    listing(shown)
}
