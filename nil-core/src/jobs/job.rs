//! A job: what a brand asks of athletes, and its state.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Activity;
use super::words::{Compensation, JobKind, MediaKind, MediaPlatform, UsageMedia, Visibility};
use crate::accounts::{ClassYear, Gender};
use crate::institutions::Undertaking;
use crate::institutions::checking::Posting;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, BasisPoints, CategoryId, Cents, CollegeId, Date, JobId, Machine, MilestoneId, Move,
    PartnerId, SportId, Time,
};
use crate::operation::{Revisable, without};
use crate::storage::FromRow;

vocabulary! {
    /// The state of a job.
    JobStatus {
        /// Visible only to the brand.
        Draft = "draft",
        /// Waiting for an operator's approval.
        Pending = "pending",
        /// An operator asks for changes.
        ChangesRequested = "changes_requested",
        /// Taking applications.
        Open = "open",
        /// Refused by an operator.
        Rejected = "rejected",
        /// No longer taking applications; `close_reason` says why.
        Closed = "closed",
        /// Every contract has ended, at least one of them completed.
        Completed = "completed",
        /// Cancelled.
        Cancelled = "cancelled",
    }
}

vocabulary! {
    /// Why a job was closed.
    CloseReason {
        /// All places are taken.
        Filled = "filled",
        /// The application period is over: the deadline or the last due date has passed.
        Deadline = "deadline",
        /// The brand closed it.
        Partner = "partner",
    }
}

vocabulary! {
    /// The state of a manual review.
    ReviewStatus {
        /// Waiting for an operator.
        Open = "open",
        /// Resolved by an operator.
        Resolved = "resolved",
    }
}

/// The events of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEvent {
    /// The brand submits it.
    Submit,
    /// An operator approves it.
    Approve,
    /// An operator asks for changes.
    AskChanges,
    /// An operator refuses it.
    Refuse,
    /// The brand changes something that needs approval, while no athlete is hired.
    Edit,
    /// It stops taking applications.
    Close,
    /// It takes applications again.
    Reopen,
    /// Every contract has ended.
    Complete,
    /// The brand cancels it.
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

/// The conditions for being hired. An empty or missing list excludes no athlete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
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

/// The brand's rights to use the content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a permission of its own")]
#[non_exhaustive]
pub struct UsageRights {
    /// The media it may be used in.
    pub media: Vec<UsageMedia>,
    /// The territory: a country's code or a description.
    pub territory: String,
    /// The number of days after first publication; null exactly when perpetual.
    pub days: Option<i64>,
    /// Whether the right never ends.
    #[schemars(extend("examples" = [false]))]
    pub perpetual: bool,
    /// Whether the brand may advertise through the athlete's own account.
    #[serde(default)]
    pub allow_listing: bool,
    /// Whether the brand may edit the content into new works.
    #[serde(default)]
    pub derivative_works: bool,
    /// Whether the brand may sublicense the content.
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

/// The exclusivity that hired athletes grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Exclusivity {
    /// The category of jobs.
    pub category_id: CategoryId,
    /// The number of days from the first day of the contract.
    pub days: i64,
}

/// A request that an operator review the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ManualReview {
    /// The reason.
    pub reason: String,
    /// When it was requested.
    pub at: Time,
    /// Its state.
    pub status: ReviewStatus,
    /// The requester, in the words of the audit trail.
    pub asked_by: String,
    /// The athlete it concerns; null if it concerns the whole job.
    #[serde(default)]
    pub athlete_id: Option<AthleteId>,
}

impl ManualReview {
    /// Whether operators are reviewing, or have reviewed since `raised`.
    #[must_use]
    pub fn covers(&self, raised: Time) -> bool {
        self.status == ReviewStatus::Open || self.at >= raised
    }
}

/// One piece of work that a job asks of each athlete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Milestone {
    /// Its id.
    pub id: MilestoneId,
    /// The job.
    pub job_id: JobId,
    /// Its title.
    pub title: String,
    /// The kind of work.
    pub activity: Activity,
    /// The platform.
    pub platform: MediaPlatform,
    /// The form.
    pub media_kind: MediaKind,
    /// The number of pieces; they are one deliverable.
    pub quantity: i64,
    /// The last day for it.
    pub due_on: Date,
    /// The brand's instructions.
    pub instructions: Option<String>,
    /// Hashtags that the post must contain.
    #[row(json)]
    pub hashtags: Vec<String>,
    /// Whether the post must be marked as advertising.
    pub disclosure_required: bool,
    /// Its share of the job's amount; null if the amount is split evenly.
    pub amount_cents: Option<Cents>,
}

