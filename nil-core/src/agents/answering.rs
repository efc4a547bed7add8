//! Athletes answer agents' invitations.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::representation::{Representation, RepresentationEvent};
use super::{notices, store};
use crate::accounts::UserStatus;
use crate::auth::Athlete;
use crate::error::{Result, codes};
use crate::kernel::{Machine as _, RepresentationId};
use crate::operation::{Cx, Done};

/// An answer to an agent's invitation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct RespondAgent {
    /// The invitation.
    pub representation_id: RepresentationId,
    /// Whether the athlete accepts.
    pub accept: bool,
}

/// Accepts or declines an agent's invitation. An athlete has one agent at a time: 409 `already_represented`. 409
/// `agent_unavailable` if the agent's account is no longer in use.
pub async fn respond(cx: Cx<Athlete>, input: RespondAgent) -> Result<Done<Representation>> {
    let mut work = cx.begin().await?;
    let now = cx.now();
    // The athlete is locked before the invitation, so that two invitations are answered one after the other.
    let athlete = store::hold_athlete(&mut work, cx.caller.id).await?;
    let id = input.representation_id;
    let invitation = store::hold_of_athlete(&mut work, id, &athlete).await?;
    let event =
        if input.accept { RepresentationEvent::Accept } else { RepresentationEvent::Decline };
    let moved = invitation.status.on(event)?;
    if invitation.has_lapsed(now) {
        return Err(codes::ILLEGAL_TRANSITION.saying("The time to answer this invitation is over."));
    }
    let agent = store::agent(&mut work, invitation.agent_id).await?;
    if input.accept {
        if store::active_of(&mut work, athlete.id).await?.is_some() {
            return Err(codes::ALREADY_REPRESENTED.into());
        }
        if agent.account != UserStatus::Active {
            return Err(codes::AGENT_UNAVAILABLE.into());
        }
    }
    let answered = store::change(&mut work, id, moved, Some(athlete.id), now).await?;
    let after = json!({
        "status": answered.status, "athlete_id": athlete.id,
        "commission_basis_points": answered.commission_basis_points,
    });
    let before = json!({ "status": invitation.status });
    work.note_change(answered.id, moved.to().as_str(), before, after);
    if input.accept {
        notices::linked(&mut work, &agent, &athlete, &answered);
    }
    work.done(answered).await
}
