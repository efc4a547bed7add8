//! The table of disclosed jobs that operators export.

use super::exported_disclosure::{ExportedDisclosure, ExportedDisclosures};
use super::store::disclosed_job as store;
use crate::error::Result;
use crate::export::{Column, Table};
use crate::storage::Session;

impl Table for ExportedDisclosures {
    type Row = ExportedDisclosure;
    const SHEET: &'static str = "Disclosed jobs";

    const COLUMNS: &'static [Column<ExportedDisclosure>] = &[
        Column("Disclosed job ID", |row| row.id.get().into()),
        Column("Athlete ID", |row| row.athlete_id.get().into()),
        Column("Athlete's name", |row| (&row.athlete_name).into()),
        Column("Institution ID", |row| row.college_id.get().into()),
        Column("Institution's name", |row| (&row.college_name).into()),
        Column("Title", |row| (&row.title).into()),
        Column("Payer", |row| (&row.payer_name).into()),
        Column("Kind of payer", |row| row.payer_kind.as_str().into()),
        Column("Associated with the institution", |row| row.associated_entity.into()),
        Column("Amount", |row| row.amount_cents.into()),
        Column("Signed", |row| row.signed_on.into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("First submitted", |row| row.first_submitted_at.into()),
        Column("Due", |row| row.due_at.into()),
        Column("Decided", |row| row.decided_at.into()),
        Column("Created", |row| row.created_at.into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&ExportedDisclosure>,
        most: u64,
    ) -> Result<Vec<ExportedDisclosure>> {
        store::exported(session, self, after.map(|last| last.id), most).await
    }
}
