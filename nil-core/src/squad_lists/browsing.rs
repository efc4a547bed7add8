//! Portal users read the institution's squad lists, and remove members.

use schemars::JsonSchema;
use serde::Deserialize;

use super::member::{ListSquad, SquadMember};
use super::store;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::{Followed, Listing, SquadMemberId};
use crate::operation::{Cx, Done};

/// Selects a member of a squad list.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichMember {
    /// The member.
    pub id: SquadMemberId,
}

/// Lists the members of the institution's squad lists by their names (extension). Callers limited
/// to certain sports see only those.
pub async fn list(cx: Cx<PortalUser>, input: Followed<ListSquad>) -> Result<Listing<SquadMember>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::page(&mut session, &cx.caller, &input, place).await
}

/// Removes a member from a squad list (extension). The next file that names them adds them again.
/// 404 for another institution's member, and for one of a sport that the caller has no access to.
pub async fn remove(cx: Cx<PortalUser>, input: WhichMember) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    // An import that is under way has read the member.
    work.lock("college", cx.caller.college_id).await?;
    let id = store::of_caller(&mut work, &cx.caller, input.id).await?;
    store::remove_all(&mut work, &[id]).await?;
    work.note(id, "removed");
    work.done(()).await
}
