//! Deals: an application with all its related records.

use chrono::Days;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deal::Deal;
use super::store::{deal as deals, deliverable as deliverables};
use crate::auth::{Party, PortalUser};
use crate::contracts::showing;
use crate::error::{Error, Result};
pub use crate::jobs::store::listing::Side;
use crate::jobs::store::listing::{self, Wanted};
use crate::jobs::store::{card, milestone};
use crate::jobs::{Application, ApplicationStatus, Attribution};
use crate::kernel::{
    ApplicationId, AthleteId, ContractId, Date, Followed, JobId, Listing, Many, Nothing, Time,
    midnight,
};
use crate::operation::Cx;
use crate::people;
use crate::storage::{Session, first_of};

/// The deals to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListDeals {
    /// The states (default: those of a deal that is under way).
    pub statuses: Option<Many<ApplicationStatus, 0, 12>>,
    /// Of this job only.
    pub job_id: Option<JobId>,
    /// Created on this day (UTC) or later.
    pub from: Option<Date>,
    /// Created on this day (UTC) or earlier.
    pub to: Option<Date>,
}

/// Deals by state.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DealsCount {
    /// Invitations.
    pub invited: i64,
    /// Applications.
    pub applicant: i64,
    /// Hired, not yet confirmed.
    pub hired: i64,
    /// Confirmed.
    pub confirmed: i64,
    /// With a request for a later due date.
    pub extension_requested: i64,
    /// With a request for cancellation.
    pub cancellation_requested: i64,
    /// Done and paid.
    pub completed: i64,
    /// Rejected.
    pub rejected: i64,
    /// Withdrawn.
    pub withdrawn: i64,
    /// Declined invitations.
    pub declined: i64,
    /// Expired.
    pub expired: i64,
    /// Cancelled.
    pub cancelled: i64,
    /// Deals in which the caller must act.
    pub action_needed: i64,
}

/// The caller's deals, newest first; for an agent, those of the athletes they represent. An agent's
/// access is recorded in the audit trail.
pub async fn list(cx: Cx<Party>, input: Followed<ListDeals>) -> Result<Listing<Deal>> {
    let (input, place) = cx.place(input)?;
    let side = Side::of(&cx.caller);
    let asked = Many::or_none(input.statuses);
    let statuses = if asked.is_empty() { ApplicationStatus::UNDER_WAY.to_vec() } else { asked };
    let wanted = Wanted {
        statuses,
        job: input.job_id,
        from: input.from.map(midnight),
        before: input.to.and_then(|day| day.checked_add_days(Days::new(1))).map(midnight),
        ..Wanted::default()
    };
    let mut session = cx.read().await?;
    let (found, place) = listing::follow(&mut session, &side, &wanted, place).await?.split();
    let items = assemble(&mut session, found, Some(&side), cx.now()).await?;
    drop(session);
    let whose = items.iter().map(|deal| deal.athlete.id);
    people::party_looked_at(&cx, whose, "deals_seen").await?;
    Ok(place.of(items))
}

/// How many deals the caller has in each state.
pub async fn count(cx: Cx<Party>, _: Nothing) -> Result<DealsCount> {
    let side = Side::of(&cx.caller);
    let mut session = cx.read().await?;
    let counts = deals::counts(&mut session, &side).await?;
    let of = |status| counts.get(&status).copied().unwrap_or(0);
    Ok(DealsCount {
        invited: of(ApplicationStatus::Invited),
        applicant: of(ApplicationStatus::Applicant),
        hired: of(ApplicationStatus::Hired),
        confirmed: of(ApplicationStatus::Confirmed),
        extension_requested: of(ApplicationStatus::ExtensionRequested),
        cancellation_requested: of(ApplicationStatus::CancellationRequested),
        completed: of(ApplicationStatus::Completed),
        rejected: of(ApplicationStatus::Rejected),
        withdrawn: of(ApplicationStatus::Withdrawn),
        declined: of(ApplicationStatus::Declined),
        expired: of(ApplicationStatus::Expired),
        cancelled: of(ApplicationStatus::Cancelled),
        action_needed: deals::waiting(&mut session, &side, cx.now()).await?,
    })
}

