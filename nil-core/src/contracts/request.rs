//! A request about a contract: to cancel it (`CC`) or to move a due date (`EDD`).

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ContractId, ContractRequestId, Date, DeliverableId, Machine, Move, Time};
use crate::storage::FromRow;

vocabulary! {
    /// The kind of request.
    RequestKind {
        /// Contract cancellation.
        Cancellation = "CC",
        /// Extension of a due date.
        Extension = "EDD",
    }
}

impl RequestKind {
    /// Its name in messages.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Cancellation => "cancellation",
            Self::Extension => "new due date",
        }
    }
}

vocabulary! {
    /// The state of a request.
    RequestStatus {
        /// Pending.
        Pending = "P",
        /// Accepted.
        Accepted = "A",
        /// Rejected: the brand dismissed it.
        Rejected = "R",
        /// Withdrawn by the athlete.
        Withdrawn = "W",
    }
}

/// The events of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestEvent {
    /// The brand agrees.
    Accept,
    /// The brand dismisses it, or the contract ends first.
    Dismiss,
    /// The athlete withdraws it.
    Withdraw,
}

impl Machine for RequestStatus {
    type Event = RequestEvent;
    const NAME: &'static str = "contract_request";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Pending];
    const TERMINAL: &'static [Self] = &[Self::Accepted, Self::Rejected, Self::Withdrawn];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Pending, RequestEvent::Accept, Self::Accepted), // POST /partner/accept-contract-request
        (Self::Pending, RequestEvent::Dismiss, Self::Rejected), // POST /partner/dismiss-contract-request
        (Self::Pending, RequestEvent::Withdraw, Self::Withdrawn), // POST /athlete/withdraw-contract-request
    ];
}

/// A request about a contract.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ContractRequest {
    /// Its id.
    pub id: ContractRequestId,
    /// The contract.
    pub contract_id: ContractId,
    /// Its kind.
    pub kind: RequestKind,
    /// Its state.
    pub status: RequestStatus,
    /// The requester, in the words of the audit trail.
    pub raised_by: String,
    /// The reason.
    pub reason: Option<String>,
    /// The deliverable whose date should move.
    pub deliverable_id: Option<DeliverableId>,
    /// The proposed date.
    pub proposed_due_on: Option<Date>,
    /// When it was decided.
    pub decided_at: Option<Time>,
    /// The decider, in the words of the audit trail.
    pub decided_by: Option<String>,
    /// When it was raised.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
