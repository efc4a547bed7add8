//! The rows of jobs and applications. `deals` moves applications and shows jobs, and calls these stores.

pub(crate) mod application;
pub(crate) mod card;
pub(crate) mod job;
pub(crate) mod listing;
pub(crate) mod milestone;
pub(super) mod search;
