//! A job: what a brand asks athletes for, and how far it has come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::Activity;
use super::words::{Compensation, JobKind, MediaKind, MediaPlatform, UsageMedia, Visibility};
use crate::accounts::{ClassYear, Gender};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, BasisPoints, CategoryId, Cents, CollegeId, Date, JobId, Machine, MilestoneId, Move,
    PartnerId, SportId, Time,
};

vocabulary! {
    /// The state of a job.
    JobStatus {
        /// Kept by the brand, seen by nobody else.
        Draft = "draft",
        /// Waiting for an operator.
        Pending = "pending",
        /// An operator wants something changed.
        ChangesRequested = "changes_requested",
        /// Taking applications.
        Open = "open",
        /// An operator refused it.
        Rejected = "rejected",
        /// Taking no more applications; `close_reason` says why.
        Closed = "closed",
        /// Every contract has ended, at least one of them completed.
        Completed = "completed",
        /// Called off.
        Cancelled = "cancelled",
    }
}

vocabulary! {
    /// Why a job was closed.
    CloseReason {
        /// Every place is taken.
        Filled = "filled",
        /// The time to apply is over: its deadline or its last due date has passed.
        Deadline = "deadline",
        /// The brand closed it.
        Partner = "partner",
    }
}

vocabulary! {
    /// Where a manual review stands.
    ReviewStatus {
        /// Waiting for an operator.
        Open = "open",
        /// Looked at.
        Resolved = "resolved",
    }
}

/// What can happen to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEvent {
    /// The brand hands it in.
    Submit,
    /// An operator lets it go public.
    Approve,
    /// An operator wants something changed.
    AskChanges,
    /// An operator refuses it.
    Refuse,
    /// The brand changes something that matters while nobody is hired.
    Edit,
    /// It takes no more applications.
    Close,
    /// It takes applications again.
    Reopen,
    /// Every contract has ended.
    Complete,
    /// The brand calls it off.
    Cancel,
}

impl Machine for JobStatus {
    type Event = JobEvent;
    const NAME: &'static str = "job";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Draft, Self::Pending, Self::Open];
    const TERMINAL: &'static [Self] = &[Self::Completed, Self::Cancelled];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Draft, JobEvent::Submit, Self::Pending), // POST /add-job
        (Self::Pending, JobEvent::Approve, Self::Open), // POST /job/updateJobStatusFromPending
        (Self::Pending, JobEvent::AskChanges, Self::ChangesRequested),
        (Self::Pending, JobEvent::Refuse, Self::Rejected),
        (Self::ChangesRequested, JobEvent::Submit, Self::Pending), // POST /add-job
        (Self::Rejected, JobEvent::Submit, Self::Pending),
        (Self::Open, JobEvent::Edit, Self::Pending),
        (Self::Open, JobEvent::Close, Self::Closed), // POST /athleteHire, /job/close; the deadline
        (Self::Closed, JobEvent::Reopen, Self::Open), // POST /job/reopen; a place becomes free
        (Self::Closed, JobEvent::Complete, Self::Completed),
        (Self::Draft, JobEvent::Cancel, Self::Cancelled), // POST /job/cancel
        (Self::Pending, JobEvent::Cancel, Self::Cancelled),
        (Self::ChangesRequested, JobEvent::Cancel, Self::Cancelled),
        (Self::Open, JobEvent::Cancel, Self::Cancelled),
        (Self::Closed, JobEvent::Cancel, Self::Cancelled),
    ];
}

/// Who may be hired. An empty list, or none, excludes nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Eligibility {
    /// The sports the athlete may play.
    #[serde(default)]
    pub sport_ids: Vec<SportId>,
    /// The universities the athlete may attend.
    #[serde(default)]
    pub university_ids: Vec<CollegeId>,
    /// The genders wanted.
    #[serde(default)]
    pub genders: Vec<Gender>,
    /// Two-letter codes of the states the athlete may study in.
    #[serde(default)]
    pub states: Vec<String>,
    /// The class years wanted.
    #[serde(default)]
    pub class_years: Vec<ClassYear>,
    /// The least number of followers, over all platforms.
    #[serde(default)]
    pub min_followers: Option<i64>,
}

/// What the brand may do with the content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a permission of its own")]
pub struct UsageRights {
    /// The media it may be used in.
    pub media: Vec<UsageMedia>,
    /// Where: a country's code or a description.
    pub territory: String,
    /// For how many days after first publication; null exactly when perpetual.
    pub days: Option<i64>,
    /// Whether the right never ends.
    pub perpetual: bool,
    /// Whether the brand may advertise through the athlete's own account.
    #[serde(default)]
    pub allow_listing: bool,
    /// Whether the brand may edit the content into new works.
    #[serde(default)]
    pub derivative_works: bool,
    /// Whether the brand may license the content on.
    #[serde(default)]
    pub sublicensable: bool,
}

impl Default for UsageRights {
    fn default() -> Self {
        Self {
            media: vec![UsageMedia::OrganicSocial],
            territory: "US".into(),
            days: Some(90),
            perpetual: false,
            allow_listing: false,
            derivative_works: false,
            sublicensable: false,
        }
    }
}

