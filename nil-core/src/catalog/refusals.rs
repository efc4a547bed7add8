//! Sets of error codes that rows of several files share.

use crate::error::{Code, codes};

/// The refusals of a hire.
pub const HIRING: &[Code] = &[
    codes::ILLEGAL_TRANSITION,
    codes::JOB_NOT_OPEN,
    codes::JOB_FULL,
    codes::DUE_DATE_PASSED,
    codes::ATHLETE_UNAVAILABLE,
    codes::NOT_ELIGIBLE,
    codes::ATHLETE_NOT_READY,
    codes::GUARDIAN_CONSENT_MISSING,
    codes::CATEGORY_PROHIBITED,
    codes::CATEGORY_RESTRICTED,
    codes::SPONSOR_CONFLICT,
    codes::BLACKOUT,
    codes::VISA_STATUS,
    codes::EXCLUSIVITY_CONFLICT,
    codes::CONTRACT_INCOMPLETE,
];

/// The refusals of a deliverable's change.
pub const DELIVERING: &[Code] = &[codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION];

/// The refusals of an upload.
pub const UPLOADING: &[Code] =
    &[codes::FILE_QUOTA_EXCEEDED, codes::MALFORMED_FORM, codes::STORAGE_FULL];

/// The refusals of a mail to an account that waits for it.
pub const MAILING: &[Code] = &[codes::ILLEGAL_TRANSITION, codes::TOO_MANY_MAILS];
