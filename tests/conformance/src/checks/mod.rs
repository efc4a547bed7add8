//! The kinds of checks, each in a file of its own.

pub(crate) mod answers;
pub(crate) mod callers;
pub(crate) mod inputs;
pub(crate) mod limits;
pub(crate) mod pages;
pub(crate) mod protocol;
pub(crate) mod records;
pub(crate) mod repeats;
pub(crate) mod then;
