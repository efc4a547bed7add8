//! Athletes answer agents' invitations. The institution's filing about an accepted one is drafted
//! by `filings`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::notices;
use super::representation::{Representation, RepresentationEvent};
use super::store::{self, AthleteFacts, Facts};
use crate::accounts::UserStatus;
use crate::error::{Result, codes};
use crate::institutions::{AgentNotice, checking};
use crate::kernel::{AthleteId, Machine as _, RepresentationId, day_in};
use crate::operation::Work;

/// An answer to an agent's invitation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct RespondAgent {
    /// The invitation.
    pub representation_id: RepresentationId,
    /// Whether the athlete accepts.
    pub accept: bool,
}

/// Accepts or declines an agent's invitation, in the transaction of the caller. An athlete has one
/// agent at a time: 409 `already_represented`. 409 `agent_unavailable` if the agent's account is no
/// longer in use.
pub async fn answer(
    work: &mut Work,
    athlete: AthleteId,
    input: RespondAgent,
) -> Result<Representation> {
    let now = work.now();
    // The athlete is locked before the invitation, so that two invitations are answered one after
    // the other.
    let athlete = store::lock_athlete(work, athlete).await?;
    let id = input.representation_id;
    let invitation = store::lock_of_athlete(work, id, &athlete).await?;
    let event =
        if input.accept { RepresentationEvent::Accept } else { RepresentationEvent::Decline };
    let moved = invitation.status.on(event)?;
    if invitation.has_lapsed(now) {
        return Err(codes::ILLEGAL_TRANSITION.saying("The time to answer this invitation is over."));
    }
    let agent = store::agent(work, invitation.agent_id).await?;
    let mut facts = Facts { answered_by: Some(athlete.id), ..Facts::default() };
    let rule = rule_today(work, &athlete).await?;
    if input.accept {
        if store::active_of(work, athlete.id).await?.is_some() {
            return Err(codes::ALREADY_REPRESENTED.into());
        }
        if agent.account != UserStatus::Active {
            return Err(codes::AGENT_UNAVAILABLE.into());
        }
        let zone = athlete.zone();
        let until = rule.cancellable_until(day_in(now, zone), zone);
        facts.cancellable_until = until;
        facts.transfers_wait_until = until.filter(|_| rule.transfers_wait);
    }
    let answered = store::change(work, id, moved, facts, now).await?;
    let after = json!({
        "status": answered.status, "athlete_id": athlete.id,
        "commission_basis_points": answered.commission_basis_points,
        "cancellable_until": answered.cancellable_until,
    });
    let before = json!({ "status": invitation.status });
    work.note_change(answered.id, moved.to().as_str(), before, after);
    if input.accept {
        notices::linked(work, &agent, &athlete, &answered, rule);
    }
    Ok(answered)
}

/// The rule about agents of the athlete's institution, as it is today.
async fn rule_today(work: &mut Work, athlete: &AthleteFacts) -> Result<AgentNotice> {
    let today = day_in(work.now(), athlete.zone());
    let rules = checking::rules_for(work, athlete.university_id, today).await?;
    Ok(rules.agent_notice.rule)
}
