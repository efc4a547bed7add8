//! What each task does, and one attempt of it. Its pace and its time limit are in its row
//! (`schedule::Task`).

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use futures::FutureExt as _;
use tracing::{Instrument as _, Span, field};

use super::{Round, pruning, waits};
use crate::accounts::registering;
use crate::content::sweeping;
use crate::error::{Error, Kind, Result, codes};
use crate::figures::rollup::keeping::keep_totals;
use crate::metering::{WORKER_RUNS, WORKER_TIME};
use crate::notifications::worker as messages;
use crate::operation::chain;
use crate::platform::Platform;
use crate::ports::traces;
use crate::schedule::Task;
use crate::storage::partitions;
use crate::takeout::taking;
use crate::{
    agents, announcements, content_library, deal_folder, deals, departures, disclosures, filings,
    jobs, marketplace, notifications, payments, reports, webhooks,
};

/// What a task does.
async fn work(task: Task, platform: &Platform, round: &mut Round) -> Result<()> {
    match task {
        Task::Contracts => {
            round.contracts_expired = deals::expire_unconfirmed(platform).await?;
        }
        Task::Requests => {
            round.requests_escalated = deals::escalate_unanswered(platform).await?;
        }
        Task::Invitations => {
            round.invitations_expired = agents::expire_unanswered(platform).await?;
        }
        Task::Orders => round.orders_expired = marketplace::expire_unanswered(platform).await?,
        Task::OrderReviews => {
            round.orders_concluded = marketplace::conclude_unanswered(platform).await?;
        }
        Task::Jobs => round.jobs_closed = jobs::close_expired(platform).await?,
        Task::Sandbox => {
            if platform.processor().sandbox().is_some() {
                payments::sandbox::deliver_events(platform).await?;
            }
        }
        Task::Reminders => round.reminders += deals::remind(platform).await?,
        Task::DisclosureReminders => {
            disclosures::weigh_again(platform).await?;
            round.reminders += disclosures::remind(platform).await?;
        }
        Task::Posts => round.posts_checked = deals::watch_posts(platform).await?,
        Task::FilingReminders => {
            round.filings_drafted = filings::enrol(platform).await?;
            round.reminders += filings::remind(platform).await?;
        }
        Task::Reconciling => round.money = payments::reconcile(platform).await?,
        Task::Statement => round.statement = payments::compare_due(platform).await?,
        Task::Commission => {
            round.commission_settled = payments::settle_commission(platform).await?;
        }
        Task::Payouts => round.payouts = payments::sweep_payouts(platform).await?,
        Task::Retries => round.retries = payments::retry_payouts(platform).await?,
        Task::Subscriptions => round.subscriptions = payments::bill(platform).await?,
        Task::TaxForms => round.reminders += payments::ask_before_returns(platform).await?,
        Task::Invoices => round.invoices_issued = payments::issue_invoices(platform).await?,
        Task::Uploads => {
            round.uploads_expired = deal_folder::expire_uploads(platform).await?;
            round.uploads_expired += content_library::expire_uploads(platform).await?;
        }
        Task::Exports => {
            round.exports = reports::work_off(platform, Some(taking::file_of)).await?;
        }
        Task::Files => {
            reports::remove_expired(platform).await?;
            round.content_removed = content_library::remove_deleted(platform).await?;
            round.files = sweeping::sweep(platform).await?;
        }
        Task::Digests => round.digests = notifications::send_digests(platform).await?,
        Task::Announcements => round.announced = announcements::announce(platform).await?,
        Task::Events => round.messages += messages::split_events(platform).await?,
        Task::Letters => round.messages += messages::hand_over(platform).await?,
        Task::Webhooks => round.webhooks += webhooks::deliver(platform).await?,
        Task::Totals => keep_totals(platform).await?,
        Task::Trail => round.sealed = chain::seal_all(platform).await?,
        Task::Pruning => {
            waits::end_impossible(platform).await?;
            messages::give_up_waiting(platform).await?;
            round.pruned = pruning::prune(platform).await?;
            round.pruned += registering::forget_lapsed(platform).await?;
            round.pruned += departures::finish(platform).await?;
            round.pruned += filings::purge(platform).await?;
            round.pruned += disclosures::purge(platform).await?;
        }
        Task::Partitions => partitions::keep(platform.db()).await?,
    }
    Ok(())
}

/// Runs it once, within its time limit. Failures and panics are counted and logged.
pub(super) async fn attempt(task: Task, platform: &Platform, round: &mut Round) -> Result<()> {
    let span = tracing::info_span!(
        target: traces::TARGET, "task", otel.name = task.as_str(), outcome = field::Empty,
        db.system.name = platform.config().database.system(),
    );
    Box::pin(attempted(task, platform, round).instrument(span)).await
}

async fn attempted(task: Task, platform: &Platform, round: &mut Round) -> Result<()> {
    let begun = Instant::now();
    let work = AssertUnwindSafe(work(task, platform, round)).catch_unwind();
    let (outcome, done) = match tokio::time::timeout(task.time_box(), work).await {
        Ok(Ok(Ok(()))) => ("done", Ok(())),
        Ok(Ok(Err(error))) => ("failed", Err(error)),
        Ok(Err(_)) => ("panicked", Err(gone("The task panicked."))),
        Err(_) => ("timed_out", Err(gone("The task took too long."))),
    };
    let task = task.as_str();
    Span::current().record("outcome", outcome);
    metrics::counter!(WORKER_RUNS, "task" => task, "outcome" => outcome).increment(1);
    metrics::histogram!(WORKER_TIME, "task" => task).record(begun.elapsed().as_secs_f64());
    if let Err(error) = &done {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        tracing::warn!(%error, cause, task, "a task of the worker failed; trying again");
    }
    done
}

fn gone(why: &'static str) -> Error {
    codes::INTERNAL.saying(why)
}

/// Runs every task once, except tasks that are not due yet.
pub(super) async fn all(platform: &Platform) -> Result<Round> {
    let mut round = Round::default();
    let mut tried = 0;
    let mut away = None;
    for task in Task::ALL {
        if !platform.chores().is_due(*task, platform.now()) {
            continue;
        }
        tried += 1;
        if let Err(error) = attempt(*task, platform, &mut round).await {
            // It was not done: the next round tries again.
            platform.chores().is_left(*task);
            round.failed.push(*task);
            away = away.or_else(|| (error.kind() == Kind::Unavailable).then_some(error));
        }
    }
    match away {
        // Every task failed: the database is unavailable.
        Some(error) if round.failed.len() == tried => Err(error),
        _ => Ok(round),
    }
}