/// One deal, read inside a transaction, without a particular viewer.
pub(crate) async fn of_application(
    session: &mut Session,
    id: ApplicationId,
    now: Time,
) -> Result<Deal> {
    let application = listing::application(session, id).await?;
    let deals = assemble(session, vec![application], None, now).await?;
    first_of(deals)
}

/// The newest deal of an athlete for a job, if the portal user may see it: the athlete is at their
/// institution, or the contract was made while the athlete was; and the sport is one of theirs, if
/// they are limited to some. 404 for any other.
pub async fn of_college(
    session: &mut Session,
    caller: &PortalUser,
    athlete: AthleteId,
    job: JobId,
    now: Time,
) -> Result<Deal> {
    let application = deals::newest_of_college(session, caller, athlete, job).await?;
    let deals = assemble(session, vec![application], None, now).await?;
    first_of(deals)
}

/// The newest deals with a contract of an athlete, of a brand, or of the athletes whom an agent
/// represents. At most so many.
pub async fn newest(session: &mut Session, side: &Side, most: u64, now: Time) -> Result<Vec<Deal>> {
    let found = deals::newest_with_contract(session, side, most).await?;
    assemble(session, found, Some(side), now).await
}

/// Assembles deals, with a fixed number of statements for any number of deals.
pub(super) async fn assemble(
    session: &mut Session,
    applications: Vec<Application>,
    side: Option<&Side>,
    now: Time,
) -> Result<Vec<Deal>> {
    let job_ids: Vec<_> = applications.iter().map(|a| a.job_id).collect();
    let athlete_ids: Vec<_> = applications.iter().map(|a| a.athlete_id).collect();
    let ids: Vec<_> = applications.iter().map(|a| a.id).collect();
    let found = listing::jobs(session, &job_ids).await?;
    let partner_ids: Vec<_> = found.iter().map(|job| job.partner_id).collect();
    let milestones = milestone::of_jobs(session, &job_ids).await?;
    let partners = card::partners(session, &partner_ids).await?;
    let athletes = card::athletes(session, &athlete_ids).await?;
    let contracts = showing::contracts(session, &ids).await?;
    let contract_ids: Vec<_> = contracts.iter().map(|contract| contract.id).collect();
    let deliverables = deliverables::of_contracts(session, &contract_ids, now).await?;
    let payments = deals::payments(session, &contract_ids).await?;
    let requests = showing::requests(session, &contract_ids).await?;
    let missing = || Error::internal("an application without its job, brand or athlete");
    let is_partner = matches!(side, Some(Side::Partner(_)));
    let mut assembled = Vec::with_capacity(applications.len());
    for mut application in applications {
        let job = found.iter().find(|job| job.id == application.job_id);
        let mut job = job.cloned().ok_or_else(missing)?;
        job.milestones = milestones.iter().filter(|m| m.job_id == job.id).cloned().collect();
        let partner = partners.iter().find(|partner| partner.id == job.partner_id);
        let athlete = athletes.iter().find(|a| a.id == application.athlete_id);
        let contract = contracts.iter().find(|c| c.application_id == application.id);
        let id = contract.map(|contract| contract.id);
        let own = |of: ContractId| Some(of) == id;
        if !is_partner {
            job = job.for_others();
            application.attribution = Attribution::default();
        }
        let mut deal = Deal {
            partner: partner.cloned().ok_or_else(missing)?,
            athlete: athlete.cloned().ok_or_else(missing)?,
            contract: contract.cloned(),
            deliverables: deliverables.iter().filter(|d| own(d.contract_id)).cloned().collect(),
            payments: payments.iter().filter(|p| own(p.contract_id)).cloned().collect(),
            requests: requests.iter().filter(|r| own(r.contract_id)).cloned().collect(),
            action_needed: false,
            job,
            application,
        };
        deal.action_needed = side.is_some_and(|side| deal.waits_for(side));
        assembled.push(deal);
    }
    Ok(assembled)
}
