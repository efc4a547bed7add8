//! Where a deal stands with the clearinghouse: a contract of the platform or a disclosed job.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, Cents, ClearanceId, CollegeId, ContractId, Date, DisclosedJobId, Machine, Move, Time,
};

vocabulary! {
    /// Where a deal stands with the clearinghouse.
    ClearanceStatus {
        /// The athlete's deals with this payor do not reach the threshold.
        NotRequired = "not_required",
        /// They do: it has to be handed in by `due_at`.
        Due = "due",
        /// Handed in.
        Submitted = "submitted",
        /// The clearinghouse has questions.
        Flagged = "flagged",
        /// Cleared.
        Cleared = "cleared",
        /// Not cleared: revised and handed in again, given up, or taken to arbitration.
        NotCleared = "not_cleared",
        /// Before an arbitrator.
        Arbitration = "arbitration",
    }
}

/// What can happen to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClearanceEvent {
    /// The athlete's deals with the payor reach the threshold.
    Require,
    /// They no longer do.
    Release,
    /// It is handed in, for the first time or revised.
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
    /// What the clearinghouse says, or what was done there.
    ClearanceWord {
        /// It was handed in.
        Submitted = "submitted",
        /// It has questions.
        Flagged = "flagged",
        /// It clears the deal.
        Cleared = "cleared",
        /// It does not.
        NotCleared = "not_cleared",
        /// The deal goes to arbitration.
        Arbitration = "arbitration",
    }
}

impl ClearanceWord {
    /// What has happened.
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

/// A deal's standing with the clearinghouse.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Clearance {
    /// Its id.
    pub id: ClearanceId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The institution.
    pub college_id: CollegeId,
    /// The contract of the platform it is about.
    pub contract_id: Option<ContractId>,
    /// The disclosed job it is about.
    pub disclosed_job_id: Option<DisclosedJobId>,
    /// The payor's group of companies, in the spelling that amounts are added up by.
    pub payor: String,
    /// Everything the deal is worth.
    pub amount_cents: Cents,
    /// The day both had agreed.
    pub signed_on: Date,
    /// Where it stands.
    pub status: ClearanceStatus,
    /// Until when it has to be handed in; none where it need not be.
    pub due_at: Option<Time>,
    /// Whether it was, or is, too late for that.
    #[sqlx(skip)]
    pub late: bool,
    /// The clearinghouse's own name for it.
    pub reference: Option<String>,
    /// What the clearinghouse says.
    pub note: Option<String>,
    /// When it was first handed in there.
    pub submitted_at: Option<Time>,
    /// When the clearinghouse last said something.
    pub decided_at: Option<Time>,
    /// When it came about.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Clearance {
    /// Fills in what follows from the clock at `now`.
    #[must_use]
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        let handed_in = self.submitted_at.unwrap_or(now);
        self.late = self.due_at.is_some_and(|due| due < handed_in);
        self
    }
}

/// The same, as a part of a disclosed job.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Clearinghouse {
    /// The id of the clearance.
    pub id: ClearanceId,
    /// Where it stands.
    pub status: ClearanceStatus,
    /// The clearinghouse's own name for it.
    pub reference: Option<String>,
    /// What the clearinghouse says.
    pub note: Option<String>,
    /// Until when it has to be handed in; none where it need not be.
    pub due_at: Option<Time>,
    /// Whether it was, or is, too late for that.
    pub late: bool,
    /// When it was first handed in there.
    pub submitted_at: Option<Time>,
    /// When the clearinghouse last said something.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<ClearanceStatus>();
    }
}
