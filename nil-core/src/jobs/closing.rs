//! Brands close, reopen and cancel their jobs; the worker closes jobs whose application period is
//! over.

use schemars::JsonSchema;
use serde::Deserialize;

use super::application::JOB_CANCELLED;
use super::job::{CloseReason, Job, JobEvent, JobStatus};
use super::store::job as jobs;
use super::store::job::LockMode;
use super::{dates, places};
use crate::auth::{Partner, Service};
use crate::error::{Error, Result, codes};
use crate::kernel::{JobId, Machine as _, PartnerId};
use crate::operation::{Cx, Done, Work};
use crate::people::{self, PartnerFacts};
use crate::platform::Platform;
use crate::schedule::due;

/// A job of the brand.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OwnJob {
    /// The job.
    pub job_id: JobId,
}

/// Closes the job for applications. Existing applicants can still be hired.
pub async fn close(cx: Cx<Partner>, input: OwnJob) -> Result<Done<Job>> {
    let mut work = cx.begin().await?;
    let mut job = held(&mut work, &cx, input.job_id).await?;
    places::close(&mut work, &mut job, CloseReason::Partner, 0).await?;
    places::complete_if_over(&mut work, &job).await?;
    let job = again(&mut work, job.id).await?;
    work.done(job).await
}

/// Opens the job for applications again. 409 `job_full` without a free place, `job_closed` after
/// the deadline or the last due date: move these first.
pub async fn reopen(cx: Cx<Partner>, input: OwnJob) -> Result<Done<Job>> {
    let mut work = cx.begin().await?;
    let job = held(&mut work, &cx, input.job_id).await?;
    let moved = job.status.on(JobEvent::Reopen)?;
    if job.places_left() <= 0 {
        return Err(codes::JOB_FULL.into());
    }
    if let Some(sentence) = dates::why_over(&job, cx.now()) {
        return Err(codes::JOB_CLOSED.saying(sentence));
    }
    jobs::change(&mut work, job.id, moved, cx.now()).await?;
    work.note(job.id, "reopened");
    let job = again(&mut work, job.id).await?;
    work.done(job).await
}

/// Cancels a job: applicants are rejected, invitations expire. 409 `job_has_contracts` while a
/// contract is under way.
pub async fn cancel(cx: Cx<Partner>, input: OwnJob) -> Result<Done<Job>> {
    let mut work = cx.begin().await?;
    let job = held(&mut work, &cx, input.job_id).await?;
    let partner = people::partner(&mut work, cx.caller.id).await?;
    cancel_held(&mut work, &job, &partner).await?;
    let job = again(&mut work, job.id).await?;
    work.done(job).await
}

/// Cancels a locked job.
async fn cancel_held(work: &mut Work, job: &Job, partner: &PartnerFacts) -> Result<()> {
    let moved = job.status.on(JobEvent::Cancel)?;
    if jobs::contracts(work, job.id).await?.under_way > 0 {
        return Err(codes::JOB_HAS_CONTRACTS.into());
    }
    let now = work.now();
    jobs::change(work, job.id, moved, now).await?;
    work.note(job.id, "cancelled");
    places::turn_away(work, job, partner, JOB_CANCELLED).await
}

/// Locks every job of a brand that leaves, in the order of their ids, so that no athlete is hired
/// meanwhile.
pub async fn lock_open_of(work: &mut Work, partner: PartnerId) -> Result<Vec<Job>> {
    jobs::lock_open_of(work, partner).await
}

/// Cancels these locked jobs of a brand that leaves.
pub async fn cancel_all(work: &mut Work, partner: PartnerId, open: &[Job]) -> Result<()> {
    let facts = people::partner(work, partner).await?;
    for job in open {
        cancel_held(work, job, &facts).await?;
    }
    Ok(())
}

/// Cancels the job of an engagement whose contract has been cancelled.
pub(crate) async fn call_off(work: &mut Work, job: JobId) -> Result<()> {
    let Some(job) = jobs::lock(work, job, LockMode::Alone).await? else {
        return Err(Error::internal("a contract without its job"));
    };
    if !job.status.can(JobEvent::Cancel) {
        return Ok(());
    }
    let moved = job.status.on(JobEvent::Cancel)?;
    let now = work.now();
    jobs::change(work, job.id, moved, now).await?;
    work.note(job.id, "cancelled");
    Ok(())
}

async fn held(work: &mut Work, cx: &Cx<Partner>, id: JobId) -> Result<Job> {
    jobs::lock_of(work, id, cx.caller.id).await
}

async fn again(work: &mut Work, id: JobId) -> Result<Job> {
    let job = jobs::find(work, id).await?;
    jobs::with_milestones(work, job).await
}

/// Closes open jobs whose application period is over, each in its own transaction. Returns their
/// number. For the worker.
pub async fn close_expired(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        jobs::past_deadline(&mut session, platform.now(), behind).await
    };
    due::each("job", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, close_one, id).await?.into_inner())
    })
    .await
}

async fn close_one(cx: Cx<Service>, id: JobId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let due = jobs::lock(&mut work, id, LockMode::Alone)
        .await?
        .filter(|job| job.status == JobStatus::Open && job.is_past_deadline(cx.now()));
    let Some(mut job) = due else {
        return work.done(false).await;
    };
    places::close(&mut work, &mut job, CloseReason::Deadline, 0).await?;
    places::complete_if_over(&mut work, &job).await?;
    work.done(true).await
}
