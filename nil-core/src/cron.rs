//! Operations for an external scheduler: run one of the worker's tasks now, or one whole round.
//!
//! The worker does all of this by itself. The operations are for hosts without a worker, and for
//! callers that do not want to wait for the next round. Every task may run concurrently with
//! workers and with itself; actions that must happen once still happen once.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::auth::Service;
use crate::content::sweeping;
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::operation::{Cx, Done, Subject};
use crate::platform::Platform;
use crate::worker::{self, Round};
use crate::{content_library, deal_folder, deals, disclosures, jobs, notifications, payments};

vocabulary! {
    /// A task of the worker.
    CronTask {
        /// Reminds of work, disclosures and clearances that are due soon. Counts `reminders`.
        DueSoon = "due-soon",
        /// Reminds of overdue work, disclosures and clearances. Counts `reminders`.
        Overdue = "overdue",
        /// Ends contracts that were not confirmed in time. Counts `contracts_expired`.
        ExpireContracts = "expire-contracts",
        /// Sends payouts that waited for an account, and pays out wallets automatically if their
        /// owners chose so. Counts `released`, `held`, `paid_out`, `failed`.
        SweepPayouts = "sweep-payouts",
        /// Closes jobs whose application period is over. Counts `jobs_closed`.
        CloseExpiredJobs = "close-expired-jobs",
        /// Retries payouts that failed at least a day ago. Counts `retried`, `held`, `failed`.
        RetryPayouts = "retry-payouts",
        /// Charges subscriptions whose period is over, and ends those that are not continued.
        /// Counts `renewed`, `declined`, `open`, `ended`.
        SubscriptionBilling = "subscription-billing",
        /// Compares the processor's statement with our records, once a day and the last three days
        /// each time. Counts `lines`, `found`, `gone`.
        CompareStatement = "compare-statement",
        /// Mails digests to institutions that chose one mail a day or a week, when their hour has
        /// come. Counts `digests`.
        Digests = "digests",
        /// Ends announced uploads that were not completed, deletes unused files, and looks for
        /// objects without a file. Removes content that was deleted 30 days ago. Counts
        /// `announced`, `removed`, `unused`, `relics`.
        ExpireUploads = "expire-uploads",
    }
}

/// The task to run.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct RunTask {
    /// The task.
    pub task: CronTask,
}

/// No fields.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct RunRound {}

/// The result of a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TaskRun {
    /// The task.
    pub task: CronTask,
    /// Counts of what it did. A task with more work than it does at once continues at the next
    /// call.
    pub counts: BTreeMap<&'static str, usize>,
}

/// Runs one of the worker's tasks now (extension). For services with the scope `internal`. 422 for
/// a task that does not exist.
pub async fn run_task(cx: Cx<Service>, input: RunTask) -> Result<Done<TaskRun>> {
    let counts = run(cx.platform(), input.task).await?;
    let mut work = cx.begin().await?;
    work.note(WORKER, input.task.as_str());
    work.done(TaskRun { task: input.task, counts: BTreeMap::from_iter(counts) }).await
}

/// Runs one round of the worker (extension). Tasks that need not run in every round are left to a
/// later one, as in the worker itself. For services with the scope `internal`.
pub async fn run_round(cx: Cx<Service>, _: RunRound) -> Result<Done<Round>> {
    let round = worker::round(cx.platform()).await?;
    let mut work = cx.begin().await?;
    work.note(WORKER, "round");
    work.done(round).await
}

/// Tasks have no record: the audit trail names the worker.
const WORKER: Subject = Subject { kind: "worker", id: 0 };

async fn run(platform: &Platform, task: CronTask) -> Result<Vec<(&'static str, usize)>> {
    Ok(match task {
        CronTask::DueSoon => {
            let work = deals::remind_due_soon(platform).await?;
            let told = disclosures::remind_due_soon(platform).await?;
            vec![("reminders", work + told)]
        }
        CronTask::Overdue => {
            let work = deals::remind_overdue(platform).await?;
            let told = disclosures::remind_overdue(platform).await?;
            vec![("reminders", work + told)]
        }
        CronTask::ExpireContracts => {
            let expired = deals::expire_unconfirmed(platform).await?;
            vec![("contracts_expired", expired)]
        }
        CronTask::SweepPayouts => {
            let swept = payments::sweep_payouts(platform).await?;
            vec![
                ("released", swept.released),
                ("held", swept.held),
                ("paid_out", swept.paid_out),
                ("failed", swept.failed),
            ]
        }
        CronTask::CloseExpiredJobs => {
            vec![("jobs_closed", jobs::close_expired(platform).await?)]
        }
        CronTask::RetryPayouts => {
            let retries = payments::retry_payouts(platform).await?;
            vec![("retried", retries.retried), ("held", retries.held), ("failed", retries.failed)]
        }
        CronTask::SubscriptionBilling => {
            let billed = payments::bill(platform).await?;
            vec![
                ("renewed", billed.renewed),
                ("declined", billed.declined),
                ("open", billed.open),
                ("ended", billed.ended),
            ]
        }
        CronTask::CompareStatement => {
            let compared = payments::compare_due(platform).await?;
            vec![("lines", compared.lines), ("found", compared.found), ("gone", compared.gone)]
        }
        CronTask::Digests => vec![("digests", notifications::send_digests(platform).await?)],
        CronTask::ExpireUploads => {
            let announced = deal_folder::expire_uploads(platform).await?;
            let in_parts = content_library::expire_uploads(platform).await?;
            let removed = content_library::remove_deleted(platform).await?;
            let swept = sweeping::sweep(platform).await?;
            vec![
                ("announced", announced + in_parts),
                ("removed", removed),
                ("unused", swept.unused),
                ("relics", swept.relics),
            ]
        }
    })
}
