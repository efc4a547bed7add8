//! Registrations that nobody finishes.

use chrono::TimeDelta;

use crate::accounts::store::lapsed as store;
use crate::accounts::{UserEvent, UserStatus};
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::{Machine as _, UserId};
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// How long a registration is kept that has lapsed.
const KEPT: TimeDelta = TimeDelta::days(30);

/// Closes registrations that lapsed a while ago, and erases what they say of people; their ids stay, so
/// that the audit trail never speaks of two people under one. Each in a transaction of its own. Answers
/// how many. For the worker.
pub(crate) async fn forget_lapsed(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        store::lapsed(&mut session, platform.now() - KEPT, behind).await
    };
    due::each("registration", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, forget, id).await?.into_inner())
    })
    .await
}

async fn forget(cx: Cx<Service>, id: UserId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let status = store::status(&mut work, id, cx.now() - KEPT).await?;
    match status {
        None => return work.done(false).await,
        Some(unfinished @ UserStatus::Onboarding) => {
            let moved = unfinished.on(UserEvent::Lapse)?;
            store::erase(&mut work, id, moved, cx.now()).await?;
            work.note(id, "lapsed");
        }
        // The token of an account that is in use serves nobody any more.
        Some(_) => store::remove(&mut work, id).await?,
    }
    work.done(true).await
}
