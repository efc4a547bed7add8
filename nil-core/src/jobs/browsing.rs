//! Users search and view jobs; brands list their own jobs and applicants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::{Application, ApplicationStatus};
use super::applying::is_public;
use super::cards::{AthleteCard, PartnerCard};
use super::job::{Job, JobStatus};
use super::job_search::SearchJobs;
use super::store::listing::{self as deals, Side, Wanted};
use super::store::{card, job as jobs, milestone, search};
use crate::accounts::UserKind;
use crate::auth::{Partner, Party, User};
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, Extent, Followed, FollowedPage, JobId, Listing, Many, Paged, Text};
use crate::operation::Cx;
use crate::people;
use crate::platform::Platform;
use crate::storage::Session;

/// One job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct GetJob {
    /// The job.
    pub job_id: JobId,
}

/// The brand's own jobs to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListPosted {
    /// Words of the title or the description; with them the best matches come first.
    pub q: Option<Text<0, 200>>,
    /// In these states (default: all).
    pub statuses: Option<Many<JobStatus, 0, 8>>,
}

/// The applicants to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListApplicants {
    /// The job.
    pub job_id: JobId,
    /// In these states (default: all).
    pub statuses: Option<Many<ApplicationStatus, 0, 12>>,
}

/// A job in a search result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobFound {
    /// The job.
    #[serde(flatten)]
    pub job: Job,
    /// The brand that posted it.
    pub partner: PartnerCard,
    /// The state of the calling athlete's application.
    pub application_status: Option<ApplicationStatus>,
}

/// A job with the caller's own application.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobSeen {
    /// The job.
    #[serde(flatten)]
    pub job: Job,
    /// The brand that posted it.
    pub partner: PartnerCard,
    /// The calling athlete's own application.
    pub application: Option<Application>,
}

/// A job as its brand sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobPosted {
    /// The job.
    #[serde(flatten)]
    pub job: Job,
    /// The number of invited athletes who have not answered.
    pub invited: i64,
    /// The number of applicants waiting for a decision.
    pub applicants: i64,
    /// The number of hired athletes.
    pub hired: i64,
}

/// An athlete who applied or was invited.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Applicant {
    /// The application.
    #[serde(flatten)]
    pub application: Application,
    /// The athlete.
    pub athlete: AthleteCard,
}

/// Searches open jobs: public ones, and for an athlete also those they are invited to.
pub async fn search(cx: Cx<User>, input: Paged<SearchJobs>) -> Result<Listing<JobFound, Extent>> {
    let (input, paging) = input.parts();
    let athlete = athlete_of(&cx.caller);
    let mut session = cx.read().await?;
    let eligible = match (input.is_eligible, athlete) {
        (Some(true), Some(id)) => people::facts(&mut session, id).await?,
        (Some(true), None) => {
            return Err(Error::invalid("is_eligible", "is for athletes only"));
        }
        _ => None,
    };
    let asked =
        search::Asked { wanted: &input, athlete, eligible: eligible.as_ref(), now: cx.now() };
    let (page, extent) = asked.page(&mut session, paging).await?;
    let ids: Vec<_> = page.items.iter().map(|job| job.id).collect();
    let beside = search::beside(&mut session, &ids, athlete).await?;
    let page = page.try_map(|job| found(job.for_others(), &beside))?;
    Ok(page.with(extent))
}

/// The job with its milestones and what else was read beside it.
fn found(mut job: Job, beside: &[search::Beside]) -> Result<JobFound> {
    let own = || beside.iter().filter(|row| row.of_job == job.id);
    let first = own().next().ok_or_else(|| Error::internal("a job without its brand"))?;
    let milestones = own().filter_map(search::Beside::milestone).cloned().collect();
    let (partner, application_status) = (first.partner.clone(), first.application_status);
    job.milestones = milestones;
    Ok(JobFound { job, partner, application_status })
}

/// The database's query plans for a search: for operators, and for the tests that check the use of
/// indexes.
pub async fn plans(
    platform: &Platform,
    athlete: Option<AthleteId>,
    input: Paged<SearchJobs>,
) -> Result<Vec<String>> {
    let (input, paging) = input.parts();
    let mut session = platform.db().read().await?;
    let eligible = match (input.is_eligible, athlete) {
        (Some(true), Some(id)) => people::facts(&mut session, id).await?,
        _ => None,
    };
    let asked =
        search::Asked { wanted: &input, athlete, eligible: eligible.as_ref(), now: platform.now() };
    asked.plans(&mut session, paging).await
}

fn athlete_of(caller: &User) -> Option<AthleteId> {
    (caller.kind == UserKind::Athlete).then(|| AthleteId::new(caller.profile_id)).flatten()
}

