//! The worker removes filings five years after they ended, with their versions and documents.

use chrono::Months;

use super::filing::Filing;
use super::filing_status::FilingStatus;
use super::store::{filing as store, version as versions};
use crate::auth::Service;
use crate::content::{self, FileUse};
use crate::error::Result;
use crate::kernel::{FilingId, LAST_ZONE, Time, day_in};
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// How long a filing is kept after the contract has ended or the filing was deleted, whichever is
/// later.
const KEPT_FOR: Months = Months::new(5 * 12);

/// Removes the filings that ended five years ago, each in its own transaction; returns their
/// number. For the worker; any number of workers may run it.
pub async fn purge(platform: &Platform) -> Result<usize> {
    let Some(until) = platform.now().checked_sub_months(KEPT_FOR) else {
        return Ok(0);
    };
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        store::ended_by(&mut session, until, behind).await
    };
    due::each("filing", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, purge_one, id).await?.into_inner())
    })
    .await
}

async fn purge_one(cx: Cx<Service>, id: FilingId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let filing = store::lock(&mut work, id).await?.filter(|filing| is_over(filing, cx.now()));
    let Some(filing) = filing else {
        return work.done(false).await;
    };
    let objects = content::discard_all(&mut work, (FileUse::Filing, id.get())).await?;
    versions::remove_all(&mut work, id).await?;
    store::remove(&mut work, id).await?;
    work.note(filing.id, "purged");
    let done = work.done(true).await?;
    for object in objects {
        object.remove(cx.platform()).await;
    }
    Ok(done)
}

/// Whether it was terminated or deleted five years ago, and its contract has been over for as long.
fn is_over(filing: &Filing, now: Time) -> bool {
    let Some(until) = now.checked_sub_months(KEPT_FOR) else {
        return false;
    };
    let ended = matches!(filing.status, FilingStatus::Terminated | FilingStatus::Deleted)
        && filing.updated_at <= until;
    let day = day_in(until, LAST_ZONE);
    ended && filing.particulars.contract.until.is_none_or(|last| last <= day)
}
