//! The rows of filings and of their versions, and those that tell of enrolments.

pub(super) mod enrolment;
pub(super) mod filing;
pub(super) mod notice;
pub(super) mod person;
pub(super) mod version;
