//! The worker removes disclosed jobs that are over for five years, with what the clearinghouse said
//! about them and their documents.
//!
//! What counts as reportable is a sum over an athlete's deals, so an athlete's disclosed jobs stay
//! until the last deal is as old. Each row says when it is looked at next (`kept_until`); one that
//! must stay gets a later date, and nothing reads the whole table.

use chrono::Months;

use super::clearance::ClearanceStatus;
use super::disclosed_job::{DisclosedJob, DisclosedJobStatus, kept_until};
use super::store::{
    clearance as clearances, disclosed_job as store, packet as packets, person as people,
};
use crate::auth::Service;
use crate::content::{self, FileUse};
use crate::error::Result;
use crate::kernel::{DisclosedJobId, LAST_TIME, Time, midnight};
use crate::operation::{Cx, Done, Work};
use crate::platform::Platform;
use crate::schedule::due;

/// How long after a look the next one follows, where something is still open.
const PAUSE: Months = Months::new(12);

/// Removes disclosed jobs that are over for five years, each in its own transaction and at most 500
/// in one round; returns their number. For the worker; any number of workers may run it.
pub async fn purge(platform: &Platform) -> Result<usize> {
    let due = |behind: due::Behind| async move {
        if behind.id > 0 {
            // The next round continues.
            return Ok(Vec::<(Time, DisclosedJobId)>::new().into());
        }
        let mut session = platform.db().read().await?;
        store::looked_at(&mut session, platform.now(), behind).await
    };
    due::each("disclosed job", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, purge_one, id).await?.into_inner())
    })
    .await
}

async fn purge_one(cx: Cx<Service>, id: DisclosedJobId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let Some(job) = store::lock(&mut work, id).await? else {
        return work.done(false).await;
    };
    people::lock(&mut work, job.athlete_id).await?;
    let stays = stays_until(&mut work, &job).await?;
    if stays > cx.now() {
        store::look_again(&mut work, id, stays).await?;
        return work.done(false).await;
    }
    let objects = content::discard_all(&mut work, (FileUse::DisclosedJob, id.get())).await?;
    for clearance in clearances::of_disclosed(&mut work, &[id]).await? {
        packets::remove_all(&mut work, clearance.id).await?;
        clearances::remove(&mut work, clearance.id).await?;
    }
    store::remove(&mut work, id).await?;
    work.note(id, "purged");
    let done = work.done(true).await?;
    for object in objects {
        object.remove(cx.platform()).await;
    }
    Ok(done)
}

/// Until when a disclosed job stays: five years after its last change, its last day, the last word
/// about its clearance and the athlete's last deal, whichever is the latest. The athlete is locked:
/// no deal is added meanwhile.
async fn stays_until(work: &mut Work, job: &DisclosedJob) -> Result<Time> {
    let found = clearances::of_disclosed(work, &[job.id]).await?;
    let clearance = found.first();
    let open = matches!(
        job.status,
        DisclosedJobStatus::Submitted
            | DisclosedJobStatus::UnderReview
            | DisclosedJobStatus::InfoRequested
    ) || clearance.is_some_and(|clearance| clearance.status.is_open());
    if open {
        return Ok(work.now().checked_add_months(PAUSE).unwrap_or(LAST_TIME));
    }
    let last_deal = clearances::last_signed(work, job.athlete_id).await?;
    let days = [Some(job.signed_on), job.ends_on, last_deal];
    let ends = [Some(job.updated_at), clearance.map(|clearance| clearance.updated_at)];
    let over = ends.into_iter().chain(days.map(|day| day.map(midnight))).flatten().max();
    Ok(kept_until(over.unwrap_or(job.updated_at)))
}

impl ClearanceStatus {
    /// Whether the clearinghouse has not had its last word.
    const fn is_open(self) -> bool {
        match self {
            Self::Due | Self::Submitted | Self::Flagged | Self::Arbitration => true,
            Self::NotRequired | Self::Cleared | Self::NotCleared => false,
        }
    }
}
