//! The rows of jobs and applications. `deals` calls those that are visible to the crate.

pub(crate) mod application;
pub(crate) mod card;
pub(crate) mod job;
pub(crate) mod listing;
pub(crate) mod milestone;
pub(super) mod search;
