//! What brands get for their money: every deliverable of theirs as a list with totals, and as a table
//! for a spreadsheet.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::deliverable::DeliverableStatus;
use super::store::report::{self as reports, Wanted};
use super::words::{MediaKind, MediaPlatform};
use crate::auth::Partner;
use crate::error::Result;
use crate::kernel::{
    AthleteId, Cents, ContractId, Date, DeliverableId, JobId, Listing, Many, Paged, Sheet, Time,
};
use crate::operation::{Cx, Download, Pieces};
use crate::platform::Platform;

/// Which deliverables of the caller's jobs.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListReport {
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

/// Which deliverables of the caller's jobs, for a file with all of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ExportReport {
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
    input: Paged<ListReport>,
) -> Result<Listing<ReportRow, ReportBeside>> {
    let (input, paging) = input.parts();
    let wanted = Wanted {
        partner: cx.caller.id,
        jobs: Many::or_none(input.job_ids),
        athletes: Many::or_none(input.athlete_ids),
        statuses: Many::or_none(input.statuses),
        from: input.from,
        to: input.to,
        overdue: input.overdue,
        now: cx.now(),
    };
    let mut session = cx.read().await?;
    let mut totals = reports::totals(&mut session, &wanted).await?;
    totals.currency = "usd";
    let count = [totals.pending, totals.submitted, totals.approved, totals.denied, totals.void];
    let rows = reports::page(&mut session, &wanted, paging).await?;
    let rows = rows.into_iter().map(|row| row.seen_at(cx.now())).collect();
    Ok(Listing::new(rows, paging, count.iter().sum()).with(ReportBeside { totals }))
}

/// The same deliverables, all of them, as CSV. However many they are, a few hundred are in memory.
pub async fn export(cx: Cx<Partner>, input: ExportReport) -> Result<Download> {
    let wanted = Wanted {
        partner: cx.caller.id,
        jobs: Many::or_none(input.job_ids),
        athletes: Many::or_none(input.athlete_ids),
        statuses: Many::or_none(input.statuses),
        from: input.from,
        to: input.to,
        overdue: input.overdue,
        now: cx.now(),
    };
    let name = format!("deliverables-{}.csv", cx.now().format("%Y-%m-%d"));
    let platform = cx.platform().clone();
    Ok(Download::growing(name, "text/csv; charset=utf-8", |pieces| write(platform, wanted, pieces)))
}

const HEADINGS: &[&str] = &[
    "Deliverable",
    "Job",
    "Job title",
    "Athlete",
    "Athlete name",
    "Contract",
    "Title",
    "Platform",
    "Format",
    "Quantity",
    "Status",
    "Overdue",
    "Due on",
    "Submitted at",
    "Reviewed at",
    "Revision",
    "Amount",
    "Paid",
    "Currency",
    "Links",
    "Files",
];

/// Writes the table, some rows at a time. No connection is held while the caller takes them.
async fn write(platform: Platform, wanted: Wanted, pieces: Pieces) -> Result<()> {
    let mut sheet = Sheet::headed(HEADINGS);
    let mut last = None;
    loop {
        let mut session = platform.db().read().await?;
        let rows = reports::after(&mut session, &wanted, last).await?;
        drop(session);
        let more = rows.last().map(|row| (row.contract_id, row.deliverable_id));
        for row in rows {
            line(&mut sheet, &row.seen_at(wanted.now));
        }
        let whole = sheet.take();
        let wants = whole.is_empty() || pieces.send(whole).await;
        if more.is_none() || !wants {
            return Ok(());
        }
        last = more;
    }
}

fn line(sheet: &mut Sheet, row: &ReportRow) {
    sheet.number(row.deliverable_id.get());
    sheet.number(row.job_id.get());
    sheet.text(&row.job_title);
    sheet.number(row.athlete_id.get());
    sheet.text(&row.athlete_name);
    sheet.text(&row.contract_number);
    sheet.text(&row.title);
    sheet.text(row.platform.as_str());
    sheet.text(row.media_kind.as_str());
    sheet.number(row.quantity);
    sheet.text(row.status.as_str());
    sheet.text(if row.overdue { "yes" } else { "no" });
    sheet.text(&row.due_on.to_string());
    let moment = |at: Option<Time>| at.map(|at| at.format("%Y-%m-%dT%H:%M:%SZ"));
    sheet.maybe(moment(row.submitted_at));
    sheet.maybe(moment(row.reviewed_at));
    sheet.number(row.revision);
    sheet.cents(row.amount_cents.get());
    sheet.cents(row.paid_cents.get());
    sheet.text("usd");
    sheet.text(&row.links.join(" "));
    sheet.number(row.files);
    sheet.end_line();
}
