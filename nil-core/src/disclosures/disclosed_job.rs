//! A deal made off the platform, as its athlete discloses it.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::clearance::Clearinghouse;
use crate::institutions::{Breach, DealFlag};
use crate::jobs::Compensation;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, CategoryId, Cents, CollegeId, Date, DisclosedJobId, FileId, Machine, Move, Time,
};

vocabulary! {
    /// The state of a disclosed deal.
    DisclosedJobStatus {
        /// Being prepared; the institution does not see it.
        Draft = "draft",
        /// Handed in.
        Submitted = "submitted",
        /// An officer looks at it.
        UnderReview = "under_review",
        /// The officer wants to know more.
        InfoRequested = "info_requested",
        /// The institution has nothing against it.
        Approved = "approved",
        /// The institution does not accept it; it can be changed and handed in again.
        Rejected = "rejected",
        /// Taken back.
        Withdrawn = "withdrawn",
    }
}

/// What can happen to a disclosed deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisclosedJobEvent {
    /// The athlete hands it in.
    Submit,
    /// An officer takes it up.
    Take,
    /// An officer, or the institution's rules, have nothing against it.
    Approve,
    /// An officer does not accept it.
    Reject,
    /// An officer wants to know more.
    Ask,
    /// The athlete takes it back.
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
    /// Who pays.
    PayerKind {
        /// A company.
        Business = "business",
        /// A charity or another body without profit.
        Nonprofit = "nonprofit",
        /// A person.
        Individual = "individual",
        /// A collective of supporters.
        Collective = "collective",
        /// A booster.
        Booster = "booster",
        /// Anybody else.
        Other = "other",
    }
}

vocabulary! {
    /// What an athlete has to attest before a deal is handed in.
    Attestation {
        /// It is not paid for athletic performance or participation.
        NotForPerformance = "not_for_performance",
        /// It is no inducement to enrol or to stay.
        NotAnInducement = "not_an_inducement",
        /// The payer has a valid business purpose.
        BusinessPurpose = "business_purpose",
        /// What is disclosed is complete and true.
        CompleteAndTrue = "complete_and_true",
    }
}

/// A deal made off the platform.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct DisclosedJob {
    /// Its id.
    pub id: DisclosedJobId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's institution when it was entered.
    pub college_id: CollegeId,
    /// Who pays.
    pub payer_name: String,
    /// The company that owns the payer; amounts of one group of companies are added up.
    pub payer_parent: Option<String>,
    /// What the payer is.
    pub payer_kind: PayerKind,
    /// What the deal is called.
    pub title: String,
    /// Its category of jobs.
    pub category_id: CategoryId,
    /// Everything it is worth: cash, benefits and the most that contingent pay can come to.
    pub amount_cents: Cents,
    /// The part of it that is goods or services, at their fair value.
    pub benefits_cents: Cents,
    /// The part of it that depends on something, at the most.
    pub contingent_cents: Cents,
    /// What the athlete is given.
    pub compensation: Compensation,
    /// The day of signing or agreeing; in the future for a draft of a deal.
    pub signed_on: Date,
    /// The first day.
    pub starts_on: Option<Date>,
    /// The last day.
    pub ends_on: Option<Date>,
    /// What is done for it.
    pub description: String,
    /// Files that show it.
    #[sqlx(rename = "file_ids", json)]
    pub documents: Vec<FileId>,
    /// Whether the payer is tied to the institution.
    pub associated_entity: bool,
    /// Whether the institution's marks or facilities are used.
    pub uses_marks: bool,
    /// What the athlete has attested.
    #[sqlx(json)]
    pub attestations: Vec<Attestation>,
    /// What the institution's rules have against it, as they were on the day of signing.
    #[sqlx(json)]
    pub breaches: Vec<Breach>,
    /// What is remarkable about it.
    #[sqlx(json)]
    pub flags: Vec<DealFlag>,
    /// Who entered it, as the audit trail words it: an athlete or their agent.
    pub prepared_by: String,
    /// Who handed it in: the athlete.
    pub submitted_by: Option<String>,
    /// Where it stands.
    pub status: DisclosedJobStatus,
    /// What the officer who decided says.
    pub decision_note: Option<String>,
    /// Who decided, as the audit trail words it; `platform` where no approval was needed.
    pub decided_by: Option<String>,
    /// When.
    pub decided_at: Option<Time>,
    /// When it was first handed in; that is what counts for the deadline.
    pub first_submitted_at: Option<Time>,
    /// When it was last handed in.
    pub submitted_at: Option<Time>,
    /// Until when it has to be disclosed to the institution.
    pub due_at: Time,
    /// Whether it was, or is, too late for that.
    #[sqlx(skip)]
    pub late: bool,
    /// Where it stands with the clearinghouse.
    #[sqlx(skip)]
    pub clearinghouse: Option<Clearinghouse>,
    /// When it was entered.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl DisclosedJob {
    /// Whose money it is: the name that amounts are added up by.
    #[must_use]
    pub fn payor(&self) -> &str {
        self.payer_parent.as_deref().unwrap_or(&self.payer_name)
    }

    /// Fills in what follows from the clock at `now`.
    #[must_use]
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        let handed_in = self.first_submitted_at.unwrap_or(now);
        self.late = self.due_at < handed_in && self.status != DisclosedJobStatus::Withdrawn;
        // Among the stored flags `late` says that lateness is to be flagged.
        let late = self.late;
        self.flags.retain(|flag| *flag != DealFlag::Late || late);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<DisclosedJobStatus>();
    }

    #[test]
    fn everything_but_approved_can_be_taken_back() {
        for status in DisclosedJobStatus::ALL {
            let over = DisclosedJobStatus::TERMINAL.contains(status);
            assert_eq!(status.can(DisclosedJobEvent::Withdraw), !over, "{status}");
        }
    }
}
