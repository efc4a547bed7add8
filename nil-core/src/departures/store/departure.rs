//! The rows of departures.

use chrono::TimeDelta;
use serde_json::json;

use crate::departures::departure::Leaving;
use crate::error::Result;
use crate::kernel::{Time, UserId};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{FromRow, Session, insert, sql};

/// After this time no request that was under way when the account closed can write any more.
const AGAIN_AFTER: TimeDelta = TimeDelta::hours(1);

/// The person behind an account; 404 if there is none.
pub async fn leaving(session: &mut Session, user: UserId) -> Result<Leaving> {
    session
        .one(
            sql("SELECT u.id, u.kind, COALESCE(a.id, p.id, g.id, f.id) AS profile_id, \
                 u.first_name, u.last_name, u.email, \
                 COALESCE(a.display_name, p.company_name, g.agency_name) AS shown_name \
                 FROM app_user u \
                 LEFT JOIN athlete a ON a.user_id = u.id LEFT JOIN partner p ON p.user_id = u.id \
                 LEFT JOIN agent g ON g.user_id = u.id LEFT JOIN fan f ON f.user_id = u.id \
                 WHERE u.id = $1")
            .bind(user),
        )
        .await
}

/// Records that an account was closed: who asked for it, and why.
pub async fn add(
    session: &mut Session,
    user: UserId,
    (by, reason): (&str, Option<String>),
    names: &[String],
    now: Time,
) -> Result<()> {
    let row = insert("departure")
        .set("user_id", user)
        .set("asked_by", by)
        .set("reason", reason)
        .set("names", json!(names))
        .set("left_at", now)
        .set("due_at", now + AGAIN_AFTER);
    session.run(row).await.map(|_| ())
}

/// The accounts whose data is to be erased once more by `until`.
pub async fn due(session: &mut Session, until: Time, behind: Behind) -> Result<Page<UserId>> {
    const DUE: &str = due_ids!("departure", "due_at", "user_id", "due_at <= $1");
    due::ids(session, DUE, until, behind).await
}

#[derive(FromRow)]
struct Held {
    #[row(json)]
    names: Vec<String>,
}

/// Locks a departure that is still due; returns the names the person had.
pub async fn lock_due(
    session: &mut Session,
    user: UserId,
    until: Time,
) -> Result<Option<Vec<String>>> {
    const HELD: &str = "SELECT names FROM departure WHERE user_id = $1 AND due_at <= $2";
    let held = sql(HELD).locking("FOR UPDATE").bind(user).bind(until);
    let found: Option<Held> = session.first(held).await?;
    Ok(found.map(|held| held.names))
}

/// Nothing is left to erase.
pub async fn finish(session: &mut Session, user: UserId) -> Result<()> {
    let row = sql("UPDATE departure SET due_at = NULL, names = NULL WHERE user_id = $1");
    session.run(row.bind(user)).await.map(|_| ())
}
