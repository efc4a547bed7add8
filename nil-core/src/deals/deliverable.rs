//! A deliverable: one milestone of one hired athlete (`milestonesAthleteRel` in the specification).

use schemars::JsonSchema;
use serde::Serialize;

use super::disclosure::DisclosureCheck;
use super::watch::WatchedPost;
use crate::jobs::{MediaKind, MediaPlatform};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    Activity, AthleteId, Cents, ContractId, Date, DeliverableId, FileId, JobId, Machine,
    MilestoneId, Move, Time,
};
use crate::storage::FromRow;

vocabulary! {
    /// The state of a deliverable.
    DeliverableStatus {
        /// To be done.
        Pending = "pending",
        /// Submitted.
        Submitted = "submitted",
        /// Approved; payment is owed.
        Approved = "approved",
        /// Sent back by the brand.
        Denied = "denied",
        /// The contract ended before approval.
        Void = "void",
    }
}

/// The events of a deliverable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliverableEvent {
    /// The athlete submits it.
    Submit,
    /// The brand approves it.
    Approve,
    /// The brand sends it back.
    Deny,
    /// The contract ended.
    Void,
}

impl Machine for DeliverableStatus {
    type Event = DeliverableEvent;
    const NAME: &'static str = "deliverable";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Pending];
    const TERMINAL: &'static [Self] = &[Self::Approved, Self::Void];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Pending, DeliverableEvent::Submit, Self::Submitted), // POST /submitMediaPost
        (Self::Submitted, DeliverableEvent::Approve, Self::Approved), // POST /jobStatusChange
        (Self::Submitted, DeliverableEvent::Deny, Self::Denied), // …, /partner/deny-athlete-deliverable
        (Self::Denied, DeliverableEvent::Submit, Self::Submitted), // POST /submitMediaPost
        (Self::Pending, DeliverableEvent::Void, Self::Void),
        (Self::Submitted, DeliverableEvent::Void, Self::Void),
        (Self::Denied, DeliverableEvent::Void, Self::Void),
    ];
}

/// A deliverable.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Deliverable {
    /// Its id.
    pub id: DeliverableId,
    /// The contract.
    pub contract_id: ContractId,
    /// The job.
    pub job_id: JobId,
    /// The milestone it is for.
    pub milestone_id: MilestoneId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// Its title.
    pub title: String,
    /// The kind of work.
    pub activity: Activity,
    /// The platform.
    pub platform: MediaPlatform,
    /// The form.
    pub media_kind: MediaKind,
    /// The number of links or files required.
    pub quantity: i64,
    /// The brand's instructions.
    pub instructions: Option<String>,
    /// Hashtags that the post must contain.
    #[row(json)]
    pub hashtags: Vec<String>,
    /// Whether the post must be marked as advertising.
    pub disclosure_required: bool,
    /// The last day for it.
    pub due_on: Date,
    /// The end of that day in the institution's time zone.
    pub due_at: Time,
    /// Whether that time has passed and the work is not submitted.
    #[row(skip)]
    pub overdue: bool,
    /// Its state.
    pub status: DeliverableStatus,
    /// Its price.
    pub amount_cents: Cents,
    /// The amount already paid.
    pub paid_cents: Cents,
    /// The addresses of the publication.
    #[row(json)]
    pub post_urls: Vec<String>,
    /// The caption.
    pub caption: Option<String>,
    /// The submitted files.
    #[row(json, rename = "file_ids")]
    pub media: Vec<FileId>,
    /// The result of checking the caption for an advertising disclosure and the required hashtags.
    #[row(json(nullable))]
    pub disclosure_check: Option<DisclosureCheck>,
    /// The watch over the publications of approved work that must stay up, for as long as the
    /// contract says; shown in deals. Empty for work that is not published, and for work approved
    /// before posts were watched.
    #[row(skip)]
    pub posts: Vec<WatchedPost>,
    /// When it was last submitted.
    pub submitted_at: Option<Time>,
    /// When the brand last decided.
    pub reviewed_at: Option<Time>,
    /// The brand's note.
    pub review_note: Option<String>,
    /// How often it was submitted again.
    pub revision: i64,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Deliverable {
    /// Sets `overdue` as of `now`.
    #[must_use]
    pub(crate) fn seen_at(mut self, now: Time) -> Self {
        let open = matches!(self.status, DeliverableStatus::Pending | DeliverableStatus::Denied);
        self.overdue = open && self.due_at < now;
        self
    }
}
