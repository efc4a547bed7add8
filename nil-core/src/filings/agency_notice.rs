//! A contract between athlete and agent that an institution must hear of, as the two see it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deadlines;
use super::filing_status::FilingStatus;
use super::particulars::Particulars;
use crate::kernel::{AgentId, AthleteId, CollegeId, FilingId, RepresentationId, Time};
use crate::storage::FromRow;

/// Filings to list.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct ListNotices {
    /// Only of this representation.
    pub representation_id: Option<RepresentationId>,
    /// Only those that lack a notice.
    pub missing: Option<bool>,
}

/// A contract between athlete and agent that an institution must hear of, as the two see it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AgencyNotice {
    /// The institution's filing.
    pub id: FilingId,
    /// The representation on the platform.
    pub representation_id: RepresentationId,
    /// The institution.
    pub college_id: CollegeId,
    /// Its name.
    pub college_name: String,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's display name.
    pub athlete_name: String,
    /// The agent.
    pub agent_id: AgentId,
    /// The agency's name.
    pub agency_name: String,
    /// The state of the filing: the institution completes and decides on it.
    pub status: FilingStatus,
    #[serde(skip)]
    #[schemars(skip)]
    #[row(json)]
    pub(super) particulars: Particulars,
    /// When the contract was signed.
    #[row(skip)]
    pub signed_at: Option<Time>,
    /// The deadline for both notices.
    pub notice_due_at: Option<Time>,
    /// When the agent gave notice.
    #[row(skip)]
    pub agent_notice_at: Option<Time>,
    /// When the athlete gave notice.
    #[row(skip)]
    pub athlete_notice_at: Option<Time>,
    /// The athlete's next event after signing, if it was given.
    #[row(skip)]
    pub next_event_at: Option<Time>,
    /// Whether a notice was late, or is missing after the deadline.
    #[row(skip)]
    pub late: bool,
    /// The end of the athlete's right to cancel the contract.
    pub cancellable_until: Option<Time>,
    /// When the athlete cancelled it; null if not.
    #[row(skip)]
    pub cancelled_at: Option<Time>,
    /// When the filing was made.
    pub created_at: Time,
}

impl AgencyNotice {
    /// Fills in what the content says, as of `now`.
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        let Particulars { contract, notices, .. } = &self.particulars;
        self.signed_at = contract.signed_at;
        self.cancelled_at = contract.cancelled_at;
        self.agent_notice_at = notices.agent_at;
        self.athlete_notice_at = notices.athlete_at;
        self.next_event_at = notices.next_event_at;
        self.late = deadlines::is_late(self.notice_due_at, notices, now);
        self
    }
}

/// Whose filings.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose {
    /// An athlete's.
    Athlete(AthleteId),
    /// An agent's.
    Agent(AgentId),
}
