//! The rows of disclosed jobs, of clearances and of their packets.

pub(super) mod clearance;
pub(super) mod disclosed_job;
pub(super) mod packet;
pub(super) mod person;
