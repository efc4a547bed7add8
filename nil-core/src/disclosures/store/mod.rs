//! The rows of disclosed jobs and of clearances.

pub(super) mod clearance;
pub(super) mod disclosed_job;
pub(super) mod person;
