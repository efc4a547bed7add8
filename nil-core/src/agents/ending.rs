//! Either side ends a representation; an agent takes an invitation back.
//!
//! The agent's access ends with the transaction. What contracts say of agent and commission stays.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::representation::{Representation, RepresentationEvent, RepresentationStatus};
use super::store::{AgentFacts, AthleteFacts};
use super::{store, telling};
use crate::auth::{Agent, Athlete};
use crate::error::{Result, codes};
use crate::kernel::{Machine as _, RepresentationId};
use crate::operation::{Cx, Done, Work};

/// Which representation an athlete ends.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct EndOwn {
    /// The representation (default: the one that holds now).
    pub representation_id: Option<RepresentationId>,
}

/// Which representation an agent ends.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct EndOne {
    /// The representation, or the invitation.
    pub representation_id: RepresentationId,
}

/// The athlete parts with the agent. 404 without one.
pub async fn as_athlete(cx: Cx<Athlete>, input: EndOwn) -> Result<Done<Representation>> {
    let mut work = cx.begin().await?;
    let athlete = store::hold_athlete(&mut work, cx.caller.id).await?;
    let id = match input.representation_id {
        Some(id) => id,
        None => store::active_of(&mut work, athlete.id).await?.ok_or(codes::NOT_FOUND)?,
    };
    let held = store::hold_of_athlete(&mut work, id, &athlete).await?;
    let agent = store::agent(&mut work, held.agent_id).await?;
    let ended = end(&mut work, &held, &agent, &athlete).await?;
    work.done(ended).await
}

/// The agent parts with the athlete, or takes an invitation back.
pub async fn as_agent(cx: Cx<Agent>, input: EndOne) -> Result<Done<Representation>> {
    let mut work = cx.begin().await?;
    let held = store::hold_of_agent(&mut work, input.representation_id, cx.caller.id).await?;
    if held.status == RepresentationStatus::Invited {
        let moved = held.status.on(RepresentationEvent::Withdraw)?;
        let back = store::change(&mut work, held.id, moved, None, cx.now()).await?;
        work.note(back.id, "withdrawn");
        return work.done(back.for_agent()).await;
    }
    // The machine speaks first: what has ended may never have had an athlete.
    held.status.on(RepresentationEvent::End)?;
    let athlete = held.athlete_id.ok_or(codes::NOT_FOUND)?;
    let athlete = store::athlete(&mut work, athlete).await?.ok_or(codes::NOT_FOUND)?;
    let agent = store::agent(&mut work, cx.caller.id).await?;
    let ended = end(&mut work, &held, &agent, &athlete).await?;
    work.done(ended.for_agent()).await
}

async fn end(
    work: &mut Work,
    held: &Representation,
    agent: &AgentFacts,
    athlete: &AthleteFacts,
) -> Result<Representation> {
    let moved = held.status.on(RepresentationEvent::End)?;
    let now = work.now();
    let ended = store::change(work, held.id, moved, None, now).await?;
    let before = json!({ "status": held.status });
    let after = json!({ "status": ended.status });
    work.note_change(ended.id, "ended", before, after);
    telling::unlinked(work, agent, athlete, &ended);
    Ok(ended)
}
