//! Actions of agents for the athletes they represent. The audit trail names the athlete.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store;
use crate::auth::Agent;
use crate::backoffice::site;
use crate::contracts::{Contract, listing};
use crate::error::{Kind, Result, codes};
use crate::jobs::applying::{self, Apply, Own};
use crate::jobs::inviting::Refused;
use crate::jobs::{Application, ApplicationSource};
use crate::kernel::{AthleteId, Followed, JobId, Listing, Many, Text};
use crate::notifications::FeedKind;
use crate::operation::{Cx, Done};

/// The athletes to apply for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ApplyAthletes {
    /// The job.
    pub job_id: JobId,
    /// The athletes, at most 100; the agent must currently represent each of them.
    pub athlete_ids: Many<AthleteId, 1, 100>,
    /// The agent's pitch to the brand, for each of them.
    pub pitch: Option<Text<1, 4000>>,
}

/// The result of the applications.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ApplicationResults {
    /// The athletes who have applied now.
    pub applied: Vec<Application>,
    /// The athletes who could not apply, with reasons; `id` is the athlete's.
    pub refused: Vec<Refused>,
}

/// Applies to a job for athletes the agent represents, each independently: athletes who cannot
/// apply are in `refused`, as are those the agent does not represent (`not_found`). 409
/// `terms_not_accepted` unless the agent has accepted the current terms; 404 for a job the agent
/// cannot see.
pub async fn apply(cx: Cx<Agent>, input: ApplyAthletes) -> Result<Done<ApplicationResults>> {
    let mut work = cx.begin().await?;
    let agent = store::agent(&mut work, cx.caller.id).await?;
    let in_force = site::legal_version(&mut work, "agent_terms", cx.now()).await?;
    if agent.terms_version.is_none() || agent.terms_version < in_force {
        return Err(codes::TERMS_NOT_ACCEPTED.into());
    }
    let represented = store::lock_represented(&mut work, agent.id, &input.athlete_ids).await?;
    if !applying::is_known_to(&mut work, input.job_id, &represented).await? {
        return Err(codes::NOT_FOUND.into());
    }
    let mut answer = ApplicationResults { applied: Vec::new(), refused: Vec::new() };
    let apply = Apply { job_id: input.job_id, pitch: input.pitch, proposed_amount_cents: None };
    let mut seen = HashSet::new();
    for athlete in input.athlete_ids.iter().copied() {
        if !seen.insert(athlete) {
            continue;
        }
        if !represented.contains(&athlete) {
            let (id, unknown) = (athlete.get(), codes::NOT_FOUND.into());
            answer.refused.push(Refused::new(id, &unknown, ("athlete", id)));
            continue;
        }
        let own = Own { athlete, agent: Some(agent.id), source: ApplicationSource::Agent };
        work.act_for(Some(athlete));
        match applying::enter(&mut work, &own, &apply).await {
            Ok(application) => {
                let applicant = store::athlete(&mut work, athlete).await?;
                work.touch(applicant.user_id, FeedKind::Jobs);
                answer.applied.push(application);
            }
            // A refused application writes nothing.
            Err(error)
                if !work.failed() && matches!(error.kind(), Kind::NotFound | Kind::Conflict) =>
            {
                answer.refused.push(Refused::new(
                    athlete.get(),
                    &error,
                    ("job", input.job_id.get()),
                ));
            }
            Err(error) => return Err(error),
        }
        work.act_for(None);
    }
    work.done(answer).await
}

/// The contracts of the athletes whom the calling agent currently represents, newest first.
pub async fn contracts(
    cx: Cx<Agent>,
    input: Followed<listing::ListContracts>,
) -> Result<Listing<Contract>> {
    let (input, place) = cx.place(input)?;
    let mut work = cx.begin().await?;
    let found = listing::of_agent(&mut work, cx.caller.id, input, place).await?;
    for contract in &found.items {
        work.act_for(Some(contract.athlete_id));
        work.note(contract.id, "listed");
    }
    work.done(()).await?;
    Ok(found)
}
