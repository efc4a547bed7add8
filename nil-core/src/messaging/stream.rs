//! Messages for live streams: new messages after an id, in all of a user's conversations.

use super::ChatMessage;
use super::store::message as messages;
use crate::error::Result;
use crate::kernel::UserId;
use crate::storage::Session;

/// The id of the latest message in the user's conversations; 0 if there is none.
pub async fn head(session: &mut Session, user: UserId) -> Result<i64> {
    messages::head(session, user).await
}

/// At most this many messages after an id, oldest first. The user's own messages are included, for
/// their other devices.
pub async fn after(
    session: &mut Session,
    user: UserId,
    id: i64,
    most: i64,
) -> Result<Vec<ChatMessage>> {
    messages::after(session, user, id, most).await
}
