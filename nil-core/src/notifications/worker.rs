//! The worker's tasks for messages: splits events by channel, delivers messages, and gives up
//! messages that can no longer be sent.

use chrono::TimeDelta;
use futures::future::join_all;

use super::delivering;
use super::expanding;
use super::outbox::{Channel, OutboxStatus};
use super::store::outbox::{self as store, Due};
use crate::error::{Error, Kind, Result};
use crate::kernel::{OutboxId, Time};
use crate::metering::{OUTBOX_OVERDUE, OUTBOX_PENDING, figure};
use crate::platform::Platform;
use crate::storage::Session;

/// How often the rest of a batch that failed is retried at once.
const ATTEMPTS: u32 = 5;
/// How long a message waits for a courier to be configured.
const COURIER_WITHIN: TimeDelta = TimeDelta::days(7);
/// The channels of a courier.
const LETTERS: [Channel; 2] = [Channel::Email, Channel::Sms];

/// Splits every event that is due by channel; returns their number.
pub async fn split_events(platform: &Platform) -> Result<usize> {
    let split = work_off(platform, Channel::Event).await?;
    if split > 0 {
        platform.bells().letters.notify_one();
    }
    Ok(split)
}

/// Delivers every mail and text message that is due; returns the number processed. Messages of a
/// channel without a courier wait and are not read. Channels do not wait for each other.
pub async fn hand_over(platform: &Platform) -> Result<usize> {
    let carried = LETTERS.into_iter().filter(|one| platform.config().courier_for(*one).is_some());
    let worked = join_all(carried.map(|channel| work_off(platform, channel))).await;
    worked.into_iter().sum()
}

