//! The worker: everything that happens by itself. Any number of workers may run on one database.
//!
//! Each concern is a [`Task`] with its own pace, time and pause after failures; none waits for another.
//! [`run`] does them beside a server, each on one server of many; [`round`] does all of them once, here
//! and now.

#[cfg(feature = "http")]
mod lease;
mod pruning;
#[cfg(feature = "http")]
mod running;
mod task;

use schemars::JsonSchema;
use serde::Serialize;

#[cfg(feature = "http")]
pub use running::run;

use crate::content::sweeping::SweptFiles;
use crate::error::Result;
use crate::payments::{Billed, Reconciled, Retried, Swept};
use crate::platform::Platform;
pub use crate::schedule::Task;

/// What one round did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Round {
    /// Messages handed over or split by channel.
    pub messages: usize,
    /// Contracts that nobody confirmed in time.
    pub contracts_expired: usize,
    /// Requests that a brand left unanswered, handed to the operators.
    pub requests_escalated: usize,
    /// Agents' invitations that nobody answered in time.
    pub invitations_expired: usize,
    /// Orders of services that nobody answered in time.
    pub orders_expired: usize,
    /// Delivered orders whose brand has not said anything in time.
    pub orders_concluded: usize,
    /// Jobs whose deadline has passed.
    pub jobs_closed: usize,
    /// Due dates and deadlines that somebody was reminded of.
    pub reminders: usize,
    /// Mails that gather what happened in a day or a week.
    pub digests: usize,
    /// Accounts that were told of an announcement: a thousand of each one at most, the next round goes
    /// on.
    pub announced: usize,
    /// Charges, payouts and refunds whose outcome was asked for.
    pub money: Reconciled,
    /// Payouts that were released or made by themselves.
    pub payouts: Swept,
    /// Failed payouts that were tried again by themselves.
    pub retries: Retried,
    /// What was done about subscriptions that something was due for.
    pub subscriptions: Billed,
    /// Contracts whose commission was charged to the brand's card.
    pub commission_settled: usize,
    /// Invoices issued for a month that is over.
    pub invoices_issued: usize,
    /// Announced uploads that nobody completed in time.
    pub uploads_expired: usize,
    /// Files that were left over.
    pub files: SweptFiles,
    /// Rows of the audit trail sealed.
    pub sealed: usize,
    /// Rows removed that were kept for nobody any more.
    pub pruned: usize,
    /// Tasks that failed, which the next round tries again. The others were done all the same; the log
    /// says why.
    pub failed: Vec<Task>,
}

/// Works off what is due now: every task once, whichever servers run workers, those left out whose time
/// has not come again. A task that fails is named in the answer and does not keep the others from their
/// work; `Err` where the database is away.
pub async fn round(platform: &Platform) -> Result<Round> {
    task::all(platform).await
}
