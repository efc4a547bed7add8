//! The brand's report: all its deliverables as a list with totals, and as a CSV export.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deliverable::DeliverableStatus;
use super::report::{ReportRow, ReportTotals};
use super::store::report::{self as reports, Wanted};
use crate::auth::Partner;
use crate::error::Result;
use crate::export::{Column, Counter, ExportFormat, Table, dated, send};
use crate::kernel::{AthleteId, Date, JobId, Listing, Many, Paged};
use crate::operation::{Cx, Download};
use crate::storage::Session;

/// The deliverables of the caller's jobs to report.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WhichDeliverables {
    /// Of these jobs only.
    pub job_ids: Option<Many<JobId, 0, 100>>,
    /// Of these athletes only.
    pub athlete_ids: Option<Many<AthleteId, 0, 100>>,
    /// In these states only.
    pub statuses: Option<Many<DeliverableStatus, 0, 5>>,
    /// Due on this day or later.
    pub from: Option<Date>,
    /// Due on this day or earlier.
    pub to: Option<Date>,
    /// Only overdue ones, or only those that are not.
    pub overdue: Option<bool>,
}

/// Fields beside the page.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ReportBeside {
    /// Totals of the whole report.
    pub totals: ReportTotals,
}

/// The deliverables of the caller's contracts, newest contract first, with totals over all pages.
pub async fn list(
    cx: Cx<Partner>,
    input: Paged<WhichDeliverables>,
) -> Result<Listing<ReportRow, ReportBeside>> {
    let (input, paging) = input.parts();
    let wanted = wanted(&cx, input);
    let mut session = cx.read().await?;
    let mut totals = reports::totals(&mut session, &wanted).await?;
    totals.currency = "usd";
    let count = [totals.pending, totals.submitted, totals.approved, totals.denied, totals.void];
    let page = reports::page(&mut session, &wanted, count.iter().sum(), paging).await?;
    Ok(page.map(|row| row.seen_at(cx.now())).with(ReportBeside { totals }))
}

fn wanted(cx: &Cx<Partner>, input: WhichDeliverables) -> Wanted {
    Wanted {
        partner: cx.caller.id,
        jobs: Many::or_none(input.job_ids),
        athletes: Many::or_none(input.athlete_ids),
        statuses: Many::or_none(input.statuses),
        from: input.from,
        to: input.to,
        overdue: input.overdue,
        now: cx.now(),
    }
}

/// Exports all deliverables that the filter selects as CSV. Only a few thousand are in memory at a
/// time.
#[expect(clippy::unused_async, reason = "an operation is an asynchronous function")]
pub async fn export(cx: Cx<Partner>, input: WhichDeliverables) -> Result<Download> {
    let wanted = wanted(&cx, input);
    let name = dated("deliverables", cx.now());
    Ok(send(cx.platform(), &name, ExportFormat::Csv, Report(wanted), Counter::default()))
}

/// The report as a table.
struct Report(Wanted);

impl Table for Report {
    type Row = ReportRow;
    const SHEET: &'static str = "Deliverables";

    const COLUMNS: &'static [Column<ReportRow>] = &[
        Column("Deliverable ID", |row| row.deliverable_id.get().into()),
        Column("Job ID", |row| row.job_id.get().into()),
        Column("Job title", |row| (&row.job_title).into()),
        Column("Athlete ID", |row| row.athlete_id.get().into()),
        Column("Athlete name", |row| (&row.athlete_name).into()),
        Column("Contract", |row| (&row.contract_number).into()),
        Column("Title", |row| (&row.title).into()),
        Column("Platform", |row| row.platform.as_str().into()),
        Column("Format", |row| row.media_kind.as_str().into()),
        Column("Quantity", |row| row.quantity.into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("Overdue", |row| row.overdue.into()),
        Column("Due on", |row| row.due_on.into()),
        Column("Submitted at", |row| row.submitted_at.into()),
        Column("Reviewed at", |row| row.reviewed_at.into()),
        Column("Revision", |row| row.revision.into()),
        Column("Amount", |row| row.amount_cents.into()),
        Column("Paid", |row| row.paid_cents.into()),
        Column("Currency", |_| "usd".into()),
        Column("Links", |row| row.links.join(" ").into()),
        Column("Files", |row| row.files.into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&ReportRow>,
        most: u64,
    ) -> Result<Vec<ReportRow>> {
        let rows = reports::after(session, &self.0, after, most).await?;
        Ok(rows.into_iter().map(|row| row.seen_at(self.0.now)).collect())
    }
}
