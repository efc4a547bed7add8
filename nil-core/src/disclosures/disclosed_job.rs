//! A deal made off the platform, as disclosed by its athlete.

use chrono::Months;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::applied_rule::AppliedRule;
use super::clearance::Clearinghouse;
use crate::institutions::{Breach, DealFlag};
use crate::jobs::Compensation;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, CategoryId, Cents, CollegeId, Date, DisclosedJobId, FileId, LAST_TIME, Machine,
    Many, Move, SportId, Time,
};
use crate::storage::FromRow;

/// How long a disclosed job is kept after everything about it is over.
const KEPT_FOR: Months = Months::new(5 * 12);

vocabulary! {
    /// The state of a disclosed deal.
    DisclosedJobStatus {
        /// A draft; the institution does not see it.
        Draft = "draft",
        /// Submitted.
        Submitted = "submitted",
        /// An officer reviews it.
        UnderReview = "under_review",
        /// The officer requests more information.
        InfoRequested = "info_requested",
        /// Approved by the institution.
        Approved = "approved",
        /// Rejected by the institution; it can be changed and submitted again.
        Rejected = "rejected",
        /// Withdrawn.
        Withdrawn = "withdrawn",
    }
}

/// The events of a disclosed deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisclosedJobEvent {
    /// The athlete submits it.
    Submit,
    /// An officer starts the review.
    Take,
    /// An officer, or the institution's rules, approve it.
    Approve,
    /// An officer rejects it.
    Reject,
    /// An officer requests more information.
    Ask,
    /// The athlete withdraws it.
    Withdraw,
}

impl Machine for DisclosedJobStatus {
    type Event = DisclosedJobEvent;
    const NAME: &'static str = "disclosed job";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Draft];
    const TERMINAL: &'static [Self] = &[Self::Approved, Self::Withdrawn];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Draft, DisclosedJobEvent::Submit, Self::Submitted), // POST /add-disclosed-job
        (Self::Submitted, DisclosedJobEvent::Take, Self::UnderReview), // PUT /disclosed-jobs/{id}
        (Self::Submitted, DisclosedJobEvent::Approve, Self::Approved), // by itself, or an officer
        (Self::UnderReview, DisclosedJobEvent::Approve, Self::Approved), // PUT /disclosed-jobs/{id}
        (Self::UnderReview, DisclosedJobEvent::Reject, Self::Rejected),
        (Self::UnderReview, DisclosedJobEvent::Ask, Self::InfoRequested),
        (Self::InfoRequested, DisclosedJobEvent::Submit, Self::Submitted), // POST /add-disclosed-job
        (Self::Rejected, DisclosedJobEvent::Submit, Self::Submitted),
        (Self::Draft, DisclosedJobEvent::Withdraw, Self::Withdrawn), // POST /withdrawDisclosedJob
        (Self::Submitted, DisclosedJobEvent::Withdraw, Self::Withdrawn),
        (Self::UnderReview, DisclosedJobEvent::Withdraw, Self::Withdrawn),
        (Self::InfoRequested, DisclosedJobEvent::Withdraw, Self::Withdrawn),
        (Self::Rejected, DisclosedJobEvent::Withdraw, Self::Withdrawn),
    ];
}

vocabulary! {
    /// The kind of payer.
    PayerKind {
        /// A company.
        Business = "business",
        /// A charity or another nonprofit.
        Nonprofit = "nonprofit",
        /// A person.
        Individual = "individual",
        /// A collective of supporters.
        Collective = "collective",
        /// A booster.
        Booster = "booster",
        /// Any other payer.
        Other = "other",
    }
}

vocabulary! {
    /// An attestation that the athlete must make before submitting a deal.
    Attestation {
        /// It is not paid for athletic performance or participation.
        NotForPerformance = "not_for_performance",
        /// It is not an inducement to enrol or to stay.
        NotAnInducement = "not_an_inducement",
        /// The payer has a valid business purpose.
        BusinessPurpose = "business_purpose",
        /// The disclosure is complete and true.
        CompleteAndTrue = "complete_and_true",
    }
}

