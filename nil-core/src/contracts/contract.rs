//! A contract as the parties see it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::amendment::Amendment;
use super::terms::Terms;
use crate::feed::{Concerned, Event, Published};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AgentId, ApplicationId, AthleteId, BasisPoints, Cents, ContractId, JobId, Machine, Move,
    PartnerId, Time,
};
use crate::storage::FromRow;

vocabulary! {
    /// The state of a contract.
    ContractStatus {
        /// Written at hire; the athlete must confirm.
        Generated = "generated",
        /// Both sides have agreed.
        Active = "active",
        /// Done and paid.
        Completed = "completed",
        /// Cancelled.
        Cancelled = "cancelled",
        /// The athlete did not confirm in time.
        Expired = "expired",
    }
}

/// The events of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractEvent {
    /// The athlete confirms availability.
    Execute,
    /// The time to confirm has expired.
    Expire,
    /// The brand accepts the athlete's request, or an operator cancels.
    Cancel,
    /// Everything is approved and paid.
    Complete,
}

impl Machine for ContractStatus {
    type Event = ContractEvent;
    const NAME: &'static str = "contract";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Generated];
    const TERMINAL: &'static [Self] = &[Self::Completed, Self::Cancelled, Self::Expired];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Generated, ContractEvent::Execute, Self::Active), // POST /athlete/confirm-the-availability
        (Self::Generated, ContractEvent::Expire, Self::Expired), // the worker, after 72 hours
        // POST /partner/accept-contract-request, /job/cancel-contract
        (Self::Generated, ContractEvent::Cancel, Self::Cancelled),
        (Self::Active, ContractEvent::Cancel, Self::Cancelled),
        (Self::Active, ContractEvent::Complete, Self::Completed), // the last approval or payment
    ];
}

/// A contract.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Contract {
    /// Its id.
    pub id: ContractId,
    /// Its number, such as `NIL-2026-000123`.
    pub number: String,
    /// The application it came from.
    pub application_id: ApplicationId,
    /// The job.
    pub job_id: JobId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The brand.
    pub partner_id: PartnerId,
    /// The agreed cash.
    pub agreed_amount_cents: Cents,
    /// The platform's fee at the time of the hire, paid by the brand on top.
    pub fee_basis_points: BasisPoints,
    /// The agent who acts for the athlete.
    pub agent_id: Option<AgentId>,
    /// The agent's share of the athlete's pay.
    pub commission_basis_points: Option<BasisPoints>,
    /// When the agent's share was waived, because the athlete cancelled the contract with the agent
    /// in time.
    pub commission_waived_at: Option<Time>,
    /// The terms, frozen at hire.
    #[schemars(with = "Terms")]
    pub terms: Value,
    /// The SHA-256 of the terms.
    pub document_sha256: String,
    /// Its state.
    pub status: ContractStatus,
    /// When it was written.
    pub generated_at: Time,
    /// The end of the time to confirm.
    pub expires_at: Time,
    /// When both sides had agreed.
    pub executed_at: Option<Time>,
    /// When it was cancelled.
    pub cancelled_at: Option<Time>,
    /// When it was completed.
    pub completed_at: Option<Time>,
    /// The amendments that both sides agreed to since then, in order.
    #[row(skip)]
    pub amendments: Vec<Amendment>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Contract {
    /// An event about it, for webhooks of those whom the event concerns.
    pub(crate) fn publishes(&self, event: Event, concerned: Concerned) -> Published {
        Published::new(event, concerned)
            .with(self.id)
            .with(self.job_id)
            .with(self.athlete_id)
            .saying("status", self.status.as_str())
            .worth("amount_cents", self.agreed_amount_cents)
    }

    /// The job's title in the terms.
    pub fn job_title(&self) -> String {
        let title = self.terms.pointer("/job/title").and_then(Value::as_str);
        title.unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_is_possible() {
        let told = |status: ContractStatus, event| status.on(event).unwrap_err().to_string();
        assert_eq!(
            told(ContractStatus::Active, ContractEvent::Execute),
            "This contract is active and cannot be executed now. It can be cancelled or completed."
        );
        assert_eq!(
            told(ContractStatus::Completed, ContractEvent::Cancel),
            "This contract is completed and cannot be cancelled now. That is final."
        );
    }
}
