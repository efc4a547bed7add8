//! Typesets a document as a PDF: archivable (PDF/A-2a), accessible (PDF/UA-1) and repeatable.
//!
//! Callers (contracts, invoices) describe the content. `flow` and `table` break it into lines and pages, with `line`,
//! `style` and `typeface`; `footer` numbers the pages, and `pen` draws them, tagged with the tree of `structure`. Equal
//! input gives equal bytes: lengths are whole numbers, and date and identity are parameters.

pub(crate) mod flow;
pub(crate) mod footer;
mod line;
pub(crate) mod pen;
#[cfg(test)]
pub(crate) mod scratch;
pub(crate) mod structure;
pub(crate) mod style;
pub(crate) mod table;
mod typeface;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// An embedded typeface cannot be read: the build is broken.
    Typeface,
    /// The PDF writer refused the document, for this reason.
    Refused(String),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Typeface => f.write_str("an embedded typeface cannot be read"),
            Self::Refused(reason) => write!(f, "the PDF writer refused the document: {reason}"),
        }
    }
}

impl std::error::Error for DocumentError {}
