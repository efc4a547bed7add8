//! The rows of the table of jobs that operators export.

use super::job::{CloseReason, JobStatus};
use super::words::{Compensation, JobKind};
use crate::kernel::{BasisPoints, Cents, Date, JobId, PartnerId, Time};
use crate::storage::FromRow;

/// Which jobs an export has.
#[derive(Clone, Debug, Default)]
pub struct ExportedJobs {
    /// Only jobs with this status.
    pub status: Option<JobStatus>,
    /// Only jobs of this brand.
    pub partner: Option<PartnerId>,
    /// Only jobs created from this instant on.
    pub from: Option<Time>,
    /// Only jobs created before this instant.
    pub until: Option<Time>,
}

/// A job with its brand.
#[derive(Clone, Debug, FromRow)]
pub struct ExportedJob {
    pub(super) id: JobId,
    pub(super) partner_id: PartnerId,
    pub(super) company_name: String,
    pub(super) title: String,
    pub(super) kind: JobKind,
    pub(super) compensation: Compensation,
    pub(super) amount_cents: Cents,
    pub(super) fee_basis_points: Option<BasisPoints>,
    pub(super) slots: i64,
    pub(super) filled: i64,
    pub(super) status: JobStatus,
    pub(super) close_reason: Option<CloseReason>,
    pub(super) closes_at: Option<Time>,
    pub(super) starts_on: Option<Date>,
    pub(super) ends_on: Option<Date>,
    pub(super) created_at: Time,
}
