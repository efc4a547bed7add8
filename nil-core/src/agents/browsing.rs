//! Agents list their athletes, athletes their agents.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::representation::{Representation, RepresentationStatus};
use super::store;
use crate::accounts::{AgentCard, AthleteProfile, profiles};
use crate::auth::{Agent, Athlete};
use crate::error::{Error, Result};
use crate::kernel::{AthleteId, ByAge, Followed, Listing, Many, Time};
use crate::operation::Cx;
use crate::people;
use crate::storage::Session;

/// The agent's representations to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListAthletes {
    /// In these states (default: `active`, the athletes currently represented).
    pub statuses: Option<Many<RepresentationStatus, 0, 5>>,
}

/// The athlete's representations to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListAgents {
    /// In these states (default: all).
    pub statuses: Option<Many<RepresentationStatus, 0, 5>>,
}

/// A representation as the agent sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Represented {
    /// The representation.
    #[serde(flatten)]
    pub representation: Representation,
    /// The athlete; null if the agent may not know who it is.
    pub athlete: Option<AthleteProfile>,
}

/// A representation as the athlete sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Representing {
    /// The representation.
    #[serde(flatten)]
    pub representation: Representation,
    /// The agent.
    pub agent: AgentCard,
}

/// The athletes whom the calling agent represents, newest first; on request also athletes who were
/// invited or formerly represented. Birth dates only of those currently represented.
pub async fn athletes(
    cx: Cx<Agent>,
    input: Followed<ListAthletes>,
) -> Result<Listing<Represented>> {
    let (input, place) = cx.place(input)?;
    let statuses = Many::or_none(input.statuses);
    let statuses = if statuses.is_empty() { vec![RepresentationStatus::Active] } else { statuses };
    let mut session = cx.read().await?;
    let page =
        store::page_of_agent(&mut session, cx.caller.id, &statuses, &ByAge::default(), place)
            .await?;
    let page = page.map(Representation::for_agent);
    let active = |of: &Representation| of.status == RepresentationStatus::Active;
    let page = with_athletes(&mut session, page, active, cx.now()).await?;
    drop(session);
    let active = page.items.iter().filter(|of| active(&of.representation));
    let seen = active.filter_map(|of| of.representation.athlete_id);
    people::looked_at(&cx, seen, "profile_seen").await?;
    Ok(page)
}

/// Adds the athletes to their representations; only to those that are `close` with what strangers
/// do not see.
pub(super) async fn with_athletes(
    session: &mut Session,
    page: Listing<Representation>,
    close: impl Fn(&Representation) -> bool,
    now: Time,
) -> Result<Listing<Represented>> {
    let ids: Vec<AthleteId> = page.items.iter().filter_map(|of| of.athlete_id).collect();
    let people = profiles::of_athletes(session, &ids, now).await?;
    let people: HashMap<AthleteId, AthleteProfile> =
        people.into_iter().map(|who| (who.id, who)).collect();
    Ok(page.map(|representation| {
        let who = representation.athlete_id.and_then(|id| people.get(&id)).cloned();
        let close = close(&representation);
        Represented {
            athlete: who.map(|who| if close { who } else { who.for_strangers() }),
            representation,
        }
    }))
}

/// The agents who represent, represented or invited the calling athlete, newest first (extension).
pub async fn agents(cx: Cx<Athlete>, input: Followed<ListAgents>) -> Result<Listing<Representing>> {
    let (input, place) = cx.place(input)?;
    let statuses = Many::or_none(input.statuses);
    let mut session = cx.read().await?;
    let athlete = store::athlete(&mut session, cx.caller.id).await?;
    let page = store::page_of_athlete(&mut session, &athlete, &statuses, place).await?;
    let ids: Vec<_> = page.items.iter().map(|representation| representation.agent_id).collect();
    let cards = profiles::agent_cards(&mut session, &ids).await?;
    page.try_map(|representation| {
        let card = cards.iter().find(|card| card.id == representation.agent_id).cloned();
        let agent = card.ok_or_else(|| Error::internal("a representation without its agent"))?;
        Ok(Representing { representation, agent })
    })
}
