//! The SQL that reads the tokens of a user's feeds.

use crate::error::Result;
use crate::feed::FeedKind;
use crate::kernel::{Time, UserId};
use crate::storage::{Session, sql};

/// The feeds of a user that have ever changed.
pub async fn of_user(session: &mut Session, user: UserId) -> Result<Vec<(FeedKind, String, Time)>> {
    session
        .all(sql("SELECT activity, token, updated_at FROM activity WHERE user_id = $1").bind(user))
        .await
}

/// When the account was created.
pub async fn begun(session: &mut Session, user: UserId) -> Result<Time> {
    session.value(sql("SELECT created_at FROM app_user WHERE id = $1").bind(user)).await
}
