//! What brands get for their money: every deliverable of theirs as a list with totals, and as a table
//! for a spreadsheet.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::deliverable::DeliverableStatus;
use super::store::report::{self as reports, Wanted};
use crate::auth::Partner;
use crate::error::Result;
use crate::export::{Column, Table, send_csv};
use crate::jobs::{MediaKind, MediaPlatform};
use crate::kernel::{
    AthleteId, Cents, ContractId, Date, DeliverableId, JobId, Listing, Many, Paged, Time,
};
use crate::operation::{Cx, Download};
use crate::storage::Session;

/// Which deliverables of the caller's jobs.
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
    /// Only what is overdue, or only what is not.
    pub overdue: Option<bool>,
}

/// A line of the report: a deliverable.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct ReportRow {
    /// The deliverable.
    pub deliverable_id: DeliverableId,
    /// The job.
    pub job_id: JobId,
    /// What the job is called.
    pub job_title: String,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The name the athlete is known by.
    pub athlete_name: String,
    /// The contract.
    pub contract_id: ContractId,
    /// The contract's number.
    pub contract_number: String,
    /// What is to be done.
    pub title: String,
    /// Where.
    pub platform: MediaPlatform,
    /// In which form.
    pub media_kind: MediaKind,
    /// How many links or files it takes.
    pub quantity: i64,
    /// Where it stands.
    pub status: DeliverableStatus,
    /// Whether it is late: its day is over and it has not been handed in.
    #[sqlx(skip)]
    pub overdue: bool,
    /// The last day for it.
    pub due_on: Date,
    /// The end of that day in the institution's time zone.
    pub due_at: Time,
    /// When it was last handed in.
    pub submitted_at: Option<Time>,
    /// When the brand last decided.
    pub reviewed_at: Option<Time>,
    /// How often it has been handed in again.
    pub revision: i64,
    /// What it is worth.
    pub amount_cents: Cents,
    /// How much of that has been paid.
    pub paid_cents: Cents,
    /// Where it was published.
    #[sqlx(json)]
    pub links: Vec<String>,
    /// How many files were handed in.
    pub files: i64,
}

impl ReportRow {
    fn seen_at(mut self, now: Time) -> Self {
        let open = matches!(self.status, DeliverableStatus::Pending | DeliverableStatus::Denied);
        self.overdue = open && self.due_at < now;
        self
    }
}

/// The whole report in figures, whatever page is shown.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema, FromRow)]
pub struct ReportTotals {
    /// Deliverables to be done.
    pub pending: i64,
    /// Handed in, to be decided on.
    pub submitted: i64,
    /// Accepted.
    pub approved: i64,
    /// Sent back.
    pub denied: i64,
    /// Of contracts that ended first.
    pub void: i64,
    /// Late ones among them.
    pub overdue: i64,
    /// What all of them are worth.
    pub amount_cents: Cents,
    /// What the accepted ones are worth.
    pub approved_cents: Cents,
    /// What has been paid.
    pub paid_cents: Cents,
    /// The currency, `usd`.
    #[sqlx(skip)]
    #[schemars(extend("examples" = ["usd"]))]
    pub currency: &'static str,
}

/// What stands beside the page.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ReportBeside {
    /// The whole report in figures.
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

/// The same deliverables, all of them, as CSV. However many they are, a few hundred are in memory.
pub async fn export(cx: Cx<Partner>, input: WhichDeliverables) -> Result<Download> {
    let wanted = wanted(&cx, input);
    let name = format!("deliverables-{}.csv", cx.now().format("%Y-%m-%d"));
    Ok(send_csv(cx.platform(), name, Report(wanted)))
}

/// The report as a table.
struct Report(Wanted);

impl Table for Report {
    type Row = ReportRow;

    const COLUMNS: &'static [Column<ReportRow>] = &[
        Column("Deliverable", |row| row.deliverable_id.get().into()),
        Column("Job", |row| row.job_id.get().into()),
        Column("Job title", |row| (&row.job_title).into()),
        Column("Athlete", |row| row.athlete_id.get().into()),
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
    ) -> Result<Vec<ReportRow>> {
        let rows = reports::after(session, &self.0, after).await?;
        Ok(rows.into_iter().map(|row| row.seen_at(self.0.now)).collect())
    }
}
