//! The worker reminds of deals that go to the clearinghouse and of drafts that go to the
//! institution: once before the deadline and once after it. A moved deadline counts as a new one.
//! Brands that are asked to attest are reminded once, before their deadline.

use chrono::TimeDelta;

use super::clearance::ClearanceStatus;
use super::disclosed_job::DisclosedJobStatus;
use super::store::{
    attestation as attestations, clearance as clearances, disclosed_job as jobs, person as people,
};
use super::{telling, threshold};
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::{ClearanceId, DisclosedJobId, Time};
use crate::notifications::{Event, mark_reminded};
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::schedule::due;

/// A deadline missed for longer is no longer reminded of, for example after the worker was down for
/// so long.
const OLDEST: TimeDelta = TimeDelta::days(30);

/// Reminds athletes, agents, officers and brands of deadlines; returns the number of deadlines. For
/// the worker; any number of workers may run it concurrently.
pub async fn remind(platform: &Platform) -> Result<usize> {
    // An error in one kind does not stop the other.
    let due_soon = remind_due_soon(platform).await;
    let overdue = remind_overdue(platform).await;
    Ok(due_soon? + overdue?)
}

/// Reminds of deadlines that are near; returns their number. For the worker and the cron endpoint,
/// like the next one.
pub async fn remind_due_soon(platform: &Platform) -> Result<usize> {
    let (now, soon) = (platform.now(), platform.config().due_soon);
    let span = (now, now + soon);
    let clearances = remind_clearances(platform, Event::ClearanceDueSoon, span).await;
    let drafts = remind_drafts(platform, Event::DisclosureDueSoon, span).await;
    let attestations = remind_attestations(platform, span).await;
    Ok(clearances? + drafts? + attestations?)
}

/// Reminds of deadlines that were missed; returns their number.
pub async fn remind_overdue(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let span = (now - OLDEST, now);
    let clearances = remind_clearances(platform, Event::ClearanceOverdue, span).await;
    let drafts = remind_drafts(platform, Event::DisclosureOverdue, span).await;
    Ok(clearances? + drafts?)
}

async fn remind_clearances(platform: &Platform, event: Event, span: (Time, Time)) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        clearances::due_between(&mut session, event, span, behind).await
    };
    due::each("clearance", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, one_clearance, (event, id)).await?.into_inner())
    })
    .await
}

async fn remind_drafts(platform: &Platform, event: Event, span: (Time, Time)) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        jobs::drafts_due_between(&mut session, event, span, behind).await
    };
    due::each("draft of a disclosure", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, one_draft, (event, id)).await?.into_inner())
    })
    .await
}

async fn remind_attestations(platform: &Platform, span: (Time, Time)) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        attestations::due_between(&mut session, span, behind).await
    };
    due::each("attestation", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, one_attestation, id).await?.into_inner())
    })
    .await
}

/// Whether the deadline is still on the side of now that the event says.
fn is_still(event: Event, due_at: Time, now: Time) -> bool {
    let missed = matches!(event, Event::ClearanceOverdue | Event::DisclosureOverdue);
    (due_at < now) == missed
}

async fn one_clearance(cx: Cx<Service>, (event, id): (Event, ClearanceId)) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let clearance = clearances::find(&mut work, id).await?;
    // It may have been submitted, or its deadline moved, since the worker read it.
    let now = cx.now();
    let due_at = clearance.due_at.filter(|_| clearance.status == ClearanceStatus::Due);
    let Some(due_at) = due_at.filter(|due_at| is_still(event, *due_at, now)) else {
        return work.done(false).await;
    };
    if !mark_reminded(&mut work, event, id.get(), due_at, now).await? {
        return work.done(false).await;
    }
    let person = people::find(&mut work, clearance.athlete_id).await?;
    telling::of_due_clearance(&mut work, event, (&person, &clearance), due_at).await?;
    work.note(id, event.as_str());
    work.done(true).await
}

async fn one_draft(cx: Cx<Service>, (event, id): (Event, DisclosedJobId)) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let job = jobs::find(&mut work, id).await?;
    let now = cx.now();
    let open = job.status == DisclosedJobStatus::Draft && is_still(event, job.due_at, now);
    if !open || !mark_reminded(&mut work, event, id.get(), job.due_at, now).await? {
        return work.done(false).await;
    }
    // It may have been planned when it was written: it counts since its day of signing.
    people::lock(&mut work, job.athlete_id).await?;
    let person = people::find(&mut work, job.athlete_id).await?;
    threshold::weigh(&mut work, &person).await?;
    telling::of_due_draft(&mut work, event, (&person, &job), job.due_at);
    work.note(id, event.as_str());
    work.done(true).await
}

async fn one_attestation(cx: Cx<Service>, id: ClearanceId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    // Whoever attests or submits locks the clearance too.
    work.lock("clearance", id).await?;
    let (event, now) = (Event::AssociationDueSoon, work.now());
    let open = attestations::unanswered(&mut work, id).await?;
    let Some(open) = open.filter(|open| open.due_at >= now) else {
        return work.done(false).await;
    };
    if !mark_reminded(&mut work, event, id.get(), open.due_at, now).await? {
        return work.done(false).await;
    }
    telling::of_due_attestation(&mut work, id, &open);
    work.note(id, event.as_str());
    work.done(true).await
}
