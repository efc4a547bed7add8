//! Maps each task to its function, its pace and its time limit.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures::FutureExt as _;

use super::{Round, pruning, waits};
use crate::accounts::registering;
use crate::content::sweeping;
use crate::error::{Error, Kind, Result, codes};
use crate::figures::keeping::keep_totals;
use crate::metering::{WORKER_RUNS, WORKER_TIME};
use crate::notifications::worker as messages;
use crate::operation::chain;
use crate::platform::Platform;
use crate::schedule::Task;
use crate::takeout::taking;
use crate::{
    agents, announcements, content_library, deal_folder, deals, departures, disclosures, filings,
    jobs, marketplace, notifications, payments, reports,
};

impl Task {
    /// The pause between two runs.
    #[cfg(feature = "http")]
    pub(super) fn pause(self) -> Duration {
        match (self, self.every()) {
            // It checks every wallet that is paid out automatically.
            (Self::Payouts, _) => Duration::from_secs(30),
            (Self::Announcements, _) | (_, None) => Duration::from_secs(2),
            (_, Some(every)) => every.to_std().unwrap_or_default(),
        }
    }

    /// The time limit, longer than a run ever takes; after it the run is aborted and started again.
    fn time_box(self) -> Duration {
        match self {
            // A courier may take a minute for each of several messages.
            Self::Letters | Self::Files => Duration::from_mins(10),
            // A file of many millions of rows.
            Self::Exports => Duration::from_hours(1),
            _ => Duration::from_mins(5),
        }
    }

    /// Whether only one server runs it. Messages and exports are taken one by one, so that servers share them.
    #[cfg(feature = "http")]
    pub(super) fn is_leased(self) -> bool {
        !matches!(self, Self::Events | Self::Letters | Self::Exports)
    }

    async fn work(self, platform: &Platform, round: &mut Round) -> Result<()> {
        match self {
            Self::Contracts => {
                round.contracts_expired = deals::expire_unconfirmed(platform).await?;
            }
            Self::Requests => {
                round.requests_escalated = deals::escalate_unanswered(platform).await?;
            }
            Self::Invitations => {
                round.invitations_expired = agents::expire_unanswered(platform).await?;
            }
            Self::Orders => round.orders_expired = marketplace::expire_unanswered(platform).await?,
            Self::OrderReviews => {
                round.orders_concluded = marketplace::conclude_unanswered(platform).await?;
            }
            Self::Jobs => round.jobs_closed = jobs::close_expired(platform).await?,
            Self::Sandbox => {
                if platform.processor().sandbox().is_some() {
                    payments::sandbox::deliver_events(platform).await?;
                }
            }
            Self::Reminders => round.reminders += deals::remind(platform).await?,
            Self::DisclosureReminders => {
                disclosures::weigh_again(platform).await?;
                round.reminders += disclosures::remind(platform).await?;
            }
            Self::Posts => round.posts_checked = deals::watch_posts(platform).await?,
            Self::FilingReminders => {
                round.filings_drafted = filings::enrol(platform).await?;
                round.reminders += filings::remind(platform).await?;
            }
            Self::Reconciling => round.money = payments::reconcile(platform).await?,
            Self::Commission => {
                round.commission_settled = payments::settle_commission(platform).await?;
            }
            Self::Payouts => round.payouts = payments::sweep_payouts(platform).await?,
            Self::Retries => round.retries = payments::retry_payouts(platform).await?,
            Self::Subscriptions => round.subscriptions = payments::bill(platform).await?,
            Self::TaxForms => round.reminders += payments::ask_before_returns(platform).await?,
            Self::Invoices => round.invoices_issued = payments::issue_invoices(platform).await?,
            Self::Uploads => {
                round.uploads_expired = deal_folder::expire_uploads(platform).await?;
                round.uploads_expired += content_library::expire_uploads(platform).await?;
            }
            Self::Exports => {
                round.exports = reports::work_off(platform, Some(taking::file_of)).await?;
            }
            Self::Files => {
                reports::remove_expired(platform).await?;
                round.content_removed = content_library::remove_deleted(platform).await?;
                round.files = sweeping::sweep(platform).await?;
            }
            Self::Digests => round.digests = notifications::send_digests(platform).await?,
            Self::Announcements => round.announced = announcements::announce(platform).await?,
            Self::Events => round.messages += messages::split_events(platform).await?,
            Self::Letters => round.messages += messages::hand_over(platform).await?,
            Self::Totals => keep_totals(platform).await?,
            Self::Trail => round.sealed = chain::seal_all(platform).await?,
            Self::Pruning => {
                waits::end_impossible(platform).await?;
                messages::give_up_waiting(platform).await?;
                round.pruned = pruning::prune(platform).await?;
                round.pruned += registering::forget_lapsed(platform).await?;
                round.pruned += departures::finish(platform).await?;
                round.pruned += filings::purge(platform).await?;
                round.pruned += disclosures::purge(platform).await?;
            }
        }
        Ok(())
    }

    /// Runs it once, within its time limit. Failures and panics are counted and logged.
    pub(super) async fn attempt(self, platform: &Platform, round: &mut Round) -> Result<()> {
        let begun = Instant::now();
        let work = AssertUnwindSafe(self.work(platform, round)).catch_unwind();
        let (outcome, done) = match tokio::time::timeout(self.time_box(), work).await {
            Ok(Ok(Ok(()))) => ("done", Ok(())),
            Ok(Ok(Err(error))) => ("failed", Err(error)),
            Ok(Err(_)) => ("panicked", Err(gone("The task panicked."))),
            Err(_) => ("timed_out", Err(gone("The task took too long."))),
        };
        let task = self.as_str();
        metrics::counter!(WORKER_RUNS, "task" => task, "outcome" => outcome).increment(1);
        metrics::histogram!(WORKER_TIME, "task" => task).record(begun.elapsed().as_secs_f64());
        if let Err(error) = &done {
            let cause = std::error::Error::source(error).map(ToString::to_string);
            tracing::warn!(%error, cause, task, "a task of the worker failed; trying again");
        }
        done
    }
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
        if let Err(error) = task.attempt(platform, &mut round).await {
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
