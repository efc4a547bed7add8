//! The rows of filings and of their versions.

pub(super) mod filing;
pub(super) mod person;
pub(super) mod version;
