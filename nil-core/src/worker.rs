//! The worker: everything that happens by itself. Any number of workers may run on one database.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use serde::Serialize;

use crate::auth::audit;
use crate::content::sweeping::{self, SweptFiles};
use crate::error::Result;
use crate::kernel::Time;
use crate::notifications::worker as messages;
use crate::payments::{self, Reconciled, Swept};
use crate::platform::Platform;
use crate::{agents, contracts, filings, jobs};

/// Between rounds when nobody wakes the worker.
const PAUSE: Duration = Duration::from_secs(2);

/// What one round did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Round {
    /// Messages handed over or split by channel.
    pub messages: usize,
    /// Contracts that nobody confirmed in time.
    pub contracts_expired: usize,
    /// Requests that a brand left unanswered, handed to the operators.
    pub requests_escalated: usize,
    /// Agents' invitations that nobody answered in time.
    pub invitations_expired: usize,
    /// Jobs whose deadline has passed.
    pub jobs_closed: usize,
    /// Due dates and deadlines that somebody was reminded of.
    pub reminders: usize,
    /// Charges, payouts and refunds whose outcome was asked for.
    pub money: Reconciled,
    /// Payouts that were released or made by themselves.
    pub payouts: Swept,
    /// Invoices issued for a month that is over.
    pub invoices_issued: usize,
    /// Files that were left over.
    pub files: SweptFiles,
    /// Rows of the audit trail sealed.
    pub sealed: usize,
}

/// When something was last done that need not be done in every round.
#[derive(Debug, Default)]
pub(crate) struct Pace(Mutex<Option<Time>>);

impl Pace {
    /// Whether it is time again; if so, it counts as done. A clock that was set back starts anew.
    pub(crate) fn is_due(&self, now: Time, every: TimeDelta) -> bool {
        let due = !self.was_done(now, every);
        if due {
            self.done(now);
        }
        due
    }

    /// Whether it was done within this time.
    pub(crate) fn was_done(&self, now: Time, within: TimeDelta) -> bool {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| last <= now && now - last < within)
    }

    /// It has been done.
    pub(crate) fn done(&self, now: Time) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }
}

/// Works off what is due now.
pub async fn round(platform: &Platform) -> Result<Round> {
    let contracts_expired = contracts::expire_unconfirmed(platform).await?;
    let requests_escalated = contracts::escalate_unanswered(platform).await?;
    let invitations_expired = agents::expire_unanswered(platform).await?;
    let jobs_closed = jobs::close_expired(platform).await?;
    if platform.processor().sandbox().is_some() {
        payments::sandbox::deliver_events(platform).await?;
    }
    let reminders = if platform
        .reminding()
        .is_due(platform.now(), jobs::REMIND_EVERY)
    {
        jobs::remind(platform).await? + filings::remind(platform).await?
    } else {
        0
    };
    let money = payments::reconcile(platform).await?;
    let payouts = payments::sweep_payouts(platform).await?;
    let invoices_issued = payments::issue_invoices(platform).await?;
    let files = sweeping::sweep(platform).await?;
    let messages = messages::work_off(platform).await?;
    let sealed = audit::seal_all(platform).await?;
    if platform
        .erasing()
        .is_due(platform.now(), messages::ERASE_EVERY)
    {
        messages::erase_expired(platform).await?;
    }
    Ok(Round {
        messages,
        contracts_expired,
        requests_escalated,
        invitations_expired,
        jobs_closed,
        reminders,
        money,
        payouts,
        invoices_issued,
        files,
        sealed,
    })
}

/// Works until the word is said: at once when something was written here, else every two seconds.
#[cfg(feature = "http")]
pub async fn run(platform: Platform, mut shutdown: crate::http::Shutdown) {
    loop {
        if let Err(error) = round(&platform).await {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::warn!(%error, cause, "a round of the worker failed; it is tried again");
        }
        tokio::select! {
            () = shutdown.said() => return,
            () = platform.worker_woken() => {}
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}
