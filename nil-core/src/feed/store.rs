//! The rows of feed tokens.

use std::collections::BTreeSet;

use serde_json::json;

use super::feed_kind::FeedKind;
use crate::error::Result;
use crate::kernel::{Time, UserId};
use crate::storage::{Session, sql};

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

/// Gives these feeds a new token, and sends a message to the other servers on commit.
pub async fn change(
    session: &mut Session,
    feeds: &BTreeSet<(UserId, FeedKind)>,
    token: String,
    word: Option<String>,
    now: Time,
) -> Result<()> {
    let change = sql(CHANGE).on_postgres(CHANGE_ON_POSTGRES);
    session.insert_later("activity", change.bind(json!(feeds)).bind(token).bind(now)).await?;
    if let Some(word) = word {
        session.notify_later(word);
    }
    Ok(())
}
