//! An institution's consent to a job.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{AthleteId, CollegeId, JobId, Time};
use crate::storage::{FromRow, Stored};

/// An institution's decision on one athlete and one job.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow, Stored)]
#[non_exhaustive]
pub struct JobConsent {
    /// The institution.
    pub college_id: CollegeId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The job.
    pub job_id: JobId,
    /// Whether the institution consents.
    pub granted: bool,
    /// The reason.
    pub note: Option<String>,
    /// The decider, in the audit trail's notation.
    pub decided_by: String,
    /// When it was decided.
    pub decided_at: Time,
}
