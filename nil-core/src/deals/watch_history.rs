//! What was found of a deliverable's posts, day by day: for both parties, the athlete's agent and
//! the institution.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::deliverable as deliverables;
use super::store::watch as store;
use super::watch::{PostCheck, PostOutcome};
use crate::auth::{Party, PortalUser};
use crate::content::Viewer;
use crate::error::Result;
use crate::kernel::{DeliverableId, Followed, Listing};
use crate::operation::Cx;
use crate::people;

/// The checks to list.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListPostChecks {
    /// The deliverable whose posts were checked.
    pub deliverable_id: DeliverableId,
    /// With this result only.
    #[schemars(extend("examples" = ["gone"]))]
    pub outcome: Option<PostOutcome>,
}

/// The daily checks of the posts of a deliverable, newest first; empty until the work is approved
/// and the posts have been looked at. 404 for a deliverable of others' deals. An agent's access is
/// recorded in the audit trail.
pub async fn list(cx: Cx<Party>, input: Followed<ListPostChecks>) -> Result<Listing<PostCheck>> {
    let (input, place) = cx.place(input)?;
    let viewer = Viewer::of_party(&cx.caller);
    let mut session = cx.read().await?;
    let athlete = deliverables::athlete_of(&mut session, &viewer, input.deliverable_id).await?;
    let page = store::checks(&mut session, input.deliverable_id, input.outcome, place).await?;
    drop(session);
    people::party_looked_at(&cx, [athlete].into_iter(), "post_checks_seen").await?;
    Ok(page)
}

/// The daily checks of the posts of a deliverable, newest first. 404 unless its contract was made
/// at the caller's institution, in a sport that the caller sees.
pub async fn list_for_college(
    cx: Cx<PortalUser>,
    input: Followed<ListPostChecks>,
) -> Result<Listing<PostCheck>> {
    let (input, place) = cx.place(input)?;
    let viewer = Viewer::of_portal(&cx.caller);
    let mut session = cx.read().await?;
    deliverables::athlete_of(&mut session, &viewer, input.deliverable_id).await?;
    store::checks(&mut session, input.deliverable_id, input.outcome, place).await
}
