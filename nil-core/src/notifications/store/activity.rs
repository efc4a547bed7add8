//! The rows of live activity.

use std::collections::BTreeSet;

use serde_json::json;

use super::super::activity::Activity;
use crate::error::Result;
use crate::kernel::{Time, UserId};
use crate::storage::{Dialect, Session, sql};

/// SQLite has nobody to tell: its servers are one process. The condition binds the word all the same.
const CHANGE: &str = "INSERT INTO activity (user_id, activity, token, updated_at) \
    SELECT value ->> 0, value ->> 1, $2, $3 FROM json_each($1) WHERE $4 IS NOT NULL \
    ON CONFLICT (user_id, activity) DO UPDATE \
    SET token = excluded.token, updated_at = excluded.updated_at";
const CHANGE_AND_TELL: &str = "WITH changed AS (\
    INSERT INTO activity (user_id, activity, token, updated_at) \
    SELECT CAST(pair ->> 0 AS BIGINT), pair ->> 1, $2, $3 \
    FROM jsonb_array_elements($1) WITH ORDINALITY AS list (pair, place) ORDER BY place \
    ON CONFLICT (user_id, activity) DO UPDATE \
    SET token = excluded.token, updated_at = excluded.updated_at) \
    SELECT pg_notify('nil_live', $4)";

/// Gives these feeds a new token, in their order, and tells the other servers on commit.
pub(in crate::notifications) async fn change(
    session: &mut Session,
    feeds: &BTreeSet<(UserId, Activity)>,
    token: String,
    word: String,
    now: Time,
) -> Result<()> {
    session
        .run(
            sql(CHANGE)
                .locking(CHANGE_AND_TELL)
                .bind(json!(feeds))
                .bind(token)
                .bind(now)
                .bind(word),
        )
        .await
        .map(|_| ())
}

/// Tells the other servers on commit, where there can be some.
pub(in crate::notifications) async fn tell(session: &mut Session, word: String) -> Result<()> {
    if session.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    session
        .run(sql("SELECT pg_notify('nil_live', $1)").bind(word))
        .await
        .map(|_| ())
}

/// The feeds of a user that have ever changed.
pub(in crate::notifications) async fn of_user(
    session: &mut Session,
    user: UserId,
) -> Result<Vec<(Activity, String, Time)>> {
    session
        .all(sql("SELECT activity, token, updated_at FROM activity WHERE user_id = $1").bind(user))
        .await
}

/// When the account was made.
pub(in crate::notifications) async fn begun(session: &mut Session, user: UserId) -> Result<Time> {
    session
        .value(sql("SELECT created_at FROM app_user WHERE id = $1").bind(user))
        .await
}
