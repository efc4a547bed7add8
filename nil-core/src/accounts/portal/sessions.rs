//! A portal user's own sessions: listed, and ended.

use crate::accounts::own_session::{EndSessions, EndedSessions, PortalSession};
use crate::accounts::signing_in::own_sessions;
use crate::accounts::store::own_session as store;
use crate::auth::{Audience, PortalUser};
use crate::error::Result;
use crate::kernel::Nothing;
use crate::operation::{Cx, Done};

/// The caller's sessions, the newest first; at most 100.
pub async fn list(cx: Cx<PortalUser>, _: Nothing) -> Result<Vec<PortalSession>> {
    let PortalUser { id, session: own, .. } = &cx.caller;
    let mut session = cx.read().await?;
    store::list(&mut session, (Audience::Compliance, id.get()), own, cx.now()).await
}

/// Ends one of the caller's other sessions, or all of them, at once and on every server; with all
/// of them also that of an operator who acts as the caller. 404 for a session that is not the
/// caller's, 422 for the one of this request (use `/logout`).
pub async fn end(cx: Cx<PortalUser>, input: EndSessions) -> Result<Done<EndedSessions>> {
    let PortalUser { id, session: own, .. } = &cx.caller;
    let mut work = cx.begin().await?;
    let ended = own_sessions::end(&mut work, (Audience::Compliance, id.get()), own, &input).await?;
    work.note(*id, "sessions_ended");
    work.done(ended).await
}
