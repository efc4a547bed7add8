//! The sessions of somebody who is logged in: ended by their owner.

use crate::accounts::own_session::{EndSessions, EndedSessions};
use crate::accounts::store::own_session as store;
use crate::auth::{Audience, session};
use crate::error::{Error, Result, codes};
use crate::operation::Work;

/// Ends one of the caller's other sessions, or all of them, at once and on every server. 404 for a
/// session that is not the caller's, 422 for the one of this request.
pub(crate) async fn end(
    work: &mut Work,
    (audience, subject): (Audience, i64),
    current: &str,
    input: &EndSessions,
) -> Result<EndedSessions> {
    let ended = match input.id.as_deref() {
        None => session::end_others(work, audience, subject, current).await?,
        Some(id) if id == current => {
            return Err(Error::invalid("id", "is the session of this request; log out instead"));
        }
        Some(id) => store::end(work, audience, subject, id).await?,
    };
    if ended == 0 && input.id.is_some() {
        return Err(codes::NOT_FOUND.into());
    }
    Ok(EndedSessions { ended })
}
