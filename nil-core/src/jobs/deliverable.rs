//! A deliverable: one milestone of one hired athlete (`milestonesAthleteRel` in the specification).

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::Activity;
use super::disclosure::DisclosureCheck;
use super::words::{MediaKind, MediaPlatform};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, Cents, ContractId, Date, DeliverableId, FileId, JobId, Machine, MilestoneId, Move,
    Time,
};

vocabulary! {
    /// The state of a deliverable.
    DeliverableStatus {
        /// To be done.
        Pending = "pending",
        /// Handed in.
        Submitted = "submitted",
        /// Accepted; owed.
        Approved = "approved",
        /// Sent back.
        Denied = "denied",
        /// The contract ended first.
        Void = "void",
    }
}

/// What can happen to a deliverable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliverableEvent {
    /// The athlete hands it in.
    Submit,
    /// The brand accepts it.
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
    /// What it is called.
    pub title: String,
    /// What is to be done.
    pub activity: Activity,
    /// Where.
    pub platform: MediaPlatform,
    /// In which form.
    pub media_kind: MediaKind,
    /// How many links or files it takes.
    pub quantity: i64,
    /// The brand's instructions.
    pub instructions: Option<String>,
    /// Tags the post has to carry.
    #[sqlx(json)]
    pub hashtags: Vec<String>,
    /// Whether the post has to be marked as advertising.
    pub disclosure_required: bool,
    /// The last day for it.
    pub due_on: Date,
    /// The end of that day in the institution's time zone.
    pub due_at: Time,
    /// Whether that is past and the work not handed in.
    #[sqlx(skip)]
    pub overdue: bool,
    /// Where it stands.
    pub status: DeliverableStatus,
    /// What it is worth.
    pub amount_cents: Cents,
    /// How much of that has been paid.
    pub paid_cents: Cents,
    /// Where it was published.
    #[sqlx(json)]
    pub post_urls: Vec<String>,
    /// The caption.
    pub caption: Option<String>,
    /// The files handed in.
    #[sqlx(json, rename = "file_ids")]
    pub media: Vec<FileId>,
    /// What was found in the caption: whether it says that it is advertising, and the required tags.
    #[sqlx(json(nullable))]
    pub disclosure_check: Option<DisclosureCheck>,
    /// When it was last handed in.
    pub submitted_at: Option<Time>,
    /// When the brand last decided.
    pub reviewed_at: Option<Time>,
    /// What the brand said.
    pub review_note: Option<String>,
    /// How often it has been handed in again.
    pub revision: i64,
    /// When it came about.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Deliverable {
    /// With `overdue` as it is at `now`.
    #[must_use]
    pub(crate) fn seen_at(mut self, now: Time) -> Self {
        let open = matches!(self.status, DeliverableStatus::Pending | DeliverableStatus::Denied);
        self.overdue = open && self.due_at < now;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<DeliverableStatus>();
    }
}
