//! The worker publishes announcements, notifies their audience, and ends them.
//!
//! It notifies in batches: the messages and the position to continue from are written in one
//! transaction, so that a crash neither skips a recipient nor notifies one twice. Between batches
//! the queued messages are sent, so that a log-in code never waits behind ten thousand
//! announcements.

use serde::Serialize;

use super::admin::move_on;
use super::announcement::{AnnouncementEvent, AnnouncementStatus};
use super::store::announcement::{self as store, Held, Progress};
use super::store::people;
use crate::auth::Service;
use crate::editorial;
use crate::error::Result;
use crate::kernel::AnnouncementId;
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::platform::Platform;
use crate::schedule::Task;
use crate::schedule::due::Failed;

/// The number of accounts per batch.
const AT_ONCE: usize = 1_000;
/// The maximum length of the text in a message; the full text is in the application.
const MOST_CHARACTERS: usize = 2_000;

/// The result of one batch.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Step {
    told: usize,
    goes_on: bool,
}

/// Advances every due announcement by one batch. Returns how many accounts were notified.
pub(crate) async fn announce(platform: &Platform) -> Result<usize> {
    let due = {
        let mut session = platform.db().read().await?;
        store::due(&mut session, platform.now()).await?
    };
    let mut told = 0;
    let mut goes_on = false;
    let mut failed = Failed::default();
    for id in due {
        let worker = Service::ourselves();
        match platform.call(worker, one_step, id).await {
            Ok(step) => {
                let step = step.into_inner();
                told += step.told;
                goes_on |= step.goes_on;
            }
            Err(error) => failed.note("announcement", id, error)?,
        }
    }
    if goes_on {
        platform.chores().is_left(Task::Announcements);
    }
    failed.or(told)
}

async fn one_step(cx: Cx<Service>, id: AnnouncementId) -> Result<Done<Step>> {
    let now = cx.now();
    let mut work = cx.begin().await?;
    // Another worker or an operator may have been faster.
    let Some(held) = store::lock(&mut work, id).await? else {
        return work.done(Step::default()).await;
    };
    let announcement = &held.announcement;
    let is_over = announcement.ends_at.is_some_and(|end| end <= now);
    let has_begun = announcement.starts_at.is_some_and(|start| start <= now);
    match announcement.status {
        AnnouncementStatus::Scheduled | AnnouncementStatus::Published if is_over => {
            move_on(&mut work, announcement, AnnouncementEvent::End).await?;
            return work.done(Step::default()).await;
        }
        AnnouncementStatus::Scheduled if has_begun => {
            move_on(&mut work, announcement, AnnouncementEvent::Publish).await?;
        }
        AnnouncementStatus::Published if announcement.told_at.is_none() => {}
        _ => return work.done(Step::default()).await,
    }
    let step = tell_some(&mut work, &held).await?;
    work.done(step).await
}

/// Queues the messages of the next batch.
async fn tell_some(work: &mut Work, held: &Held) -> Result<Step> {
    let announcement = &held.announcement;
    let audience = &announcement.audience;
    let users = people::users_after(work, audience, held.told_user_id, AT_ONCE).await?;
    let room = AT_ONCE.saturating_sub(users.len());
    let portal = if room > 0 {
        people::portal_users_after(work, audience, held.told_portal_user_id, room).await?
    } else {
        Vec::new()
    };
    let told = users.len() + portal.len();
    let progress = Progress {
        more: i64::try_from(told).unwrap_or(i64::MAX),
        user: users.last().copied(),
        portal_user: portal.last().copied(),
        over: told < AT_ONCE,
    };
    let text = editorial::plain(&announcement.body, MOST_CHARACTERS);
    let users = users.into_iter().map(Recipient::User);
    for to in users.chain(portal.into_iter().map(Recipient::Portal)) {
        work.send(
            Message::new(Event::AnnouncementPublished, to)
                .about(announcement.id)
                .with("announcement_id", announcement.id.get())
                .with("announcement_title", announcement.title.clone())
                .with("announcement_body", text.clone()),
        );
    }
    let now = work.now();
    store::advance(work, announcement.id, progress, now).await?;
    Ok(Step { told, goes_on: !progress.over })
}
