//! The rows of the table of disclosed jobs that operators export.

use super::disclosed_job::{DisclosedJobStatus, PayerKind};
use crate::kernel::{AthleteId, Cents, CollegeId, Date, DisclosedJobId, Time};
use crate::storage::FromRow;

/// Which disclosed jobs an export has.
#[derive(Clone, Debug, Default)]
pub struct ExportedDisclosures {
    /// Only disclosed jobs with this status.
    pub status: Option<DisclosedJobStatus>,
    /// Only those of this athlete.
    pub athlete: Option<AthleteId>,
    /// Only those made from this instant on.
    pub from: Option<Time>,
    /// Only those made before this instant.
    pub until: Option<Time>,
}

/// A disclosed job with its athlete and institution.
#[derive(Clone, Debug, FromRow)]
pub struct ExportedDisclosure {
    pub(super) id: DisclosedJobId,
    pub(super) athlete_id: AthleteId,
    pub(super) athlete_name: String,
    pub(super) college_id: CollegeId,
    pub(super) college_name: String,
    pub(super) title: String,
    pub(super) payer_name: String,
    pub(super) payer_kind: PayerKind,
    pub(super) associated_entity: bool,
    pub(super) amount_cents: Cents,
    pub(super) signed_on: Date,
    pub(super) status: DisclosedJobStatus,
    pub(super) first_submitted_at: Option<Time>,
    pub(super) due_at: Option<Time>,
    pub(super) decided_at: Option<Time>,
    pub(super) created_at: Time,
}
