//! The worker's part in messages: events become one message per channel, messages are handed over,
//! secrets are erased when their time is over.

use chrono::TimeDelta;

use super::delivering;
use super::expanding::expand;
use super::outbox::{Channel, OutboxStatus};
use super::store::outbox::{self as store, Due};
use crate::error::{Kind, Result};
use crate::platform::Platform;
use crate::storage::sql;

/// How often what a batch lost to others is tried at once.
const ATTEMPTS: u32 = 5;

/// Works off every message that is due now; answers how many.
pub(crate) async fn work_off(platform: &Platform) -> Result<usize> {
    let mut all = 0;
    let mut attempts = 0;
    loop {
        match one_batch(platform).await {
            Ok(0) => return Ok(all),
            Ok(worked) => {
                all += worked;
                attempts = 0;
            }
            Err(error) if error.kind() == Kind::Again && attempts < ATTEMPTS => attempts += 1,
            Err(error) => return Err(error),
        }
    }
}

/// One batch. Rows are locked, so that two workers never do the same one. Events are split in the
/// same transaction that ends them; what a courier carries is claimed in it and handed over after it.
async fn one_batch(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    {
        // An idle worker asks once and writes nothing.
        let mut session = platform.db().read().await?;
        if !store::any_due(&mut session, now).await? {
            return Ok(0);
        }
    }
    let mut session = platform.db().begin().await?;
    let due = store::due(&mut session, now).await?;
    if due.is_empty() {
        return Ok(0);
    }
    let of_events = |due: &&Due| due.channel == Channel::Event;
    let (events, letters): (Vec<&Due>, Vec<&Due>) = due.iter().partition(of_events);
    let touched = expand(&mut session, platform, now, &events).await?;
    let expanded: Vec<_> = events.iter().map(|due| due.id).collect();
    store::end(&mut session, &expanded, OutboxStatus::Expanded, None).await?;
    let claimed = delivering::claim(&mut session, platform, now, &letters).await?;
    session.commit().await?;
    touched.tell(platform);
    delivering::hand_over(platform, claimed).await?;
    Ok(due.len())
}

/// Erases secrets whose time is over, and keys, nonces and sessions that have ended.
pub(crate) async fn erase_expired(platform: &Platform) -> Result<()> {
    let now = platform.now();
    let mut session = platform.db().begin().await?;
    session
        .run(
            sql("UPDATE outbox SET sealed = NULL, body = NULL \
                 WHERE sealed IS NOT NULL AND expires_at <= $1")
            .bind(now),
        )
        .await?;
    for text in [
        "DELETE FROM idempotency WHERE expires_at <= $1",
        "DELETE FROM session WHERE expires_at <= $1",
        "DELETE FROM link_token WHERE expires_at <= $1",
        "DELETE FROM one_time_code WHERE expires_at <= $1",
        "DELETE FROM used_nonce WHERE expires_at <= $1",
        "DELETE FROM mail_allowance WHERE day_ends_at <= $1",
    ] {
        session.run(sql(text).bind(now)).await?;
    }
    for text in [
        "DELETE FROM login_failure WHERE at <= $1",
        "DELETE FROM login_turn WHERE next_at <= $1",
    ] {
        session
            .run(sql(text).bind(now - TimeDelta::hours(1)))
            .await?;
    }
    session.commit().await
}
