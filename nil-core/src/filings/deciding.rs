//! Officers acknowledge or return filings, and record that the contract has ended.

use super::browsing;
use super::filing::Filing;
use super::filing_status::{FilingEvent, FilingStatus};
use super::recording::{Step, lock, record_move};
use super::store::filing as store;
use super::version::FilingAction;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{FilingId, Machine as _};
use crate::operation::{Cx, Done};

vocabulary! {
    /// An officer's decision on a filing.
    FilingDecision {
        /// Accepts it.
        Acknowledge = "acknowledge",
        /// Sends it back with a note.
        Return = "return",
        /// The contract it is about has ended.
        Terminate = "terminate",
    }
}

impl FilingDecision {
    const fn event(self) -> FilingEvent {
        match self {
            Self::Acknowledge => FilingEvent::Acknowledge,
            Self::Return => FilingEvent::Return,
            Self::Terminate => FilingEvent::Terminate,
        }
    }

    /// Whether it can be made about a filing in this state.
    #[must_use]
    pub fn possible_in(self, status: FilingStatus) -> bool {
        status.can(self.event())
    }

    const fn action(self) -> FilingAction {
        match self {
            Self::Acknowledge => FilingAction::Acknowledged,
            Self::Return => FilingAction::Returned,
            Self::Terminate => FilingAction::Terminated,
        }
    }
}

/// Decides on a filing of the institution.
pub(super) async fn decide(
    cx: Cx<PortalUser>,
    which: (FilingId, Option<i64>),
    decision: FilingDecision,
    note: Option<String>,
) -> Result<Done<Filing>> {
    if decision == FilingDecision::Return && note.is_none() {
        return Err(Error::invalid("note", "is required: explain what is wrong"));
    }
    let mut work = cx.begin().await?;
    let filing = lock(&mut work, &cx.caller, which).await?;
    let moved = filing.status.on(decision.event())?;
    let by = format!("portal_user:{}", cx.caller.id);
    let said = (by.as_str(), note.as_deref());
    store::decide(&mut work, &filing, moved, said, cx.now()).await?;
    let step = Step { version: filing.version + 1, action: decision.action(), note };
    record_move(&mut work, &filing, step, moved.to()).await?;
    let filing = browsing::one(&mut work, &cx.caller, filing.id, cx.now()).await?;
    work.done(filing).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_received_can_only_end() {
        use FilingDecision::{Acknowledge, Return, Terminate};
        let possible = |status| {
            let all = FilingDecision::ALL.iter().copied();
            all.filter(|decision| decision.possible_in(status)).collect::<Vec<_>>()
        };
        assert_eq!(possible(FilingStatus::Submitted), [Acknowledge, Return]);
        assert_eq!(possible(FilingStatus::Acknowledged), [Terminate]);
        assert_eq!(possible(FilingStatus::Returned), []);
    }
}
