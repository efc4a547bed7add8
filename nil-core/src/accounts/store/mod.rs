//! The rows of accounts.

pub(crate) mod profile;
pub(super) mod registration;
pub(super) mod steps;
pub(super) mod user;