/// One job. A brand sees its own in any state; other users see public jobs, and athletes (and their
/// agents) also jobs they are part of.
pub async fn detail(cx: Cx<User>, input: GetJob) -> Result<JobSeen> {
    let mut session = cx.read().await?;
    let job = jobs::find(&mut session, input.job_id).await?;
    let is_own =
        cx.caller.kind == UserKind::Partner && cx.caller.profile_id == job.partner_id.get();
    let application = match athlete_of(&cx.caller) {
        Some(athlete) => {
            deals::own_applications(&mut session, athlete, &[job.id]).await?.remove(&job.id)
        }
        None => None,
    };
    let takes_part = application.is_some() || represents_applicant(&mut session, &cx, &job).await?;
    if !is_own && !takes_part && !is_public(&job) {
        return Err(codes::NOT_FOUND.into());
    }
    let beside = search::beside(&mut session, &[job.id], None).await?;
    let JobFound { job, partner, .. } = found(job, &beside)?;
    let job = if is_own { job } else { job.for_others() };
    Ok(JobSeen { job, partner, application })
}

/// A job with its milestones, if this party may see it: a brand its own, others public ones and
/// those that they, or an athlete whom they represent, are part of. 404 for any other.
pub(crate) async fn seen_by(session: &mut Session, party: &Party, id: JobId) -> Result<Job> {
    let job = jobs::find(session, id).await?;
    let seen = is_public(&job) || deals::takes_part(session, &Side::of(party), id).await?;
    let own = matches!(party, Party::Partner(partner) if partner.id == job.partner_id);
    if !seen && !own {
        return Err(codes::NOT_FOUND.into());
    }
    jobs::with_milestones(session, job).await
}

/// Whether the caller is an agent of an athlete who is part of the job.
async fn represents_applicant(session: &mut Session, cx: &Cx<User>, job: &Job) -> Result<bool> {
    let agent = crate::kernel::AgentId::new(cx.caller.profile_id);
    let Some(agent) = agent.filter(|_| cx.caller.kind == UserKind::Agent) else {
        return Ok(false);
    };
    deals::takes_part(session, &Side::Agent(agent), job.id).await
}

/// The brand's own jobs, newest first.
pub async fn posted(cx: Cx<Partner>, input: Followed<ListPosted>) -> Result<Listing<JobPosted>> {
    let (input, place) = cx.place(input)?;
    let statuses = Many::or_none(input.statuses);
    let wanted = deals::WantedJobs {
        partner: Some(cx.caller.id),
        statuses: &statuses,
        q: input.q.as_deref(),
        ..deals::WantedJobs::default()
    };
    let mut session = cx.read().await?;
    let page = deals::job_page(&mut session, wanted, place).await?;
    page_with_counts(&mut session, page).await
}

/// A page of jobs with their milestones and the number of applications.
pub(crate) async fn page_with_counts(
    session: &mut Session,
    page: Listing<Job>,
) -> Result<Listing<JobPosted>> {
    let (jobs, place) = page.split();
    Ok(place.of(with_counts(session, jobs).await?))
}

/// Jobs with their milestones and the number of applications.
pub(crate) async fn with_counts(session: &mut Session, found: Vec<Job>) -> Result<Vec<JobPosted>> {
    let ids: Vec<_> = found.iter().map(|job| job.id).collect();
    let milestones = milestone::of_jobs(session, &ids).await?;
    let counts = deals::job_counts(session, &ids).await?;
    let posted = found.into_iter().map(|mut job| {
        job.milestones = milestones.iter().filter(|m| m.job_id == job.id).cloned().collect();
        let count = counts.iter().find(|count| count.job_id == job.id);
        JobPosted {
            job,
            invited: count.map_or(0, |count| count.invited),
            applicants: count.map_or(0, |count| count.applicants),
            hired: count.map_or(0, |count| count.hired),
        }
    });
    Ok(posted.collect())
}

/// The athletes who applied to the brand's job or were invited, newest first.
pub async fn applicants(
    cx: Cx<Partner>,
    input: Followed<ListApplicants>,
) -> Result<Listing<Applicant>> {
    let (input, place) = cx.place(input)?;
    let statuses = Many::or_none(input.statuses);
    let mut session = cx.read().await?;
    if jobs::find(&mut session, input.job_id).await?.partner_id != cx.caller.id {
        return Err(codes::NOT_FOUND.into());
    }
    let wanted = Wanted { statuses, job: Some(input.job_id), ..Wanted::default() };
    list_applicants(&mut session, cx.caller.id, &wanted, place).await
}

/// A page of the applicants of a brand.
pub(crate) async fn list_applicants(
    session: &mut Session,
    partner: crate::kernel::PartnerId,
    wanted: &Wanted,
    place: FollowedPage,
) -> Result<Listing<Applicant>> {
    let side = Side::Partner(partner);
    let page = deals::follow(session, &side, wanted, place).await?;
    let ids: Vec<_> = page.items.iter().map(|application| application.athlete_id).collect();
    let athletes = card::athletes(session, &ids).await?;
    page.try_map(|application| {
        let athlete = athletes.iter().find(|athlete| athlete.id == application.athlete_id);
        let athlete =
            athlete.cloned().ok_or_else(|| Error::internal("an application without its athlete"));
        Ok(Applicant { athlete: athlete?, application })
    })
}
