//! The rows counting mails to addresses.

use crate::error::Result;
use crate::kernel::{Time, Wait};
use crate::storage::{Session, sql};

/// Counts one more mail to a recipient unless the limit is reached; returns whether it was counted.
/// The row is locked until the end of the transaction. `waits`: how long a burst and a day last;
/// `most`: their limits.
pub async fn count(
    session: &mut Session,
    recipient: &str,
    now: Time,
    waits: (Wait, Wait),
    most: (i64, i64),
) -> Result<bool> {
    let counted: Option<(String,)> = session
        .first(
            sql("INSERT INTO mail_allowance \
                 (recipient, sent_now, now_ends_at, sent_today, day_ends_at) \
                 VALUES ($1, 1, $3, 1, $4) ON CONFLICT (recipient) DO UPDATE SET \
                 sent_now = CASE WHEN mail_allowance.now_ends_at > $2 \
                 AND mail_allowance.now_ends_at <= $7 THEN mail_allowance.sent_now + 1 ELSE 1 END, \
                 now_ends_at = CASE WHEN mail_allowance.now_ends_at > $2 \
                 AND mail_allowance.now_ends_at <= $7 THEN mail_allowance.now_ends_at \
                 ELSE excluded.now_ends_at END, \
                 sent_today = CASE WHEN mail_allowance.day_ends_at > $2 \
                 AND mail_allowance.day_ends_at <= $8 THEN mail_allowance.sent_today + 1 ELSE 1 END, \
                 day_ends_at = CASE WHEN mail_allowance.day_ends_at > $2 \
                 AND mail_allowance.day_ends_at <= $8 THEN mail_allowance.day_ends_at \
                 ELSE excluded.day_ends_at END \
                 WHERE (mail_allowance.now_ends_at <= $2 OR mail_allowance.now_ends_at > $7 \
                 OR mail_allowance.sent_now < $5) \
                 AND (mail_allowance.day_ends_at <= $2 OR mail_allowance.day_ends_at > $8 \
                 OR mail_allowance.sent_today < $6) \
                 RETURNING recipient")
            .bind(recipient)
            .bind(now)
            .bind(waits.0.end(now))
            .bind(waits.1.end(now))
            .bind(most.0)
            .bind(most.1)
            .bind(waits.0.latest_end(now))
            .bind(waits.1.latest_end(now)),
        )
        .await?;
    Ok(counted.is_some())
}

/// When a recipient at the limit can be sent the next mail.
pub async fn ends(
    session: &mut Session,
    recipient: &str,
    now: Time,
    waits: (Wait, Wait),
    most: (i64, i64),
) -> Result<Option<Time>> {
    let found: Option<(i64, Time, i64, Time)> = session
        .first(
            sql("SELECT sent_now, now_ends_at, sent_today, day_ends_at \
                 FROM mail_allowance WHERE recipient = $1")
            .bind(recipient),
        )
        .await?;
    Ok(found.and_then(|(sent_now, now_ends, sent_today, day_ends)| {
        let burst = (sent_now >= most.0 && !waits.0.is_over(now_ends, now)).then_some(now_ends);
        let day = (sent_today >= most.1 && !waits.1.is_over(day_ends, now)).then_some(day_ends);
        burst.max(day)
    }))
}
