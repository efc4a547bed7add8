//! Reads a user's notifications for live streams, by id.

use super::Notification;
use super::store::notification as store;
use crate::error::Result;
use crate::kernel::UserId;
use crate::storage::Session;

/// The id of the user's latest notification; 0 if there is none.
pub async fn head(session: &mut Session, user: UserId) -> Result<i64> {
    store::head(session, user).await
}

/// The user's notifications after an id, at most `most`, oldest first.
pub async fn after(
    session: &mut Session,
    user: UserId,
    id: i64,
    most: i64,
) -> Result<Vec<Notification>> {
    store::after(session, user, id, most).await
}
