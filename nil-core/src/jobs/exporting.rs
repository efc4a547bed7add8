//! The table of jobs that operators export.

use super::job::{CloseReason, JobStatus};
use super::store::job as store;
use super::words::{Compensation, JobKind};
use crate::error::Result;
use crate::export::{Column, Table};
use crate::kernel::{BasisPoints, Cents, Date, JobId, PartnerId, Time};
use crate::storage::{FromRow, Session};

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

impl Table for ExportedJobs {
    type Row = ExportedJob;
    const SHEET: &'static str = "Jobs";

    const COLUMNS: &'static [Column<ExportedJob>] = &[
        Column("Job ID", |row| row.id.get().into()),
        Column("Title", |row| (&row.title).into()),
        Column("Brand ID", |row| row.partner_id.get().into()),
        Column("Company", |row| (&row.company_name).into()),
        Column("Kind", |row| row.kind.as_str().into()),
        Column("Compensation", |row| row.compensation.as_str().into()),
        Column("Amount", |row| row.amount_cents.into()),
        Column("Fee in basis points", |row| row.fee_basis_points.map(BasisPoints::get).into()),
        Column("Places", |row| row.slots.into()),
        Column("Taken", |row| row.filled.into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("Closed because", |row| row.close_reason.map(CloseReason::as_str).into()),
        Column("Applications until", |row| row.closes_at.into()),
        Column("First day", |row| row.starts_on.into()),
        Column("Last day", |row| row.ends_on.into()),
        Column("Created", |row| row.created_at.into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&ExportedJob>,
        most: u64,
    ) -> Result<Vec<ExportedJob>> {
        store::exported(session, self, after.map(|last| last.id), most).await
    }
}
