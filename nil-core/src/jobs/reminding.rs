//! The worker reminds people of due dates and deadlines, once of each. A date that is moved is a new
//! one.

use chrono::TimeDelta;

use super::deliverable::{Deliverable, DeliverableStatus};
use super::inviting::deadline_in_words;
use super::store::{
    athlete as people, deliverable as deliverables, job as jobs, reminder as store,
};
use crate::auth::Service;
use crate::contracts::wording;
use crate::error::Result;
use crate::kernel::{DeliverableId, JobId, Time, UserId};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::platform::Platform;

/// What has been overdue for longer was not told in time and is told no more: a worker that was away
/// for so long has other news.
const OLDEST: TimeDelta = TimeDelta::days(30);

/// Reminds athletes of work that is due soon, both sides of work that is overdue, and those who have
/// not made up their minds of a job that closes soon. Answers how many dates somebody was told of. For
/// the worker; any number of workers may do this at once.
pub async fn remind(platform: &Platform) -> Result<usize> {
    let due_soon = remind_due_soon(platform).await?;
    let overdue = remind_overdue(platform).await?;
    Ok(due_soon + overdue + remind_closing(platform).await?)
}

/// Reminds athletes of work that is due soon; answers of how many dates. For the worker and the cron
/// endpoint, as are the other two.
pub async fn remind_due_soon(platform: &Platform) -> Result<usize> {
    let (now, soon) = (platform.now(), platform.config().due_soon);
    let due = due_between(platform, Event::DeliverableDueSoon, now, now + soon).await?;
    tell(platform, due, due_soon_one).await
}

/// Tells both sides of work that is overdue; answers of how many dates.
pub async fn remind_overdue(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let due = due_between(platform, Event::DeliverableOverdue, now - OLDEST, now).await?;
    tell(platform, due, overdue_one).await
}

/// Tells of jobs that close soon; answers of how many.
async fn remind_closing(platform: &Platform) -> Result<usize> {
    let (now, soon) = (platform.now(), platform.config().closing_soon);
    let mut session = platform.db().read().await?;
    let closing = store::closing_between(&mut session, now, now + soon).await?;
    drop(session);
    tell(platform, closing, closing_one).await
}

async fn due_between(
    platform: &Platform,
    event: Event,
    from: Time,
    until: Time,
) -> Result<Vec<DeliverableId>> {
    let mut session = platform.db().read().await?;
    store::due_between(&mut session, event, from, until).await
}

/// Tells of each in a transaction of its own; answers how many were new.
async fn tell<Id, F, Fut>(platform: &Platform, ids: Vec<Id>, one: F) -> Result<usize>
where
    Id: Copy,
    F: Fn(Cx<Service>, Id) -> Fut + Copy,
    Fut: Future<Output = Result<Done<bool>>>,
{
    let mut told = 0;
    for id in ids {
        let worker = Service::ourselves();
        told += usize::from(platform.call(worker, one, id).await?.into_inner());
    }
    Ok(told)
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

/// Tells of a deliverable's date, unless somebody was told of it before.
async fn remind_of_work(work: &mut Work, event: Event, id: DeliverableId) -> Result<bool> {
    let Some(deliverable) = deliverables::find(work, id).await? else {
        return Ok(false);
    };
    let overdue = event == Event::DeliverableOverdue;
    // It may have been handed in, or its date moved, since the worker looked.
    let now = work.now();
    let open = matches!(
        deliverable.status,
        DeliverableStatus::Pending | DeliverableStatus::Denied
    );
    let still = open && (deliverable.due_at < now) == overdue;
    if !still || !store::mark(work, event, id.get(), deliverable.due_at, now).await? {
        return Ok(false);
    }
    let Some(deal) = store::deal(work, id).await? else {
        return Ok(false);
    };
    let brand = overdue.then_some(deal.partner_user_id);
    for user in [Some(deal.athlete_user_id), brand].into_iter().flatten() {
        work.send(of_work(event, user, &deliverable, &deal));
    }
    work.note(deliverable.subject(), event.as_str());
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

/// Tells of the end of the time to apply: the brand, and whoever was invited and has not answered.
async fn closing_one(cx: Cx<Service>, id: JobId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let now = cx.now();
    let job = jobs::find(&mut work, id).await?;
    let Some(job) = job.filter(|job| !job.refuses_applications(now)) else {
        return work.done(false).await;
    };
    let event = Event::JobClosingSoon;
    let new = match job.application_deadline {
        Some(deadline) => store::mark(&mut work, event, id.get(), deadline, now).await?,
        None => false,
    };
    if !new {
        return work.done(false).await;
    }
    let partner = people::partner(&mut work, job.partner_id).await?;
    let mut users = store::undecided(&mut work, id).await?;
    users.push(partner.user_id);
    for user in users {
        work.send(
            Message::new(event, Recipient::User(user))
                .with("job_title", job.title.clone())
                .with("deadline", deadline_in_words(&job))
                .with("job_id", id.get()),
        );
    }
    work.note(job.subject(), event.as_str());
    work.done(true).await
}
