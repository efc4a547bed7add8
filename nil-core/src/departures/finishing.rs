//! The worker erases once more: what a request wrote that was under way when the account closed.

use super::store::departure as store;
use super::{closing, ending, erasing};
use crate::auth::Service;
use crate::error::{Error, Result};
use crate::kernel::UserId;
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// Erases the data of the accounts that closed an hour ago once more, each in its own transaction;
/// returns their number. For the worker; any number of workers may run it.
pub async fn finish(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        store::due(&mut session, platform.now(), behind).await
    };
    due::each("departure", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, finish_one, id).await?.into_inner())
    })
    .await
}

async fn finish_one(cx: Cx<Service>, user: UserId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let Some(names) = store::lock_due(&mut work, user, cx.now()).await? else {
        return work.done(false).await;
    };
    let person = store::leaving(&mut work, user).await?;
    let profile = person.profile().ok_or_else(|| Error::internal("an account without a record"))?;
    ending::end_first(&mut work, profile).await?;
    let open = ending::lock_open_jobs(&mut work, profile).await?;
    ending::end_rest(&mut work, profile, &open).await?;
    let objects = erasing::erase(&mut work, &person, &names).await?;
    store::finish(&mut work, user).await?;
    let done = work.done(true).await?;
    closing::remove(cx.platform(), objects).await;
    Ok(done)
}