/// What hired athletes keep free of other brands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exclusivity {
    /// The category of jobs.
    pub category_id: CategoryId,
    /// For how many days from the first day of the contract.
    pub days: i64,
}

/// Somebody asked an operator to look at the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManualReview {
    /// Why.
    pub reason: String,
    /// When it was asked for.
    pub at: Time,
    /// Where it stands.
    pub status: ReviewStatus,
    /// Who asked, as the audit trail words it.
    pub asked_by: String,
    /// The athlete it is about; none where it is the job as a whole.
    #[serde(default)]
    pub athlete_id: Option<AthleteId>,
}

impl ManualReview {
    /// Whether operators are looking, or have looked since `raised`.
    #[must_use]
    pub fn covers(&self, raised: Time) -> bool {
        self.status == ReviewStatus::Open || self.at >= raised
    }
}

/// One thing a job asks of each athlete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
pub struct Milestone {
    /// Its id.
    pub id: MilestoneId,
    /// The job.
    pub job_id: JobId,
    /// What it is called.
    pub title: String,
    /// What is to be done.
    pub activity: Activity,
    /// Where.
    pub platform: MediaPlatform,
    /// In which form.
    pub media_kind: MediaKind,
    /// How many of them; they are one deliverable.
    pub quantity: i64,
    /// The last day for it.
    pub due_on: Date,
    /// The brand's instructions.
    pub instructions: Option<String>,
    /// Tags the post has to carry.
    #[sqlx(json)]
    pub hashtags: Vec<String>,
    /// Whether the post has to be marked as advertising.
    pub disclosure_required: bool,
    /// Its part of the job's amount; null where the amount is split evenly.
    pub amount_cents: Option<Cents>,
}

/// A job.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// The brand.
    pub partner_id: PartnerId,
    /// What it is called.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// The category of jobs it belongs to.
    pub category_id: CategoryId,
    /// The kind of engagement.
    pub kind: JobKind,
    /// What athletes are given.
    pub compensation: Compensation,
    /// The cash for each athlete.
    pub amount_cents: Cents,
    /// The goods or services given.
    pub product_description: Option<String>,
    /// Their fair value; for a royalty or commission the most it can come to.
    pub product_value_cents: Option<Cents>,
    /// The share of sales of a royalty or commission.
    pub commission_basis_points: Option<BasisPoints>,
    /// How many athletes can be hired.
    pub slots: i64,
    /// How many are.
    pub filled: i64,
    /// Until when athletes can apply; hiring goes on afterwards.
    pub application_deadline: Option<Time>,
    /// When it stops taking applications: at the deadline, and at the latest at the end of its last due
    /// date. Null only for a job without due dates and deadline.
    pub closes_at: Option<Time>,
    /// The first day of the term; the day of hiring where there is none.
    pub starts_on: Option<Date>,
    /// The last day of the term; the last due date where there is none.
    pub ends_on: Option<Date>,
    /// Who may be hired.
    #[sqlx(json)]
    pub eligibility: Eligibility,
    /// What the brand may do with the content.
    #[sqlx(json)]
    pub usage_rights: UsageRights,
    /// What hired athletes keep free of other brands.
    #[sqlx(json(nullable))]
    pub exclusivity: Option<Exclusivity>,
    /// Who can see it.
    pub visibility: Visibility,
    /// Why the brand does this; contracts name it.
    pub business_purpose: String,
    /// A fee for this job only, set by an operator; shown to the brand.
    pub fee_basis_points: Option<BasisPoints>,
    /// Where it stands.
    pub status: JobStatus,
    /// Why it was closed.
    pub close_reason: Option<CloseReason>,
    /// Why an operator refused it or wants changes; shown to the brand.
    pub decision_reason: Option<String>,
    /// Whether an operator was asked to look at it; shown to the brand.
    #[sqlx(json(nullable))]
    pub manual_review: Option<ManualReview>,
    /// When it was entered.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
    /// What it asks of each athlete, in order.
    #[sqlx(skip)]
    pub milestones: Vec<Milestone>,
}

impl Job {
    /// The job as people other than its brand see it.
    #[must_use]
    pub fn for_others(mut self) -> Self {
        self.fee_basis_points = None;
        self.decision_reason = None;
        self.manual_review = None;
        self
    }

    /// Where its work is done. It has its milestones.
    pub(crate) fn platforms(&self) -> impl Iterator<Item = MediaPlatform> {
        self.milestones.iter().map(|milestone| milestone.platform)
    }

    /// How many places are left.
    #[must_use]
    pub fn places_left(&self) -> i64 {
        self.slots - self.filled
    }

    /// Whether the time to apply is over at `now`.
    #[must_use]
    pub fn is_past_deadline(&self, now: Time) -> bool {
        self.closes_at.is_some_and(|until| until < now)
    }

    /// Why nobody can apply at `now`; nothing where athletes can.
    #[must_use]
    pub fn refuses_applications(&self, now: Time) -> bool {
        self.status != JobStatus::Open || self.is_past_deadline(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<JobStatus>();
    }

    #[test]
    fn a_finished_job_stays_finished() {
        for event in [JobEvent::Reopen, JobEvent::Cancel, JobEvent::Submit] {
            assert!(!JobStatus::Completed.can(event));
            assert!(!JobStatus::Cancelled.can(event));
        }
    }
}
