//! Unfinished registrations expire.

use chrono::TimeDelta;

use crate::accounts::store::lapsed as store;
use crate::accounts::{UserEvent, UserStatus};
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::{Machine as _, UserId};
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// How long an expired registration is kept.
const KEPT: TimeDelta = TimeDelta::days(30);

/// Closes registrations that expired [`KEPT`] ago and erases their personal data. The ids stay, so
/// that one id in the audit trail never means two people. One transaction each. Returns how many
/// were closed. For the worker.
pub async fn forget_lapsed(platform: &Platform) -> Result<usize> {
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
        // The account is active and needs no registration token any more.
        Some(_) => store::remove(&mut work, id).await?,
    }
    work.done(true).await
}
