//! The rows of disclosed jobs, of clearances and of their packets, and of enrolments.

pub(super) mod account;
pub(super) mod attestation;
pub(super) mod clearance;
pub(super) mod disclosed_job;
pub(super) mod enrolment;
pub(super) mod packet;
pub(super) mod person;