/// A job.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// The brand.
    pub partner_id: PartnerId,
    /// Its title.
    pub title: String,
    /// Its description.
    pub description: String,
    /// Its category.
    pub category_id: CategoryId,
    /// The kind of engagement.
    pub kind: JobKind,
    /// The kind of compensation.
    pub compensation: Compensation,
    /// The cash for each athlete.
    pub amount_cents: Cents,
    /// The goods or services given.
    pub product_description: Option<String>,
    /// Their fair value; for a royalty or commission its maximum.
    pub product_value_cents: Option<Cents>,
    /// The share of sales of a royalty or commission.
    pub commission_basis_points: Option<BasisPoints>,
    /// The number of athletes to hire.
    pub slots: i64,
    /// The number of athletes hired.
    pub filled: i64,
    /// The application deadline; hiring continues after it.
    pub application_deadline: Option<Time>,
    /// When it stops taking applications: at the deadline, and at the latest at the end of its last
    /// due date. Null only for a job without due dates and deadline.
    pub closes_at: Option<Time>,
    /// The first day of the term; if null, the day of hiring.
    pub starts_on: Option<Date>,
    /// The last day of the term; if null, the last due date.
    pub ends_on: Option<Date>,
    /// The conditions for being hired.
    #[row(json)]
    pub eligibility: Eligibility,
    /// The brand's rights to use the content.
    #[row(json)]
    pub usage_rights: UsageRights,
    /// The exclusivity that hired athletes grant.
    #[row(json(nullable))]
    pub exclusivity: Option<Exclusivity>,
    /// Its visibility.
    pub visibility: Visibility,
    /// The brand's purpose; contracts state it.
    pub business_purpose: String,
    /// A fee for this job only, set by an operator; shown to the brand.
    pub fee_basis_points: Option<BasisPoints>,
    /// Its state.
    pub status: JobStatus,
    /// Why it was closed.
    pub close_reason: Option<CloseReason>,
    /// Why an operator refused it or asks for changes; shown to the brand.
    pub decision_reason: Option<String>,
    /// The manual review, if one was requested; shown to the brand.
    #[row(json(nullable))]
    pub manual_review: Option<ManualReview>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
    /// The work it asks of each athlete, in order.
    #[row(skip)]
    pub milestones: Vec<Milestone>,
}

impl Revisable for Job {
    /// What a save changes. The job's milestones must be loaded.
    fn content(&self) -> Value {
        let others = [
            "id",
            "partner_id",
            "filled",
            "closes_at",
            "fee_basis_points",
            "status",
            "close_reason",
            "decision_reason",
            "manual_review",
            "created_at",
            "updated_at",
        ];
        without(json!(self), &others)
    }
}

impl Job {
    /// The facts that the rules of institutions examine. The job's milestones must be loaded.
    pub(crate) fn posting(&self) -> Posting {
        let wanted = &self.eligibility;
        let undertaking = |milestone: &Milestone| Undertaking {
            activity: milestone.activity,
            on: milestone.due_on,
        };
        Posting {
            job: self.id,
            term: (self.starts_on, self.ends_on),
            undertakings: self.milestones.iter().map(undertaking).collect(),
            colleges: wanted.university_ids.clone(),
            states: wanted.states.clone(),
            sports: wanted.sport_ids.clone(),
        }
    }

    /// What an athlete is given, in words: the cash, or what comes instead.
    pub(crate) fn offer(&self, cash: Cents) -> String {
        if cash.is_positive() {
            return cash.to_string();
        }
        let goods = self.product_description.clone();
        goods.unwrap_or_else(|| format!("a {}", self.compensation))
    }

    /// The job as users other than its brand see it.
    #[must_use]
    pub fn for_others(mut self) -> Self {
        self.fee_basis_points = None;
        self.decision_reason = None;
        self.manual_review = None;
        self
    }

    /// The platforms of its work. The job must have its milestones.
    pub(crate) fn platforms(&self) -> impl Iterator<Item = MediaPlatform> {
        self.milestones.iter().map(|milestone| milestone.platform)
    }

    /// The number of places left.
    #[must_use]
    pub fn places_left(&self) -> i64 {
        self.slots - self.filled
    }

    /// Whether the application period is over at `now`.
    #[must_use]
    pub fn is_past_deadline(&self, now: Time) -> bool {
        self.closes_at.is_some_and(|until| until < now)
    }

    /// Whether athletes cannot apply at `now`.
    #[must_use]
    pub fn refuses_applications(&self, now: Time) -> bool {
        self.status != JobStatus::Open || self.is_past_deadline(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_job_stays_finished() {
        for event in [JobEvent::Reopen, JobEvent::Cancel, JobEvent::Submit] {
            assert!(!JobStatus::Completed.can(event));
            assert!(!JobStatus::Cancelled.can(event));
        }
    }
}
