//! One check of the books: its statement, or its result.

use schemars::JsonSchema;
use serde::Serialize;

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Check {
    /// The invariant.
    pub name: String,
    /// How many records were examined.
    pub examined: i64,
    /// The problems found, at most one hundred; empty if the invariant holds.
    pub problems: Vec<String>,
}

/// A check in SQL: its name, the query that counts the records, and the query that finds the wrong
/// ones.
pub(crate) type Rule = (&'static str, &'static str, &'static str);
