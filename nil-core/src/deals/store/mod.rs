//! The rows of deliverables and reminders, and queries that combine deals with other records.

pub(super) mod deal;
pub(super) mod deliverable;
pub(super) mod reminder;
pub(super) mod report;
pub(super) mod watch;
