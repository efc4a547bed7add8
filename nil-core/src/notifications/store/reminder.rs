//! The rows of reminders already sent, and the dates that nobody was reminded of.

use crate::error::Result;
use crate::feed::Event;
use crate::kernel::Time;
use crate::schedule::due::{Behind, Page};
use crate::storage::{Row, Session, insert, sql};

/// The statement of [`unreminded`]: the next records of a table, possibly joined with others, by
/// their date and id, those that fulfil a condition.
#[macro_export]
macro_rules! due_unreminded {
    ($from:literal, $at:literal, $id:literal, $which:literal) => {
        concat!(
            "SELECT ",
            $at,
            ", ",
            $id,
            " FROM ",
            $from,
            " WHERE ",
            $which,
            " AND ",
            $at,
            " >= $1 AND ",
            $at,
            " < $2 AND (",
            $at,
            ", ",
            $id,
            ") > ($4, $5) AND NOT EXISTS (SELECT 1 FROM reminder r WHERE r.event = $3 AND ",
            "r.subject_id = ",
            $id,
            " AND r.due_at = ",
            $at,
            ") ORDER BY ",
            $at,
            ", ",
            $id,
            " LIMIT 500"
        )
    };
}
pub use due_unreminded;

/// A page of the ids of records whose date is in this span and who have no reminder of the event
/// for it, by a statement made by [`due_unreminded`].
pub async fn unreminded<Id>(
    session: &mut Session,
    due: &'static str,
    event: Event,
    (from, until): (Time, Time),
    behind: Behind,
) -> Result<Page<Id>>
where
    Id: Copy + Into<i64>,
    (Time, Id): Row,
{
    let due = sql(due).bind(from).bind(until).bind(event).bind(behind.at).bind(behind.id);
    let rows: Vec<(Time, Id)> = session.all(due).await?;
    Ok(rows.into())
}

/// Records a reminder of this event for this date of a record; returns whether there was none
/// before.
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
