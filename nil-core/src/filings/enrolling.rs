//! Athletes who bring an agent along to an institution: the worker drafts the institution's filing,
//! whose notices are due within the institution's days after enrolment. A trigger lists these
//! athletes.

use super::drafting;
use super::store::enrolment as store;
use crate::agents;
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::AthleteId;
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// Drafts the filings of athletes who have come to an institution with an agent. Returns the number
/// of filings. For the worker; several workers may run it at once.
pub async fn enrol(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        store::page(&mut session, platform.now(), behind).await
    };
    due::each("enrolment", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, enrol_one, id).await?.into_inner())
    })
    .await
}

/// Returns whether it drafted a filing.
async fn enrol_one(cx: Cx<Service>, athlete: AthleteId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    // The athlete is locked as for an answer to an agent, so that a representation is drafted once.
    work.lock("athlete", athlete).await?;
    let Some(enrolled_at) = store::take(&mut work, athlete).await? else {
        return work.done(false).await;
    };
    let drafted = match agents::active(&mut work, athlete).await? {
        Some(active) => drafting::draft(&mut work, &active, Some(enrolled_at)).await?,
        None => false,
    };
    work.done(drafted).await
}
