//! What an institution's athletes have to do by when.

use schemars::JsonSchema;
use serde::Serialize;

use crate::auth::PortalUser;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, SportId, Time};
use crate::storage::FromRow;

vocabulary! {
    /// What is due, or waits.
    DeadlineKind {
        /// A disclosed job: that waits for the athlete, or was submitted late and is undecided; in
        /// the inbox every undecided one.
        DisclosedJob = "disclosed_job",
        /// A deliverable of an open contract.
        Deliverable = "deliverable",
        /// A deal that must be submitted to the clearinghouse; in the inbox also one that it
        /// flagged.
        Clearance = "clearance",
        /// A notice of an agency contract that the athlete or the agent has not given the
        /// institution yet; in the inbox also a filing that waits to be acknowledged.
        AgentNotice = "agent_notice",
    }
}

/// A late or upcoming deadline.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Deadline {
    /// What is due.
    pub kind: DeadlineKind,
    /// The record: a disclosed job, a deliverable, a clearance, a filing.
    pub id: i64,
    /// Its name.
    pub title: String,
    /// The deadline.
    pub due_at: Time,
    /// When it was first submitted, if it is still undecided.
    pub handed_in_at: Option<Time>,
    /// Whether it is late or was submitted late.
    pub late: bool,
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) athlete_id: AthleteId,
}

/// An athlete's late and upcoming deadlines.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct AthleteDeadlines {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The display name.
    pub athlete: String,
    /// Their sport.
    pub sport_id: Option<SportId>,
    /// The sport's name.
    pub sport: Option<String>,
    /// How many are late.
    pub late: i64,
    /// How many are due and not late yet.
    pub due: i64,
    /// The earliest of the deadlines.
    pub first_due_at: Time,
    /// The deadlines, earliest first.
    #[row(skip)]
    pub items: Vec<Deadline>,
}

/// The request with its defaults filled in.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) caller: PortalUser,
    pub(super) kinds: Vec<DeadlineKind>,
    pub(super) athletes: Vec<AthleteId>,
    pub(super) sports: Vec<SportId>,
    pub(super) until: Time,
    pub(super) late_only: bool,
    pub(super) now: Time,
}
