//! One athlete's application for one job, from the invitation or application to the end of the
//! deal.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, ApplicationId, AthleteId, Cents, JobId, Machine, Move, Time};
use crate::storage::FromRow;

vocabulary! {
    /// The state of an application.
    ApplicationStatus {
        /// The brand has invited the athlete.
        Invited = "invited",
        /// The athlete has applied.
        Applicant = "applicant",
        /// The brand has hired the athlete, who must confirm.
        Hired = "hired",
        /// The athlete has confirmed.
        Confirmed = "confirmed",
        /// The athlete requests a later due date.
        ExtensionRequested = "extension_requested",
        /// The athlete requests a cancellation.
        CancellationRequested = "cancellation_requested",
        /// Done and paid.
        Completed = "completed",
        /// Rejected by the brand.
        Rejected = "rejected",
        /// Withdrawn by the athlete.
        Withdrawn = "withdrawn",
        /// The athlete declined the invitation.
        Declined = "declined",
        /// The invitation or the contract expired.
        Expired = "expired",
        /// The contract was cancelled.
        Cancelled = "cancelled",
    }
}

impl ApplicationStatus {
    /// The states in which the athlete holds one of the job's places.
    pub const HIRED: &'static [Self] = &[
        Self::Hired,
        Self::Confirmed,
        Self::ExtensionRequested,
        Self::CancellationRequested,
        Self::Completed,
    ];

    /// The states of a deal that is under way.
    pub const UNDER_WAY: &'static [Self] =
        &[Self::Hired, Self::Confirmed, Self::ExtensionRequested, Self::CancellationRequested];
}

vocabulary! {
    /// How an application was created.
    ApplicationSource {
        /// The athlete applied.
        Applied = "applied",
        /// The brand invited.
        Invited = "invited",
        /// An agent applied for the athlete.
        Agent = "agent",
    }
}

/// The events of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplicationEvent {
    /// The invited athlete applies.
    Apply,
    /// The invited athlete declines.
    Decline,
    /// The invitation or the contract expires.
    Expire,
    /// The brand hires.
    Hire,
    /// The brand rejects the applicant, or the last place is filled.
    Reject,
    /// The applicant withdraws.
    Withdraw,
    /// The hired athlete confirms their availability.
    Confirm,
    /// The athlete requests a cancellation.
    RequestCancellation,
    /// The athlete requests a later due date.
    RequestExtension,
    /// The request has ended and the contract is not yet executed.
    RestoreUnconfirmed,
    /// The request has ended and the contract is active.
    RestoreConfirmed,
    /// The brand agrees to cancel.
    Accept,
    /// An operator cancels.
    Cancel,
    /// Everything is approved and paid.
    Complete,
}

impl Machine for ApplicationStatus {
    type Event = ApplicationEvent;
    const NAME: &'static str = "application";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Invited, Self::Applicant];
    const TERMINAL: &'static [Self] = &[
        Self::Completed,
        Self::Rejected,
        Self::Withdrawn,
        Self::Declined,
        Self::Expired,
        Self::Cancelled,
    ];
    const MOVES: &'static [Move<Self>] = {
        use ApplicationEvent as Event;
        &[
            (Self::Invited, Event::Apply, Self::Applicant), // POST /applyJob
            (Self::Invited, Event::Decline, Self::Declined), // POST /athlete/respond-invitation
            (Self::Invited, Event::Expire, Self::Expired),
            (Self::Applicant, Event::Hire, Self::Hired), // POST /athleteHire
            (Self::Applicant, Event::Reject, Self::Rejected), // POST /rejectAthletefromJob
            (Self::Applicant, Event::Withdraw, Self::Withdrawn), // POST /withdrawApplication
            (Self::Hired, Event::Confirm, Self::Confirmed), // POST /athlete/confirm-the-availability
            // POST /athlete/not-available-for-deal
            (Self::Hired, Event::RequestCancellation, Self::CancellationRequested),
            (Self::Confirmed, Event::RequestCancellation, Self::CancellationRequested),
            (Self::ExtensionRequested, Event::RequestCancellation, Self::CancellationRequested),
            // POST /athlete/request-new-due-date-for-deal
            (Self::Hired, Event::RequestExtension, Self::ExtensionRequested),
            (Self::Confirmed, Event::RequestExtension, Self::ExtensionRequested),
            // POST /partner/dismiss-contract-request, /athlete/withdraw-contract-request
            (Self::CancellationRequested, Event::RestoreUnconfirmed, Self::Hired),
            (Self::ExtensionRequested, Event::RestoreUnconfirmed, Self::Hired),
            (Self::CancellationRequested, Event::RestoreConfirmed, Self::Confirmed),
            (Self::ExtensionRequested, Event::RestoreConfirmed, Self::Confirmed),
            // POST /partner/accept-contract-request
            (Self::CancellationRequested, Event::Accept, Self::Cancelled),
            // POST /job/cancel-contract (operator)
            (Self::Hired, Event::Cancel, Self::Cancelled),
            (Self::Confirmed, Event::Cancel, Self::Cancelled),
            (Self::CancellationRequested, Event::Cancel, Self::Cancelled),
            (Self::ExtensionRequested, Event::Cancel, Self::Cancelled),
            (Self::Hired, Event::Expire, Self::Expired),
            (Self::CancellationRequested, Event::Expire, Self::Expired),
            (Self::ExtensionRequested, Event::Expire, Self::Expired),
            (Self::Confirmed, Event::Complete, Self::Completed),
            (Self::ExtensionRequested, Event::Complete, Self::Completed),
            (Self::CancellationRequested, Event::Complete, Self::Completed),
        ]
    };
}

/// The reason of a rejection because the last place was filled.
pub(crate) const POSITION_FILLED: &str = "position_filled";
/// The reason of a rejection because the job was cancelled.
pub(crate) const JOB_CANCELLED: &str = "job_cancelled";

/// The advertisement that led to a hire; stored only if the platform is configured for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Attribution {
    /// The advertising browser id.
    pub fbp: Option<String>,
    /// The advertising click id.
    pub fbc: Option<String>,
}

/// An application.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Application {
    /// Its id: the input of `/athleteHire`.
    pub id: ApplicationId,
    /// The job.
    pub job_id: JobId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The agent who applied for the athlete, or who acts in the deal.
    pub agent_id: Option<AgentId>,
    /// How it was created.
    pub source: ApplicationSource,
    /// The athlete's pitch.
    pub pitch: Option<String>,
    /// The amount the athlete asks for instead of the job's amount.
    pub proposed_amount_cents: Option<Cents>,
    /// Its state.
    pub status: ApplicationStatus,
    /// Why it ended; `position_filled` and `job_cancelled` if the platform ended it.
    pub reason: Option<String>,
    /// The advertisement that led to the hire.
    #[row(flatten)]
    pub attribution: Attribution,
    /// When the athlete applied or was invited.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_cannot_be_asked_for_over_a_cancellation() {
        let requested = ApplicationStatus::CancellationRequested;
        assert!(!requested.can(ApplicationEvent::RequestExtension));
        assert!(ApplicationStatus::ExtensionRequested.can(ApplicationEvent::RequestCancellation));
    }
}
