//! Users read athletes' records and their own.

pub mod athlete_search;
pub mod brand_search;
pub mod directory;
pub mod searching;
pub mod tutorial;
pub mod tutorial_step;

use schemars::JsonSchema;
use serde::Serialize;

use super::athletes::athlete::WhichAthlete;
use super::athletes::statistics::Statistics;
use super::store::record::Relation;
use super::store::{agent, profile, user};
use super::{
    Account, AgentCard, AgentProfile, AthleteProfile, FanProfile, PartnerProfile, UserKind,
};
use crate::auth::{Agent, Fan, Partner, User};
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Nothing, Time};
use crate::operation::Cx;
use crate::people;
use crate::storage::Session;

/// How an athlete can be reached.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Contact {
    /// E-mail.
    pub email: Option<String>,
    /// Phone number, in E.164 form.
    pub phone: Option<String>,
}

/// An athlete with their track record.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AthleteDetail {
    /// The record.
    #[serde(flatten)]
    pub athlete: AthleteProfile,
    /// The contact data; null to everyone except the athlete, their agent and their contract
    /// partners.
    pub contact: Option<Contact>,
    /// The track record.
    pub statistics: Statistics,
}

/// Returns an athlete's full profile. Unlisted athletes are visible only to themselves, their
/// agent, and brands with a live application of theirs; contact and birth date only to themselves,
/// their agent, and brands with a contract. 404 otherwise.
pub async fn athlete_detail(cx: Cx<User>, input: WhichAthlete) -> Result<AthleteDetail> {
    let mut session = cx.read().await?;
    let own = cx.caller.kind == UserKind::Athlete && cx.caller.profile_id == input.athlete_id.get();
    let is_close = |found: &Relation| own || found.represented || found.under_contract;
    let may_see =
        |found: &Relation| is_close(found) || found.active && (found.listed || found.in_touch);
    let whom = (input.athlete_id, &cx.caller);
    let seen = profile::athlete_seen_by(&mut session, whom, may_see, cx.now());
    let (athlete, statistics, found) = seen.await?;
    drop(session);
    if found.represented {
        people::looked_at(&cx, std::iter::once(input.athlete_id), "profile_seen").await?;
    }
    Ok(if is_close(&found) {
        AthleteDetail {
            athlete,
            contact: Some(Contact { email: found.email, phone: found.phone }),
            statistics,
        }
    } else {
        AthleteDetail { athlete: athlete.for_strangers(), contact: None, statistics }
    })
}

/// The calling brand's own record.
pub async fn partner_me(cx: Cx<Partner>, _: Nothing) -> Result<PartnerProfile> {
    let mut session = cx.read().await?;
    profile::partner(&mut session, cx.caller.id).await
}

/// The calling agent's own record.
pub async fn agent_me(cx: Cx<Agent>, _: Nothing) -> Result<AgentProfile> {
    let mut session = cx.read().await?;
    profile::agent(&mut session, cx.caller.id).await
}

/// The calling fan's own record.
pub async fn fan_me(cx: Cx<Fan>, _: Nothing) -> Result<FanProfile> {
    let mut session = cx.read().await?;
    profile::fan(&mut session, cx.caller.id).await
}

/// The account behind a record of this kind, whoever the viewer is; 404 if it does not exist.
pub async fn account_of(
    session: &mut Session,
    kind: UserKind,
    record: i64,
    now: Time,
) -> Result<Account> {
    let id = user::of_record(session, kind, record).await?;
    user::account(session, id, now).await
}

/// These athletes, whoever the viewer is; unknown ids are left out.
pub async fn of_athletes(
    session: &mut Session,
    ids: &[AthleteId],
    now: Time,
) -> Result<Vec<AthleteProfile>> {
    profile::athletes(session, ids, now).await
}

/// These agents, in short; unknown ids are left out.
pub async fn agent_cards(session: &mut Session, ids: &[AgentId]) -> Result<Vec<AgentCard>> {
    agent::cards(session, ids).await
}
