//! Expires invitations that were not answered.

use super::representation::{OPEN_FOR, RepresentationEvent};
use super::store::{self, Facts};
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::{Machine as _, RepresentationId};
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// Expires invitations that are 14 days old, each once. Returns their number. For the worker.
pub async fn expire_unanswered(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        store::unanswered(&mut session, platform.now() - OPEN_FOR, behind).await
    };
    due::each("invitation", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, expire, id).await?.into_inner())
    })
    .await
}

/// Returns whether this call expired it.
async fn expire(cx: Cx<Service>, id: RepresentationId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let held = store::lock(&mut work, id).await?;
    let Some(held) = held.filter(|held| held.has_lapsed(cx.now())) else {
        return work.done(false).await;
    };
    let moved = held.status.on(RepresentationEvent::Expire)?;
    store::change(&mut work, id, moved, Facts::default(), cx.now()).await?;
    work.note(held.id, "expired");
    work.done(true).await
}
