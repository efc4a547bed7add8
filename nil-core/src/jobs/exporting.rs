//! The table of jobs that operators export.

use super::exported_job::{ExportedJob, ExportedJobs};
use super::job::CloseReason;
use super::store::job as store;
use crate::error::Result;
use crate::export::{Column, Table};
use crate::kernel::BasisPoints;
use crate::storage::Session;

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
