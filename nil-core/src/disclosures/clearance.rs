//! The status of a deal at the clearinghouse: of a contract of the platform or a disclosed job.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, Cents, ClearanceId, CollegeId, ContractId, Date, DisclosedJobId, Machine, Move, Time,
};
use crate::storage::FromRow;

vocabulary! {
    /// The status of a deal at the clearinghouse.
    ClearanceStatus {
        /// The athlete's deals with this payor are below the threshold.
        NotRequired = "not_required",
        /// They reach the threshold: the deal must be submitted by `due_at`.
        Due = "due",
        /// Submitted.
        Submitted = "submitted",
        /// The clearinghouse has questions.
        Flagged = "flagged",
        /// Cleared.
        Cleared = "cleared",
        /// Not cleared: it is revised and submitted again, given up, or taken to arbitration.
        NotCleared = "not_cleared",
        /// In arbitration.
        Arbitration = "arbitration",
    }
}

/// The events of a clearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClearanceEvent {
    /// The athlete's deals with the payor reach the threshold.
    Require,
    /// They no longer reach it.
    Release,
    /// It is submitted, for the first time or revised.
    Submit,
    /// The clearinghouse has questions.
    Flag,
    /// It is cleared.
    Clear,
    /// It is not cleared.
    Refuse,
    /// It goes to arbitration.
    Arbitrate,
}

impl Machine for ClearanceStatus {
    type Event = ClearanceEvent;
    const NAME: &'static str = "clearance";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::NotRequired];
    const TERMINAL: &'static [Self] = &[Self::Cleared];
    const MOVES: &'static [Move<Self>] = &[
        (Self::NotRequired, ClearanceEvent::Require, Self::Due), // a deal crosses the threshold
        (Self::Due, ClearanceEvent::Release, Self::NotRequired), // a deal is changed or withdrawn
        (Self::Due, ClearanceEvent::Submit, Self::Submitted),    // PUT /clearances/{id}
        (Self::Submitted, ClearanceEvent::Flag, Self::Flagged),
        (Self::Submitted, ClearanceEvent::Clear, Self::Cleared),
        (Self::Submitted, ClearanceEvent::Refuse, Self::NotCleared),
        (Self::Flagged, ClearanceEvent::Submit, Self::Submitted),
        (Self::Flagged, ClearanceEvent::Clear, Self::Cleared),
        (Self::Flagged, ClearanceEvent::Refuse, Self::NotCleared),
        (Self::NotCleared, ClearanceEvent::Submit, Self::Submitted),
        (Self::NotCleared, ClearanceEvent::Arbitrate, Self::Arbitration),
        (Self::Arbitration, ClearanceEvent::Clear, Self::Cleared),
        (Self::Arbitration, ClearanceEvent::Refuse, Self::NotCleared),
    ];
}

vocabulary! {
    /// The clearinghouse's decision, or a step taken there.
    ClearanceWord {
        /// It was submitted.
        Submitted = "submitted",
        /// The clearinghouse has questions.
        Flagged = "flagged",
        /// The deal is cleared.
        Cleared = "cleared",
        /// The deal is not cleared.
        NotCleared = "not_cleared",
        /// The deal goes to arbitration.
        Arbitration = "arbitration",
    }
}

impl ClearanceWord {
    /// The matching event.
    #[must_use]
    pub const fn event(self) -> ClearanceEvent {
        match self {
            Self::Submitted => ClearanceEvent::Submit,
            Self::Flagged => ClearanceEvent::Flag,
            Self::Cleared => ClearanceEvent::Clear,
            Self::NotCleared => ClearanceEvent::Refuse,
            Self::Arbitration => ClearanceEvent::Arbitrate,
        }
    }
}

/// The status of a deal at the clearinghouse.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Clearance {
    /// Its id.
    pub id: ClearanceId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete_name: String,
    /// The institution.
    pub college_id: CollegeId,
    /// The contract it concerns.
    pub contract_id: Option<ContractId>,
    /// The disclosed job it concerns.
    pub disclosed_job_id: Option<DisclosedJobId>,
    /// The deal's title.
    pub title: String,
    /// The payor's name: the company or person that the deal names.
    pub payor: String,
    /// The total value of the deal.
    pub amount_cents: Cents,
    /// The day both sides had agreed.
    pub signed_on: Date,
    /// Its state.
    pub status: ClearanceStatus,
    /// The deadline for submitting it; null if that is not required.
    pub due_at: Option<Time>,
    /// Whether the deadline was missed.
    #[row(skip)]
    pub late: bool,
    /// The clearinghouse's reference.
    pub reference: Option<String>,
    /// The clearinghouse's note.
    pub note: Option<String>,
    /// When it was first submitted there.
    pub submitted_at: Option<Time>,
    /// The date of the clearinghouse's last decision.
    pub decided_at: Option<Time>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Clearance {
    /// Sets the values that depend on the current time `now`.
    #[must_use]
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        let handed_in = self.submitted_at.unwrap_or(now);
        self.late = self.due_at.is_some_and(|due| due < handed_in);
        self
    }
}

/// The status of a disclosed job at the clearinghouse.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Clearinghouse {
    /// The id of the clearance.
    pub id: ClearanceId,
    /// Its state.
    pub status: ClearanceStatus,
    /// The clearinghouse's reference.
    pub reference: Option<String>,
    /// The clearinghouse's note.
    pub note: Option<String>,
    /// The deadline for submitting it; null if that is not required.
    pub due_at: Option<Time>,
    /// Whether the deadline was missed.
    pub late: bool,
    /// When it was first submitted there.
    pub submitted_at: Option<Time>,
    /// The date of the clearinghouse's last decision.
    pub decided_at: Option<Time>,
}

impl From<Clearance> for Clearinghouse {
    fn from(clearance: Clearance) -> Self {
        Self {
            id: clearance.id,
            status: clearance.status,
            reference: clearance.reference,
            note: clearance.note,
            due_at: clearance.due_at,
            late: clearance.late,
            submitted_at: clearance.submitted_at,
            decided_at: clearance.decided_at,
        }
    }
}
