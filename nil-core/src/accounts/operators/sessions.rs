//! An operator's own sessions: listed, and ended.

use crate::accounts::own_session::{EndSessions, EndedSessions, OwnSession};
use crate::accounts::signing_in::own_sessions;
use crate::accounts::store::own_session as store;
use crate::auth::{Audience, Operator};
use crate::error::Result;
use crate::kernel::Nothing;
use crate::operation::{Cx, Done};

/// The caller's sessions, the newest first; at most 100.
pub async fn list(cx: Cx<Operator>, _: Nothing) -> Result<Vec<OwnSession>> {
    let Operator { id, session: own, .. } = &cx.caller;
    let mut session = cx.read().await?;
    store::list(&mut session, (Audience::Admin, id.get()), own, cx.now()).await
}

/// Ends one of the caller's other sessions, or all of them, at once and on every server. 404 for a
/// session that is not the caller's, 422 for the one of this request (use `/logout`).
pub async fn end(cx: Cx<Operator>, input: EndSessions) -> Result<Done<EndedSessions>> {
    let Operator { id, session: own, .. } = &cx.caller;
    let mut work = cx.begin().await?;
    let ended = own_sessions::end(&mut work, (Audience::Admin, id.get()), own, &input).await?;
    work.note(*id, "sessions_ended");
    work.done(ended).await
}
