//! The rows of the brand's report on deliverables, and their totals.

use schemars::JsonSchema;
use serde::Serialize;

use super::deliverable::DeliverableStatus;
use crate::jobs::{MediaKind, MediaPlatform};
use crate::kernel::{AthleteId, Cents, ContractId, Date, DeliverableId, JobId, Time};
use crate::storage::FromRow;

/// A line of the report: a deliverable.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ReportRow {
    /// The deliverable.
    pub deliverable_id: DeliverableId,
    /// The job.
    pub job_id: JobId,
    /// The job's title.
    pub job_title: String,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's public name.
    pub athlete_name: String,
    /// The contract.
    pub contract_id: ContractId,
    /// The contract's number.
    pub contract_number: String,
    /// Its title.
    pub title: String,
    /// The platform.
    pub platform: MediaPlatform,
    /// The form.
    pub media_kind: MediaKind,
    /// The number of links or files required.
    pub quantity: i64,
    /// Its state.
    pub status: DeliverableStatus,
    /// Whether it is late: its day is over and it has not been submitted.
    #[row(skip)]
    pub overdue: bool,
    /// The last day for it.
    pub due_on: Date,
    /// The end of that day in the institution's time zone.
    pub due_at: Time,
    /// When it was last submitted.
    pub submitted_at: Option<Time>,
    /// When the brand last decided.
    pub reviewed_at: Option<Time>,
    /// How often it was submitted again.
    pub revision: i64,
    /// Its price.
    pub amount_cents: Cents,
    /// The amount already paid.
    pub paid_cents: Cents,
    /// The addresses of the publication.
    #[row(json)]
    pub links: Vec<String>,
    /// The number of submitted files.
    pub files: i64,
}

impl ReportRow {
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        let open = matches!(self.status, DeliverableStatus::Pending | DeliverableStatus::Denied);
        self.overdue = open && self.due_at < now;
        self
    }
}

/// Totals of the whole report, regardless of the page.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ReportTotals {
    /// Deliverables to be done.
    pub pending: i64,
    /// Submitted, waiting for a decision.
    pub submitted: i64,
    /// Approved.
    pub approved: i64,
    /// Sent back.
    pub denied: i64,
    /// Void, because their contract ended.
    pub void: i64,
    /// Overdue ones among them.
    pub overdue: i64,
    /// The total price.
    pub amount_cents: Cents,
    /// The price of the approved ones.
    pub approved_cents: Cents,
    /// The amount already paid.
    pub paid_cents: Cents,
    /// The currency, `usd`.
    #[row(skip)]
    #[schemars(extend("examples" = ["usd"]))]
    pub currency: &'static str,
}
