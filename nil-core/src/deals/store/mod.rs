//! The rows of deliverables and reminders, and what is read of deals beside the rows of `jobs` and `contracts`.

pub(super) mod deal;
pub(super) mod deliverable;
pub(super) mod reminder;
pub(super) mod report;
