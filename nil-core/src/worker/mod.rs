//! The worker: runs all background tasks. Any number of workers may run on one database.
//!
//! [`run`] runs the tasks beside a server: each [`Task`] has its own pace, time limit and pause
//! after failures, so no task waits for another (`running`). Of many servers, the one with the
//! lease runs a task (`lease`). [`round`] runs all tasks once, here and now; schedulers and tests
//! use it. `task` maps each task to the function of its domain folder, and `pruning` removes data
//! that is no longer needed.

mod lease;
mod pruning;
mod running;
mod task;
mod waits;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;

pub use running::run;

use crate::content::sweeping::SweptFiles;
use crate::error::Result;
use crate::payments::{Billed, Compared, Reconciled, Retried, Swept};
use crate::platform::Platform;
pub use crate::schedule::Task;
use crate::storage::partitions;

/// The result of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Round {
    /// Messages delivered or split by channel.
    pub messages: usize,
    /// Deliveries to endpoints of webhooks that arrived.
    pub webhooks: usize,
    /// Contracts that were not confirmed in time.
    pub contracts_expired: usize,
    /// Requests that the brand left unanswered, passed to the operators.
    pub requests_escalated: usize,
    /// Agents' invitations that were not answered in time.
    pub invitations_expired: usize,
    /// Orders of services that were not answered in time.
    pub orders_expired: usize,
    /// Delivered orders that the brand did not review in time.
    pub orders_concluded: usize,
    /// Jobs whose deadline has passed.
    pub jobs_closed: usize,
    /// Drafts of filings about athletes who brought an agent along to an institution.
    pub filings_drafted: usize,
    /// Published posts that were looked at.
    pub posts_checked: usize,
    /// Reminders of due dates and deadlines.
    pub reminders: usize,
    /// Digests of a day or a week.
    pub digests: usize,
    /// Accounts notified of an announcement: at most a thousand for each announcement; the next
    /// round continues.
    pub announced: usize,
    /// Queued exports that became ready.
    pub exports: usize,
    /// Charges, payouts and refunds whose outcome was looked up.
    pub money: Reconciled,
    /// The processor's statement, compared with our rows once a day.
    pub statement: Compared,
    /// Payouts released or made automatically.
    pub payouts: Swept,
    /// Failed payouts tried again automatically.
    pub retries: Retried,
    /// Subscriptions processed.
    pub subscriptions: Billed,
    /// Contracts whose commission was charged to the brand's card.
    pub commission_settled: usize,
    /// Invoices issued for a past month.
    pub invoices_issued: usize,
    /// Announced uploads that were not completed in time.
    pub uploads_expired: usize,
    /// Folders and files of the site's content that were deleted 30 days ago.
    pub content_removed: usize,
    /// Unused files.
    pub files: SweptFiles,
    /// Rows of the audit trail sealed.
    pub sealed: usize,
    /// Rows removed because they were no longer needed.
    pub pruned: usize,
    /// Tasks that failed; the next round tries them again. The other tasks ran all the same; the
    /// log has the reasons.
    pub failed: Vec<Task>,
}

/// Runs every task once, regardless of other servers' workers, except tasks that are not due yet. A
/// failing task is named in the answer and does not stop the others; `Err` if the database is
/// unavailable.
#[must_use]
pub fn round(platform: &Platform) -> BoxFuture<'_, Result<Round>> {
    Box::pin(task::all(platform))
}

/// How many more rows the ranges of each divided table take, by table; nothing on SQLite.
pub async fn partition_room(platform: &Platform) -> Result<Vec<(String, i64)>> {
    let rooms = partitions::rooms_of(platform.db()).await?;
    Ok(rooms.into_iter().map(|room| (room.table.clone(), room.left())).collect())
}
