//! The rows of reminders already sent.

use crate::error::Result;
use crate::feed::Event;
use crate::kernel::Time;
use crate::storage::{Session, insert};

/// Records a reminder of this event for this date of a record; returns whether there was none before.
pub async fn mark_reminded(
    session: &mut Session,
    event: Event,
    subject: i64,
    due_at: Time,
    now: Time,
) -> Result<bool> {
    let row = insert("reminder")
        .set("event", event)
        .set("subject_id", subject)
        .set("due_at", due_at)
        .set("created_at", now)
        .unless_exists(&["event", "subject_id", "due_at"]);
    Ok(session.run(row).await? > 0)
}
