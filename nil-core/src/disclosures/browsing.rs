//! Athletes, agents and institutions view disclosed jobs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clearance::{Clearance, ClearanceStatus, Clearinghouse};
use super::disclosed_job::{
    DisclosedJob, DisclosedJobDetail, DisclosedJobStatus, ListForCollege, NamedDisclosedJob,
};
use super::explaining;
use super::store::clearance as clearances;
use super::store::disclosed_job::{self as store, Owner};
use crate::auth::{Payee, PortalUser};
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, DisclosedJobId, Followed, Listing, Many, Time};
use crate::operation::Cx;
use crate::storage::{Session, first_of};

/// The caller's disclosed jobs to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListOwn {
    /// In these states (default: all).
    pub statuses: Option<Many<DisclosedJobStatus, 0, 7>>,
}

/// The disclosed job to show.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ShowDisclosedJob {
    /// The disclosed job.
    pub id: DisclosedJobId,
}

/// The clearances to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListClearances {
    /// In these states (default: all).
    pub statuses: Option<Many<ClearanceStatus, 0, 7>>,
    /// Only these athletes.
    pub athlete_ids: Option<Many<AthleteId, 0, 500>>,
}

/// The owner of the caller's disclosed jobs.
pub(super) fn owner(caller: Payee) -> Owner {
    match caller {
        Payee::Athlete(athlete) => Owner::Athlete(athlete.id),
        Payee::Agent(agent) => Owner::Agent(agent.id),
    }
}

/// The caller's disclosed jobs, newest first; for an agent, those of the athletes they represent.
pub async fn own(cx: Cx<Payee>, input: Followed<ListOwn>) -> Result<Listing<DisclosedJob>> {
    let (input, place) = cx.place(input)?;
    let statuses = Many::or_none(input.statuses);
    let mut session = cx.read().await?;
    let page = store::page_of(&mut session, owner(cx.caller), &statuses, place).await?;
    let (found, position) = page.split();
    Ok(position.of(complete(&mut session, found, cx.now()).await?))
}

/// Disclosed jobs of the institution's athletes, newest first, without drafts, which only the
/// athletes see; a caller limited to certain sports sees only these.
pub async fn for_college(
    cx: Cx<PortalUser>,
    input: Followed<ListForCollege>,
) -> Result<Listing<NamedDisclosedJob>> {
    let (input, place) = cx.place(input)?;
    if input.from.zip(input.to).is_some_and(|(from, to)| to < from) {
        return Err(Error::invalid("to", "must not be before `from`"));
    }
    let mut session = cx.read().await?;
    let page = store::page_for(&mut session, &cx.caller, &input, place).await?;
    let (found, position) = page.split();
    let (jobs, names): (Vec<_>, Vec<_>) =
        found.into_iter().map(|found| (found.job, found.names)).unzip();
    let jobs = complete(&mut session, jobs, cx.now()).await?;
    let both = jobs.into_iter().zip(names);
    Ok(position.of(both.map(|(job, names)| NamedDisclosedJob { job, names }).collect()))
}

/// A disclosed job of one of the institution's athletes, with the rules that apply to it. The view
/// is recorded in the audit trail. 404 for another institution's, for an athlete in a sport that
/// the caller may not see, and for one that was not submitted.
pub async fn detail_for_college(
    cx: Cx<PortalUser>,
    input: ShowDisclosedJob,
) -> Result<DisclosedJobDetail> {
    let mut work = cx.begin_audited_read().await?;
    let NamedDisclosedJob { job, names } =
        store::find_for_college(&mut work, input.id, &cx.caller).await?;
    let job = first_of(complete(&mut work, vec![job], cx.now()).await?)?;
    let rules = explaining::rules_of(&mut work, &job, cx.now()).await?;
    work.note(input.id, "read");
    work.finish_read().await?;
    Ok(DisclosedJobDetail { job, names, rules })
}

/// A disclosed job of an athlete that the portal user may see; 404 for any other.
pub async fn of_college(
    session: &mut Session,
    caller: &PortalUser,
    athlete: AthleteId,
    id: DisclosedJobId,
    now: Time,
) -> Result<DisclosedJob> {
    let found = store::find_for_college(session, id, caller).await?.job;
    if found.athlete_id != athlete {
        return Err(codes::NOT_FOUND.into());
    }
    let completed = complete(session, vec![found], now).await?;
    first_of(completed)
}

/// The clearances of the deals of the institution's athletes, newest first: of executed contracts
/// of the platform and of submitted disclosed jobs.
pub async fn clearances(
    cx: Cx<PortalUser>,
    input: Followed<ListClearances>,
) -> Result<Listing<Clearance>> {
    let (input, place) = cx.place(input)?;
    let statuses = input.statuses.as_deref().unwrap_or_default();
    let athletes = input.athlete_ids.as_deref().unwrap_or_default();
    let mut session = cx.read().await?;
    let page = clearances::page_for(&mut session, &cx.caller, statuses, athletes, place).await?;
    Ok(page.map(|one| one.seen_at(cx.now())))
}

/// Disclosed jobs with data from other tables and values that depend on the current time.
pub(super) async fn complete(
    session: &mut Session,
    found: Vec<DisclosedJob>,
    now: Time,
) -> Result<Vec<DisclosedJob>> {
    let ids: Vec<DisclosedJobId> = found.iter().map(|job| job.id).collect();
    let clearances = clearances::of_disclosed(session, &ids).await?;
    let completed = found.into_iter().map(|job| {
        let mut job = job.seen_at(now);
        let own = clearances.iter().find(|c| c.disclosed_job_id == Some(job.id));
        job.clearinghouse = own.map(|own| Clearinghouse::from(own.clone().seen_at(now)));
        job
    });
    Ok(completed.collect())
}

/// One disclosed job with the same data.
pub(super) async fn one(
    session: &mut Session,
    id: DisclosedJobId,
    now: Time,
) -> Result<DisclosedJob> {
    let found = store::find(session, id).await?;
    let completed = complete(session, vec![found], now).await?;
    first_of(completed)
}
