//! The worker reminds users of due dates and deadlines, once for each. A moved date counts as a new
//! one.

use chrono::TimeDelta;
use chrono_tz::Tz;

use super::deliverable::{Deliverable, DeliverableStatus};
use super::delivering::publishes;
use super::store::{deliverable as deliverables, reminder as store};
use crate::auth::Service;
use crate::error::Result;
use crate::jobs::inviting::deadline_in_words;
use crate::jobs::store::job as jobs;
use crate::kernel::{DeliverableId, JobId, UserId};
use crate::notifications::outbox::{Message, Recipient};
use crate::notifications::{Event, mark_reminded};
use crate::operation::{Cx, Done, Work};
use crate::platform::Platform;
use crate::schedule::due;
use crate::{people, wording};

/// Work overdue for longer is no longer reminded of, for example after the worker was down for so
/// long.
const OLDEST: TimeDelta = TimeDelta::days(30);

/// Reminds athletes of work that is due soon, both sides of overdue work, and brands and invited
/// athletes of jobs that close soon. Returns the number of dates. For the worker; any number of
/// workers may run it concurrently.
pub async fn remind(platform: &Platform) -> Result<usize> {
    // An error in one kind does not stop the others.
    let due_soon = remind_due_soon(platform).await;
    let overdue = remind_overdue(platform).await;
    let closing = remind_closing(platform).await;
    Ok(due_soon? + overdue? + closing?)
}

/// Reminds athletes of work that is due soon; returns the number of dates. For the worker and the
/// cron endpoint, like the next two.
pub async fn remind_due_soon(platform: &Platform) -> Result<usize> {
    let (now, soon) = (platform.now(), platform.config().due_soon);
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        let event = Event::DeliverableDueSoon;
        store::due_between(&mut session, event, (now, now + soon), behind).await
    };
    due::each("deliverable due soon", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, due_soon_one, id).await?.into_inner())
    })
    .await
}

/// Reminds both sides of overdue work; returns the number of dates.
pub async fn remind_overdue(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        let event = Event::DeliverableOverdue;
        store::due_between(&mut session, event, (now - OLDEST, now), behind).await
    };
    due::each("overdue deliverable", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, overdue_one, id).await?.into_inner())
    })
    .await
}

/// Sends reminders of jobs that close soon; returns their number.
async fn remind_closing(platform: &Platform) -> Result<usize> {
    let (now, soon) = (platform.now(), platform.config().closing_soon);
    let closing = |behind| async move {
        let mut session = platform.db().read().await?;
        store::closing_between(&mut session, (now, now + soon), behind).await
    };
    due::each("job that closes soon", closing, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, closing_one, id).await?.into_inner())
    })
    .await
}

async fn due_soon_one(cx: Cx<Service>, id: DeliverableId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let event = Event::DeliverableDueSoon;
    let told = remind_of_work(&mut work, event, id).await?;
    work.done(told).await
}

async fn overdue_one(cx: Cx<Service>, id: DeliverableId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let event = Event::DeliverableOverdue;
    let told = remind_of_work(&mut work, event, id).await?;
    work.done(told).await
}

/// Sends the reminder of a deliverable's date, unless it was sent before.
async fn remind_of_work(work: &mut Work, event: Event, id: DeliverableId) -> Result<bool> {
    let deliverable = deliverables::find(work, id).await?;
    let overdue = event == Event::DeliverableOverdue;
    // It may have been submitted, or its date moved, since the worker read it.
    let now = work.now();
    let open = matches!(deliverable.status, DeliverableStatus::Pending | DeliverableStatus::Denied);
    let still = open && (deliverable.due_at < now) == overdue;
    if !still || !mark_reminded(work, event, id.get(), deliverable.due_at, now).await? {
        return Ok(false);
    }
    let Some(deal) = store::deal(work, id).await? else {
        return Ok(false);
    };
    if overdue {
        work.publish(publishes(event, &deliverable, deliverable.status));
    }
    let brand = overdue.then_some(deal.partner_user_id);
    for user in [Some(deal.athlete_user_id), brand].into_iter().flatten() {
        work.send(of_work(event, user, &deliverable, &deal));
    }
    work.note(deliverable.id, event.as_str());
    Ok(true)
}

fn of_work(event: Event, user: UserId, deliverable: &Deliverable, deal: &store::Deal) -> Message {
    Message::new(event, Recipient::User(user))
        .with("deliverable_title", deliverable.title.clone())
        .with("job_title", deal.job_title.clone())
        .with("due_on", wording::day(deliverable.due_on))
        .with("job_id", deal.job_id.get())
        .with("deliverable_id", deliverable.id.get())
}

/// Reminds the brand, and invited athletes who have not answered, of the end of the application
/// period.
async fn closing_one(cx: Cx<Service>, id: JobId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let now = cx.now();
    let job = jobs::find(&mut work, id).await?;
    if job.refuses_applications(now) {
        return work.done(false).await;
    }
    let event = Event::JobClosingSoon;
    let new = match job.closes_at {
        Some(end) => mark_reminded(&mut work, event, id.get(), end, now).await?,
        None => false,
    };
    if !new {
        return work.done(false).await;
    }
    let partner = people::partner(&mut work, job.partner_id).await?;
    let mut readers = store::undecided(&mut work, id).await?;
    // A brand has no institution whose time would be its own.
    readers.push((partner.user_id, Tz::UTC));
    for (user, zone) in readers {
        work.send(
            Message::new(event, Recipient::User(user))
                .with("job_title", job.title.clone())
                .with("deadline", deadline_in_words(&job, zone))
                .with("job_id", id.get()),
        );
    }
    work.note(job.id, event.as_str());
    work.done(true).await
}
