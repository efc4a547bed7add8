//! Contracts: what was agreed at hire, frozen, checked for completeness and set as a document.

pub mod clause;
pub mod document;
pub mod terms;
mod wording;
