//! The rows of feed tokens.

use std::collections::BTreeSet;

use serde_json::json;

use super::feed_kind::FeedKind;
use crate::error::Result;
use crate::kernel::{Time, UserId};
use crate::storage::{Dialect, Session, sql};

/// In a fixed order, so that two transactions cannot deadlock.
const CHANGE: &str = "INSERT INTO activity (user_id, activity, token, updated_at) \
    SELECT value ->> 0, value ->> 1, $2, $3 FROM json_each($1) WHERE true ORDER BY key \
    ON CONFLICT (user_id, activity) DO UPDATE \
    SET token = excluded.token, updated_at = excluded.updated_at";
const CHANGE_ON_POSTGRES: &str = "INSERT INTO activity (user_id, activity, token, updated_at) \
    SELECT CAST(pair ->> 0 AS BIGINT), pair ->> 1, $2, $3 \
    FROM jsonb_array_elements($1) WITH ORDINALITY AS list (pair, place) ORDER BY place \
    ON CONFLICT (user_id, activity) DO UPDATE \
    SET token = excluded.token, updated_at = excluded.updated_at";

const CHANGE_AND_TELL: &str = "WITH changed AS (INSERT INTO activity (user_id, activity, token, updated_at) \
    SELECT CAST(pair ->> 0 AS BIGINT), pair ->> 1, $2, $3 \
    FROM jsonb_array_elements($1) WITH ORDINALITY AS list (pair, place) ORDER BY place \
    ON CONFLICT (user_id, activity) DO UPDATE \
    SET token = excluded.token, updated_at = excluded.updated_at) SELECT pg_notify('nil_live', $4)";

/// Gives these feeds a new token, and sends a message to the other servers on commit: one
/// statement.
pub async fn change(
    session: &mut Session,
    feeds: &BTreeSet<(UserId, FeedKind)>,
    token: String,
    word: Option<String>,
    now: Time,
) -> Result<()> {
    let change = match word.filter(|_| can_be_told(session)) {
        None => {
            sql(CHANGE).on_postgres(CHANGE_ON_POSTGRES).bind(json!(feeds)).bind(token).bind(now)
        }
        Some(word) => sql(CHANGE_AND_TELL).bind(json!(feeds)).bind(token).bind(now).bind(word),
    };
    session.run(change).await.map(|_| ())
}

/// Notifies the other servers on commit, if there can be any.
pub async fn tell(session: &mut Session, word: String) -> Result<()> {
    if !can_be_told(session) {
        return Ok(());
    }
    session.run(sql("SELECT pg_notify('nil_live', $1)").bind(word)).await.map(|_| ())
}

/// Only servers on PostgreSQL have others beside them.
fn can_be_told(session: &Session) -> bool {
    session.dialect() == Dialect::Postgres
}
