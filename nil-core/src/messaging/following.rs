//! Messages as a live stream reads them: what came after an id, in every conversation of a user.

use super::ChatMessage;
use super::store::message as messages;
use crate::error::Result;
use crate::kernel::UserId;
use crate::storage::Session;

/// The id of the latest message in the user's conversations; 0 where there is none.
pub(crate) async fn head(session: &mut Session, user: UserId) -> Result<i64> {
    messages::head(session, user).await
}

/// The messages after an id, at most so many, the oldest first; the user's own are among them, for
/// other devices.
pub(crate) async fn after(
    session: &mut Session,
    user: UserId,
    id: i64,
    most: i64,
) -> Result<Vec<ChatMessage>> {
    messages::after(session, user, id, most).await
}