/// A deal made off the platform.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct DisclosedJob {
    /// Its id.
    pub id: DisclosedJobId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's institution when it was created.
    pub college_id: CollegeId,
    /// The payer.
    pub payer_name: String,
    /// The company that owns the payer; amounts are added up over a group of companies.
    pub payer_parent: Option<String>,
    /// The kind of payer.
    pub payer_kind: PayerKind,
    /// The deal's title.
    pub title: String,
    /// Its category of jobs.
    pub category_id: CategoryId,
    /// Its total value: cash, benefits and the maximum of contingent pay.
    pub amount_cents: Cents,
    /// The part of it in goods or services, at fair value.
    pub benefits_cents: Cents,
    /// The contingent part of it, at its maximum.
    pub contingent_cents: Cents,
    /// The kind of compensation.
    pub compensation: Compensation,
    /// The day of signing or agreement; in the future for a draft of a deal.
    pub signed_on: Date,
    /// The first day.
    pub starts_on: Option<Date>,
    /// The last day.
    pub ends_on: Option<Date>,
    /// The work done for it.
    pub description: String,
    /// Documents of the deal.
    #[row(rename = "file_ids", json)]
    pub documents: Vec<FileId>,
    /// Whether the payer is associated with the institution.
    pub associated_entity: bool,
    /// Whether the institution's marks or facilities are used.
    pub uses_marks: bool,
    /// The athlete's attestations.
    #[row(json)]
    pub attestations: Vec<Attestation>,
    /// The institution's rules that it breaks, as of the day of signing.
    #[row(json)]
    pub breaches: Vec<Breach>,
    /// Its flags.
    #[row(json)]
    pub flags: Vec<DealFlag>,
    /// The creator, in the words of the audit trail: an athlete or their agent.
    pub prepared_by: String,
    /// The submitter: the athlete.
    pub submitted_by: Option<String>,
    /// Its state.
    pub status: DisclosedJobStatus,
    /// The deciding officer's note.
    pub decision_note: Option<String>,
    /// The decider, in the words of the audit trail; `platform` if no approval was needed.
    pub decided_by: Option<String>,
    /// When it was decided.
    pub decided_at: Option<Time>,
    /// When it was first submitted; this counts for the deadline.
    pub first_submitted_at: Option<Time>,
    /// When it was last submitted.
    pub submitted_at: Option<Time>,
    /// The deadline for disclosing it to the institution.
    pub due_at: Time,
    /// Whether the deadline was missed.
    #[row(skip)]
    pub late: bool,
    /// Its status at the clearinghouse.
    #[row(skip)]
    pub clearinghouse: Option<Clearinghouse>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl DisclosedJob {
    /// Sets the values that depend on the current time `now`.
    #[must_use]
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        let handed_in = self.first_submitted_at.unwrap_or(now);
        self.late = self.due_at < handed_in && self.status != DisclosedJobStatus::Withdrawn;
        self.flags = DealFlag::shown(self.flags, self.late);
        self
    }
}

/// A disclosed job with the names of what its ids stand for.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct NamedDisclosedJob {
    /// The disclosed job.
    #[serde(flatten)]
    #[row(flatten)]
    pub job: DisclosedJob,
    /// The athlete's and the category's name.
    #[serde(flatten)]
    #[row(flatten)]
    pub names: DisclosedJobNames,
}

/// A disclosed job with the names of what its ids stand for, and why it is marked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DisclosedJobDetail {
    /// The disclosed job.
    #[serde(flatten)]
    pub job: DisclosedJob,
    /// The athlete's and the category's name.
    #[serde(flatten)]
    pub names: DisclosedJobNames,
    /// The rules that apply to it, as they add up now.
    pub rules: Vec<AppliedRule>,
}

/// The names of what the ids of a disclosed job stand for.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct DisclosedJobNames {
    /// The athlete's name.
    pub athlete_name: String,
    /// The name of its category of jobs.
    pub category_name: String,
}

/// The disclosed jobs of the institution's athletes to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListForCollege {
    /// In these states (default: all).
    pub statuses: Option<Many<DisclosedJobStatus, 0, 7>>,
    /// Only these athletes.
    pub athlete_ids: Option<Many<AthleteId, 0, 500>>,
    /// Only athletes of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// Only jobs of these categories.
    pub category_ids: Option<Many<CategoryId, 0, 100>>,
    /// Signed on this day or later.
    pub from: Option<Date>,
    /// Signed on this day or earlier.
    pub to: Option<Date>,
}

/// The end of the time for which a record must be kept that was over at this instant.
pub(super) fn kept_until(over: Time) -> Time {
    over.checked_add_months(KEPT_FOR).unwrap_or(LAST_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_approved_can_be_taken_back() {
        for status in DisclosedJobStatus::ALL {
            let over = DisclosedJobStatus::TERMINAL.contains(status);
            assert_eq!(status.can(DisclosedJobEvent::Withdraw), !over, "{status}");
        }
    }
}
