//! The worker: everything that happens by itself. Any number of workers may run on one database.

use std::time::Duration;

use serde::Serialize;

use crate::auth::audit;
use crate::content::sweeping::{self, SweptFiles};
use crate::error::Result;
use crate::notifications::worker as messages;
use crate::payments::{self, Reconciled, Swept};
use crate::platform::Platform;
use crate::{contracts, jobs};

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
    /// Jobs whose deadline has passed.
    pub jobs_closed: usize,
    /// Charges, payouts and refunds whose outcome was asked for.
    pub money: Reconciled,
    /// Payouts that were released or made by themselves.
    pub payouts: Swept,
    /// Files that were left over.
    pub files: SweptFiles,
    /// Rows of the audit trail sealed.
    pub sealed: usize,
}

/// Works off what is due now.
pub async fn round(platform: &Platform) -> Result<Round> {
    let contracts_expired = contracts::expire_unconfirmed(platform).await?;
    let requests_escalated = contracts::escalate_unanswered(platform).await?;
    let jobs_closed = jobs::close_expired(platform).await?;
    if platform.processor().sandbox().is_some() {
        payments::sandbox::deliver_events(platform).await?;
    }
    let money = payments::reconcile(platform).await?;
    let payouts = payments::sweep_payouts(platform).await?;
    let files = sweeping::sweep(platform).await?;
    let messages = messages::work_off(platform).await?;
    let sealed = audit::seal_all(platform).await?;
    messages::erase_expired(platform).await?;
    Ok(Round {
        messages,
        files,
        contracts_expired,
        requests_escalated,
        jobs_closed,
        money,
        payouts,
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
