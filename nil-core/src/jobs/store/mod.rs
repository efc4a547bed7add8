//! The rows of jobs, applications and deliverables.

pub(super) mod application;
pub(super) mod card;
pub(super) mod deal;
pub(super) mod deliverable;
pub(super) mod job;
pub(super) mod milestone;
pub(super) mod reminder;
pub(super) mod report;
pub(super) mod search;
