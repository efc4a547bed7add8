//! The worker: everything that happens by itself. Any number of workers may run on one database.

mod chores;

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use chores::when_due;
pub(crate) use chores::{Chore, Chores};

use crate::auth::audit;
use crate::content::sweeping::{self, SweptFiles};
use crate::error::Result;
use crate::notifications::worker as messages;
use crate::payments::{self, Billed, Reconciled, Retried, Swept};
use crate::platform::Platform;
use crate::{
    agents, announcements, contracts, deal_folder, filings, jobs, marketplace, notifications,
};

/// Between rounds when nobody wakes the worker.
const PAUSE: Duration = Duration::from_secs(2);

/// What one round did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
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
}

/// Works off what is due now.
pub async fn round(platform: &Platform) -> Result<Round> {
    let contracts_expired = contracts::expire_unconfirmed(platform).await?;
    let requests_escalated = contracts::escalate_unanswered(platform).await?;
    let invitations_expired = agents::expire_unanswered(platform).await?;
    let orders_expired = marketplace::expire_unanswered;
    let orders_expired = when_due(platform, Chore::Ordering, orders_expired).await?;
    let orders_concluded = marketplace::conclude_unanswered;
    let orders_concluded = when_due(platform, Chore::Concluding, orders_concluded).await?;
    let jobs_closed = jobs::close_expired(platform).await?;
    if platform.processor().sandbox().is_some() {
        payments::sandbox::deliver_events(platform).await?;
    }
    let reminders = when_due(platform, Chore::Reminding, remind).await?;
    let money = payments::reconcile(platform).await?;
    let commission_settled = payments::settle_commission;
    let commission_settled = when_due(platform, Chore::Settling, commission_settled).await?;
    let payouts = payments::sweep_payouts(platform).await?;
    let retries = when_due(platform, Chore::Retrying, payments::retry_payouts).await?;
    let subscriptions = when_due(platform, Chore::Billing, payments::bill).await?;
    let invoices_issued = when_due(platform, Chore::Invoicing, payments::issue_invoices).await?;
    let uploads_expired = when_due(platform, Chore::Expiring, deal_folder::expire_uploads).await?;
    let files = when_due(platform, Chore::Sweeping, sweeping::sweep).await?;
    let digests = when_due(platform, Chore::Digesting, notifications::send_digests).await?;
    let announced = when_due(platform, Chore::Announcing, announcements::announce).await?;
    let messages = messages::work_off(platform).await?;
    let sealed = audit::seal_all(platform).await?;
    when_due(platform, Chore::Erasing, messages::erase_expired).await?;
    Ok(Round {
        messages,
        contracts_expired,
        requests_escalated,
        invitations_expired,
        orders_expired,
        orders_concluded,
        jobs_closed,
        reminders,
        digests,
        announced,
        money,
        payouts,
        retries,
        subscriptions,
        commission_settled,
        invoices_issued,
        uploads_expired,
        files,
        sealed,
    })
}

async fn remind(platform: &Platform) -> Result<usize> {
    Ok(jobs::remind(platform).await? + filings::remind(platform).await?)
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
