//! An operator's own sessions: listed, and ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::operator::OwnSession;
use crate::accounts::store::operator as store;
use crate::auth::{Audience, Operator, operator_hours, session};
use crate::error::{Error, Result, codes};
use crate::kernel::{Nothing, Text};
use crate::operation::{Cx, Done};

/// The sessions to end.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EndSessions {
    /// The session to end; omit it to end all others.
    #[schemars(extend("examples" = [null]))]
    pub id: Option<Text<1, 64>>,
}

/// How many sessions ended.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct EndedSessions {
    /// The number of sessions that ended.
    pub ended: u64,
}

/// The caller's sessions, the newest first; at most 100.
pub async fn list(cx: Cx<Operator>, _: Nothing) -> Result<Vec<OwnSession>> {
    let mut session = cx.read().await?;
    let since = operator_hours::idle_since(cx.now());
    store::sessions(&mut session, cx.caller.id, &cx.caller.session, since, cx.now()).await
}

/// Ends one of the caller's other sessions, or all of them, at once and on every server. 404 for a
/// session that is not the caller's, 422 for the one of this request (use `/logout`).
pub async fn end(cx: Cx<Operator>, input: EndSessions) -> Result<Done<EndedSessions>> {
    let Operator { id: operator, session: own, .. } = &cx.caller;
    let mut work = cx.begin().await?;
    let ended = match input.id.as_deref() {
        None => session::end_others(&mut work, Audience::Admin, operator.get(), own).await?,
        Some(id) if id == own => {
            return Err(Error::invalid("id", "is the session of this request; log out instead"));
        }
        Some(id) => store::end_session(&mut work, *operator, id).await?,
    };
    if ended == 0 && input.id.is_some() {
        return Err(codes::NOT_FOUND.into());
    }
    work.note(*operator, "sessions_ended");
    work.done(EndedSessions { ended }).await
}
