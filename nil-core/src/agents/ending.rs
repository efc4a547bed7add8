//! Either side ends a representation; an agent withdraws an invitation. Operators end one through
//! `admin`.
//!
//! The agent's access ends with the transaction. Agent and commission remain on existing contracts.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::representation::{EndReason, Representation, RepresentationEvent, RepresentationStatus};
use super::store::{AgentFacts, AthleteFacts, Facts};
use super::{notices, store};
use crate::auth::{Agent, Athlete};
use crate::error::{Result, codes};
use crate::kernel::{AgentId, AthleteId, Machine as _, RepresentationId};
use crate::operation::{Cx, Done, Work};

/// The representation that an athlete ends.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct EndOwn {
    /// The representation (default: the active one).
    pub representation_id: Option<RepresentationId>,
}

/// The representation that an agent ends.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct EndOne {
    /// The representation, or the invitation.
    pub representation_id: RepresentationId,
}

/// The athlete ends the representation. 404 without one.
pub async fn as_athlete(cx: Cx<Athlete>, input: EndOwn) -> Result<Done<Representation>> {
    let mut work = cx.begin().await?;
    let athlete = store::lock_athlete(&mut work, cx.caller.id).await?;
    let id = match input.representation_id {
        Some(id) => id,
        None => store::active_of(&mut work, athlete.id).await?.ok_or(codes::NOT_FOUND)?,
    };
    let held = store::lock_of_athlete(&mut work, id, &athlete).await?;
    let agent = store::agent(&mut work, held.agent_id).await?;
    let ended = end(&mut work, &held, (&agent, &athlete), EndReason::Athlete).await?;
    work.done(ended).await
}

/// The agent ends the representation, or withdraws an invitation.
pub async fn as_agent(cx: Cx<Agent>, input: EndOne) -> Result<Done<Representation>> {
    let mut work = cx.begin().await?;
    let held = store::lock_of_agent(&mut work, input.representation_id, cx.caller.id).await?;
    if held.status == RepresentationStatus::Invited {
        let back = withdraw(&mut work, &held).await?;
        return work.done(back.for_agent()).await;
    }
    // The state is checked first: an ended representation may never have had an athlete.
    held.status.on(RepresentationEvent::End)?;
    let athlete = held.athlete_id.ok_or(codes::NOT_FOUND)?;
    let athlete = store::athlete(&mut work, athlete).await?;
    let agent = store::agent(&mut work, cx.caller.id).await?;
    let ended = end(&mut work, &held, (&agent, &athlete), EndReason::Agent).await?;
    work.done(ended.for_agent()).await
}

/// Ends the representation of an athlete who leaves, and declines the invitations they have not
/// answered.
pub async fn end_all_of_athlete(work: &mut Work, athlete: AthleteId) -> Result<()> {
    let athlete = store::lock_athlete(work, athlete).await?;
    let now = work.now();
    for held in store::lock_live_of_athlete(work, &athlete).await? {
        if held.status == RepresentationStatus::Invited {
            let moved = held.status.on(RepresentationEvent::Decline)?;
            let facts = Facts { answered_by: Some(athlete.id), ..Facts::default() };
            let back = store::change(work, held.id, moved, facts, now).await?;
            work.note(back.id, moved.to().as_str());
            continue;
        }
        let agent = store::agent(work, held.agent_id).await?;
        end(work, &held, (&agent, &athlete), EndReason::Athlete).await?;
    }
    Ok(())
}

/// Ends the representations of an agent who leaves, and withdraws their invitations.
pub async fn end_all_of_agent(work: &mut Work, agent: AgentId) -> Result<()> {
    let agent = store::lock_agent(work, agent).await?;
    for held in store::lock_live_of_agent(work, agent.id).await? {
        if held.status == RepresentationStatus::Invited {
            withdraw(work, &held).await?;
            continue;
        }
        let athlete = held.athlete_id.ok_or(codes::NOT_FOUND)?;
        let athlete = store::athlete(work, athlete).await?;
        end(work, &held, (&agent, &athlete), EndReason::Agent).await?;
    }
    Ok(())
}

/// Withdraws an invitation that was not answered.
async fn withdraw(work: &mut Work, held: &Representation) -> Result<Representation> {
    let moved = held.status.on(RepresentationEvent::Withdraw)?;
    let now = work.now();
    let back = store::change(work, held.id, moved, Facts::default(), now).await?;
    work.note(back.id, "withdrawn");
    Ok(back)
}

/// Ends an active representation and notifies both sides, and a minor's guardian.
pub(super) async fn end(
    work: &mut Work,
    held: &Representation,
    (agent, athlete): (&AgentFacts, &AthleteFacts),
    reason: EndReason,
) -> Result<Representation> {
    let moved = held.status.on(RepresentationEvent::End)?;
    let now = work.now();
    let facts = Facts { end_reason: Some(reason), ..Facts::default() };
    let ended = store::change(work, held.id, moved, facts, now).await?;
    let before = json!({ "status": held.status });
    let after = json!({ "status": ended.status, "end_reason": ended.end_reason });
    work.note_change(ended.id, "ended", before, after);
    notices::unlinked(work, agent, athlete, &ended);
    Ok(ended)
}