/// Whether due messages are waiting for the worker.
pub async fn is_behind(platform: &Platform) -> Result<bool> {
    let now = platform.now();
    let mut session = platform.db().read().await?;
    for channel in [Channel::Event, Channel::Email, Channel::Sms] {
        let is_worked_off =
            channel == Channel::Event || platform.config().courier_for(channel).is_some();
        if is_worked_off && store::any_due(&mut session, channel, now).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How many messages of a channel wait, up to 10,001, and since when the oldest has been due.
pub async fn backlog(session: &mut Session, channel: Channel) -> Result<(i64, Option<Time>)> {
    let waiting = store::waiting(session, channel).await?;
    let since = waiting.iter().map(delivering::due_since).min();
    Ok((waiting.iter().map(|one| one.count).sum(), since))
}

/// How many messages of each channel wait, and for how many seconds the oldest has been due.
pub async fn backlogs(platform: &Platform) -> Result<Vec<(Channel, i64, i64)>> {
    let now = platform.now();
    let mut session = platform.db().read().await?;
    let mut backlogs = Vec::new();
    for channel in [Channel::Event, Channel::Email, Channel::Sms] {
        let (waiting, since) = backlog(&mut session, channel).await?;
        let late = since.map_or(0, |since| (now - since).num_seconds().max(0));
        backlogs.push((channel, waiting, late));
    }
    Ok(backlogs)
}

/// Notes for monitoring how many messages wait, and how late they are.
pub async fn measure(platform: &Platform) -> Result<()> {
    for (channel, waiting, late) in backlogs(platform).await? {
        metrics::gauge!(OUTBOX_PENDING, "channel" => channel.as_str()).set(figure(waiting));
        metrics::gauge!(OUTBOX_OVERDUE, "channel" => channel.as_str()).set(figure(late));
    }
    Ok(())
}

async fn work_off(platform: &Platform, channel: Channel) -> Result<usize> {
    let mut all = 0;
    let mut attempts = 0;
    loop {
        match one_batch(platform, channel).await {
            Ok(0) => return Ok(all),
            Ok(worked) => {
                all += worked;
                attempts = 0;
            }
            Err(error) if error.kind() == Kind::Again && attempts < ATTEMPTS => attempts += 1,
            Err(error) if matches!(error.kind(), Kind::Again | Kind::Unavailable) => {
                return Err(error);
            }
            // One message breaks the batch: each is processed alone, and the broken one is given
            // up.
            Err(error) => match one_by_one(platform, channel).await? {
                0 => return Err(error),
                worked => all += worked,
            },
        }
    }
}

/// Processes one batch. Rows are locked, so that two workers never process the same one. What an
/// event becomes is made before the transaction that writes it and ends the event; messages for the
/// courier are claimed in a transaction and delivered after it.
async fn one_batch(platform: &Platform, channel: Channel) -> Result<usize> {
    let now = platform.now();
    {
        // An idle worker reads once and writes nothing.
        let mut session = platform.db().read().await?;
        if !store::any_due(&mut session, channel, now).await? {
            return Ok(0);
        }
        if channel == Channel::Event {
            let due = store::due_events(&mut session, now).await?;
            drop(session);
            return split(platform, due).await;
        }
    }
    let mut session = platform.db().begin().await?;
    let due = store::due(&mut session, channel, now).await?;
    finish(platform, session, due).await
}

/// Processes the messages of a failed batch, each in its own transaction; returns how many were
/// finished, with success or not.
async fn one_by_one(platform: &Platform, channel: Channel) -> Result<usize> {
    let mut session = platform.db().read().await?;
    let ids = store::due_ids(&mut session, channel, platform.now()).await?;
    drop(session);
    let mut ended = 0;
    for id in ids {
        match alone(platform, channel, id).await {
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

async fn alone(platform: &Platform, channel: Channel, id: OutboxId) -> Result<usize> {
    if channel == Channel::Event {
        let mut session = platform.db().read().await?;
        let due = store::due_event(&mut session, id).await?;
        drop(session);
        return split(platform, due.into_iter().collect()).await;
    }
    let mut session = platform.db().begin().await?;
    let due = store::due_one(&mut session, id).await?;
    finish(platform, session, due.into_iter().collect()).await
}

/// Splits these events, unless another worker has them; returns how many it split.
async fn split(platform: &Platform, due: Vec<Due>) -> Result<usize> {
    if due.is_empty() {
        return Ok(0);
    }
    let now = platform.now();
    let mut made = expanding::make(platform, now, &due).await?;
    let ids: Vec<OutboxId> = due.iter().map(|due| due.id).collect();
    let mut session = platform.db().begin().await?;
    let held = store::lock(&mut session, &ids).await?;
    made.retain(|one| held.contains(&one.id));
    let split = made.len();
    let touched = expanding::write(&mut session, platform, now, made).await?;
    session.commit().await?;
    touched.tell(platform.live());
    Ok(split)
}

/// Claims these messages and hands them to the courier; returns their number.
async fn finish(platform: &Platform, mut session: Session, due: Vec<Due>) -> Result<usize> {
    if due.is_empty() {
        return Ok(0);
    }
    let now = platform.now();
    let rows: Vec<&Due> = due.iter().collect();
    let claimed = delivering::claim(&mut session, platform, now, &rows).await?;
    session.commit().await?;
    delivering::hand_over(platform, claimed).await?;
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

/// Erases expired secrets, and gives up messages that can no longer be sent: those whose secret is
/// gone, and those without a courier for too long.
pub async fn give_up_waiting(platform: &Platform) -> Result<()> {
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
    for channel in LETTERS {
        if platform.config().courier_for(channel).is_none() {
            give_up_uncarried(platform, channel, now - COURIER_WITHIN).await?;
        }
    }
    Ok(())
}

/// Gives up the messages of a channel without a courier that were due at that instant.
async fn give_up_uncarried(platform: &Platform, channel: Channel, due: Time) -> Result<()> {
    loop {
        let mut session = platform.db().read().await?;
        let waiting = store::due_ids(&mut session, channel, due).await?;
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
