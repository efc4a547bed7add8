//! The worker's tasks for messages: splits events by channel, delivers messages, and gives up messages that can no
//! longer be sent.

use chrono::TimeDelta;

use super::delivering;
use super::expanding::expand;
use super::outbox::OutboxStatus;
use super::store::outbox::{self as store, Due, Queue};
use crate::error::{Error, Kind, Result};
use crate::kernel::OutboxId;
use crate::platform::Platform;

/// How often the rest of a batch that failed is retried at once.
const ATTEMPTS: u32 = 5;
/// How long a message waits for a courier to be configured.
const COURIER_WITHIN: TimeDelta = TimeDelta::days(7);

/// Splits every event that is due by channel; returns their number.
pub(crate) async fn split_events(platform: &Platform) -> Result<usize> {
    let split = work_off(platform, Queue::Events).await?;
    if split > 0 {
        platform.bells().letters.notify_one();
    }
    Ok(split)
}

/// Delivers every mail and text message that is due; returns the number processed. Without a courier, messages wait and
/// are not read.
pub(crate) async fn hand_over(platform: &Platform) -> Result<usize> {
    if platform.config().courier.is_none() {
        return Ok(0);
    }
    work_off(platform, Queue::Letters).await
}

/// Whether due messages are waiting for the worker.
#[cfg(feature = "http")]
pub(crate) async fn is_behind(platform: &Platform) -> Result<bool> {
    let now = platform.now();
    let mut session = platform.db().read().await?;
    Ok(store::any_due(&mut session, Queue::Events, now).await?
        || (platform.config().courier.is_some()
            && store::any_due(&mut session, Queue::Letters, now).await?))
}

async fn work_off(platform: &Platform, queue: Queue) -> Result<usize> {
    let mut all = 0;
    let mut attempts = 0;
    loop {
        match one_batch(platform, queue).await {
            Ok(0) => return Ok(all),
            Ok(worked) => {
                all += worked;
                attempts = 0;
            }
            Err(error) if error.kind() == Kind::Again && attempts < ATTEMPTS => attempts += 1,
            Err(error) if matches!(error.kind(), Kind::Again | Kind::Unavailable) => {
                return Err(error);
            }
            // One message breaks the batch: each is processed alone, and the broken one is given up.
            Err(error) => match one_by_one(platform, queue).await? {
                0 => return Err(error),
                worked => all += worked,
            },
        }
    }
}

/// Processes one batch. Rows are locked, so that two workers never process the same one. Events are expanded in the
/// transaction that ends them; messages for the courier are claimed in it and delivered after it.
async fn one_batch(platform: &Platform, queue: Queue) -> Result<usize> {
    let now = platform.now();
    {
        // An idle worker reads once and writes nothing.
        let mut session = platform.db().read().await?;
        if !store::any_due(&mut session, queue, now).await? {
            return Ok(0);
        }
    }
    let mut session = platform.db().begin().await?;
    let due = store::due(&mut session, queue, now).await?;
    finish(platform, session, queue, due).await
}

/// Processes the messages of a failed batch, each in its own transaction; returns how many were finished, with success
/// or not.
async fn one_by_one(platform: &Platform, queue: Queue) -> Result<usize> {
    let mut session = platform.db().read().await?;
    let ids = store::due_ids(&mut session, queue, platform.now()).await?;
    drop(session);
    let mut ended = 0;
    for id in ids {
        match alone(platform, queue, id).await {
            Ok(worked) => ended += worked,
            Err(error) if error.kind() == Kind::Again => {}
            Err(error) if error.kind() == Kind::Unavailable => return Err(error),
            Err(error) => {
                give_up(platform, id, &error).await?;
                ended += 1;
            }
        }
    }
    Ok(ended)
}

async fn alone(platform: &Platform, queue: Queue, id: OutboxId) -> Result<usize> {
    let mut session = platform.db().begin().await?;
    let due = store::due_one(&mut session, id).await?;
    finish(platform, session, queue, due.into_iter().collect()).await
}

async fn finish(
    platform: &Platform,
    mut session: crate::storage::Session,
    queue: Queue,
    due: Vec<Due>,
) -> Result<usize> {
    if due.is_empty() {
        return Ok(0);
    }
    let now = platform.now();
    let rows: Vec<&Due> = due.iter().collect();
    match queue {
        Queue::Events => {
            let touched = expand(&mut session, platform, now, &rows).await?;
            let expanded: Vec<_> = rows.iter().map(|due| due.id).collect();
            store::end(&mut session, &expanded, OutboxStatus::Expanded, None).await?;
            session.commit().await?;
            touched.tell(platform.live());
        }
        Queue::Letters => {
            let claimed = delivering::claim(&mut session, platform, now, &rows).await?;
            session.commit().await?;
            delivering::hand_over(platform, claimed).await?;
        }
    }
    Ok(due.len())
}

/// Ends a message that cannot be processed, with the reason, so that it does not block others.
async fn give_up(platform: &Platform, id: OutboxId, error: &Error) -> Result<()> {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    tracing::error!(%error, cause, %id, "a message cannot be prepared and is given up");
    let why = format!("it cannot be prepared: {}", cause.unwrap_or_else(|| error.to_string()));
    let mut session = platform.db().begin().await?;
    store::end(&mut session, &[id], OutboxStatus::Dead, Some(&why)).await?;
    session.commit().await
}

/// Erases expired secrets, and gives up messages that can no longer be sent: those whose secret is gone, and those
/// without a courier for too long.
pub(crate) async fn give_up_waiting(platform: &Platform) -> Result<()> {
    let now = platform.now();
    loop {
        let mut session = platform.db().read().await?;
        let expired = store::expired_secrets(&mut session, now).await?;
        drop(session);
        if expired.is_empty() {
            break;
        }
        let mut session = platform.db().begin().await?;
        store::erase(&mut session, &expired).await?;
        let why = Some(delivering::TOO_LATE);
        store::end_due(&mut session, &expired, now, OutboxStatus::Dead, why).await?;
        session.commit().await?;
    }
    if platform.config().courier.is_some() {
        return Ok(());
    }
    loop {
        let mut session = platform.db().read().await?;
        let waiting = store::due_ids(&mut session, Queue::Letters, now - COURIER_WITHIN).await?;
        drop(session);
        if waiting.is_empty() {
            return Ok(());
        }
        let mut session = platform.db().begin().await?;
        let why = Some("no courier was configured within seven days");
        store::end(&mut session, &waiting, OutboxStatus::Dead, why).await?;
        session.commit().await?;
    }
}
