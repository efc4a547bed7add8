//! A representation: an agent and an athlete, from the invitation on.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, BasisPoints, Machine, Move, RepresentationId, Time};
use crate::storage::FromRow;

/// How long an invitation can be accepted.
pub(super) const OPEN_FOR: TimeDelta = TimeDelta::days(14);

vocabulary! {
    /// The state of a representation.
    RepresentationStatus {
        /// Waiting for the athlete's answer.
        Invited = "invited",
        /// The agent represents the athlete.
        Active = "active",
        /// The athlete declined, or the agent withdrew the invitation.
        Declined = "declined",
        /// Not answered in time.
        Expired = "expired",
        /// Ended.
        Ended = "ended",
    }
}

vocabulary! {
    /// Why a representation ended.
    EndReason {
        /// The athlete ended it.
        Athlete = "athlete",
        /// The agent ended it.
        Agent = "agent",
        /// An operator ended it.
        Operator = "operator",
        /// The athlete cancelled the contract within the time to cancel: nothing is owed for it.
        CancelledInTime = "cancelled_in_time",
    }
}

/// The events of a representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepresentationEvent {
    /// The athlete accepts.
    Accept,
    /// The athlete declines.
    Decline,
    /// The time to answer has expired.
    Expire,
    /// The agent withdraws the invitation.
    Withdraw,
    /// Either side, or an operator, ends it.
    End,
    /// The athlete cancels the contract within the time to cancel.
    Cancel,
}

impl Machine for RepresentationStatus {
    type Event = RepresentationEvent;
    const NAME: &'static str = "representation";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Invited];
    const TERMINAL: &'static [Self] = &[Self::Declined, Self::Expired, Self::Ended];
    const MOVES: &'static [Move<Self>] = &[
        // POST /athlete/respond-agent-invitation
        (Self::Invited, RepresentationEvent::Accept, Self::Active),
        (Self::Invited, RepresentationEvent::Decline, Self::Declined),
        (Self::Invited, RepresentationEvent::Expire, Self::Expired), // the worker, after 14 days
        (Self::Invited, RepresentationEvent::Withdraw, Self::Declined), // POST /agent/end-representation
        // …/end-representation, either side; GET /agent/unlink-athlete-agent/{id}
        (Self::Active, RepresentationEvent::End, Self::Ended),
        (Self::Active, RepresentationEvent::Cancel, Self::Ended), // POST /athlete/cancel-agent-contract
    ];
}

/// An agent and an athlete.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Representation {
    /// Its id.
    pub id: RepresentationId,
    /// The agent.
    pub agent_id: AgentId,
    /// The athlete; null for the agent until an invitation to an address is accepted, so that it
    /// does not reveal whether the address has an account.
    pub athlete_id: Option<AthleteId>,
    /// The address the invitation was sent to; null if the athlete was invited by id.
    pub email: Option<String>,
    /// Its state.
    pub status: RepresentationStatus,
    /// The agent's share of the athlete's pay.
    pub commission_basis_points: BasisPoints,
    /// The agent's message to the athlete.
    pub message: Option<String>,
    /// When the athlete was invited.
    pub invited_at: Time,
    /// The end of the time to answer; null once answered.
    #[row(skip)]
    pub expires_at: Option<Time>,
    /// When the athlete accepted.
    pub accepted_at: Option<Time>,
    /// Until when the athlete can cancel it and owe nothing: the end of the fourteenth day after
    /// accepting it, unless the institution's rule sets another number of days. Null before it is
    /// accepted.
    pub cancellable_until: Option<Time>,
    /// Until when money due to the agent waits because the athlete can still cancel; null if it
    /// does not wait.
    pub transfers_wait_until: Option<Time>,
    /// When it ended.
    pub ended_at: Option<Time>,
    /// Why it ended; null while it has not, and for those that ended before reasons were kept.
    pub end_reason: Option<EndReason>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Representation {
    /// Whether the time to answer is over, even if the worker has not expired it yet.
    pub(super) fn has_lapsed(&self, now: Time) -> bool {
        self.status == RepresentationStatus::Invited && self.invited_at + OPEN_FOR <= now
    }

    /// Whether the athlete can still cancel it. An end by either side does not take the right away.
    pub(super) fn can_be_cancelled(&self, now: Time) -> bool {
        let cancelled = self.end_reason == Some(EndReason::CancelledInTime);
        !cancelled && self.cancellable_until.is_some_and(|until| now <= until)
    }

    /// Sets the derived fields.
    pub(super) fn complete(mut self) -> Self {
        let open = self.status == RepresentationStatus::Invited;
        self.expires_at = open.then_some(self.invited_at + OPEN_FOR);
        self
    }

    /// The agent's view: the owner of an address is hidden until they have accepted.
    pub(super) fn for_agent(mut self) -> Self {
        if self.email.is_some() && self.accepted_at.is_none() {
            self.athlete_id = None;
        }
        self
    }
}
