//! The worker reminds an institution's officers of due and missing notices, once per due date.

use chrono::TimeDelta;

use super::filing_status::FilingStatus;
use super::notices;
use super::store::filing as store;
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::FilingId;
use crate::notifications::Event;
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// How long before the deadline reminders are sent.
const AHEAD: TimeDelta = TimeDelta::hours(24);

/// Reminds officers of notices that are due within 24 hours. Returns the number of filings. For the
/// worker; several workers may run it at once.
pub async fn remind(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        store::due_between(&mut session, now, now + AHEAD, behind).await
    };
    due::each("filing", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, remind_of, id).await?.into_inner())
    })
    .await
}

async fn remind_of(cx: Cx<Service>, id: FilingId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let filing = store::lock(&mut work, id).await?;
    // The filing may have been decided, changed or deleted since it was listed.
    let open = filing.filter(|filing| {
        let notices = &filing.particulars.notices;
        let missing = notices.agent_at.is_none() || notices.athlete_at.is_none();
        let undecided = matches!(
            filing.status,
            FilingStatus::Draft | FilingStatus::Submitted | FilingStatus::Returned
        );
        missing && undecided
    });
    let due = open.and_then(|filing| Some((filing.notice_due_at?, filing)));
    let Some((due_at, filing)) = due else {
        return work.done(false).await;
    };
    let soon = due_at >= cx.now();
    if !soon || !store::mark_reminded(&mut work, id, due_at).await? {
        return work.done(false).await;
    }
    notices::of_due_notice(&mut work, &filing, due_at).await?;
    work.note(filing.id, Event::DisclosureDue.as_str());
    work.done(true).await
}
