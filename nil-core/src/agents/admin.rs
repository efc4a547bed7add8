//! Operators see whom an agent represents, and end a representation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::browsing::{Represented, with_athletes};
use super::representation::{EndReason, Representation, RepresentationEvent, RepresentationStatus};
use super::{ending, store};
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{AgentId, Combined, Listing, Machine as _, Many, RepresentationId, Sifted};
use crate::operation::{Cx, Done};

/// The representations of one agent.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListOfAgent {
    /// The agent.
    pub id: AgentId,
    /// Only in these states (default: all).
    pub statuses: Option<Many<RepresentationStatus, 0, 5>>,
}

/// The representation to end.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Unlink {
    /// The representation.
    pub id: RepresentationId,
}

/// The athletes whom an agent represents, represented or invited, newest first, without birth
/// dates. `q` looks in the athletes' names and in the addresses of invitations. 404 for an unknown
/// agent.
pub async fn athletes(
    cx: Cx<Operator>,
    input: Sifted<ListOfAgent>,
) -> Result<Listing<Represented>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let statuses = Many::or_none(input.statuses);
    let mut session = cx.read().await?;
    let agent = store::agent(&mut session, input.id).await?;
    let page = store::page_of_agent(&mut session, agent.id, &statuses, &sift, place).await?;
    with_athletes(&mut session, page, |_| false, cx.now()).await
}

/// Ends a representation, as either side could. Agent and athlete are notified, and a minor's
/// guardian. 404 for an unknown id, 409 for an invitation and for one that has ended.
pub async fn unlink(cx: Cx<Operator>, input: Unlink) -> Result<Done<Representation>> {
    let mut work = cx.begin().await?;
    let held = store::lock(&mut work, input.id).await?.ok_or(codes::NOT_FOUND)?;
    // The state is checked first: an invitation may have no athlete yet.
    held.status.on(RepresentationEvent::End)?;
    let athlete = held.athlete_id.ok_or(codes::NOT_FOUND)?;
    let athlete = store::athlete(&mut work, athlete).await?;
    let agent = store::agent(&mut work, held.agent_id).await?;
    let ended = ending::end(&mut work, &held, (&agent, &athlete), EndReason::Operator).await?;
    work.done(ended).await
}
