//! The worker adds up athletes' deals again when something else than a deal has changed: the
//! division, the participation or the time zone of an institution, or how the site counts a share
//! of sales.

use super::store::{account as accounts, person as people};
use super::threshold;
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::AthleteId;
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// Adds up the deals of the athletes that triggers have listed, each in its own transaction;
/// returns their number. For the worker; any number of workers may run it.
pub async fn weigh_again(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        accounts::to_weigh(&mut session, behind).await
    };
    due::each("athlete to weigh", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, weigh_one, id).await?.into_inner())
    })
    .await
}

async fn weigh_one(cx: Cx<Service>, athlete: AthleteId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    people::lock(&mut work, athlete).await?;
    let listed = accounts::take(&mut work, athlete).await?;
    if listed {
        let person = people::find(&mut work, athlete).await?;
        threshold::weigh(&mut work, &person).await?;
    }
    work.done(listed).await
}
