//! Manual reviews: brands and athletes ask for one, operators resolve it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::admin::{ENGAGED, held};
use super::delivering::{self, Decision};
use super::{settling, transition};
use crate::auth::{Athlete, Operator, Partner};
use crate::error::{Result, codes};
use crate::jobs::store::{job as jobs, listing as deals};
use crate::jobs::{Job, ManualReview, ReviewStatus};
use crate::kernel::{AthleteId, DeliverableId, JobId, Text, Time};
use crate::operation::{Cx, Done, Work};

/// A job or a deal to be reviewed by an operator.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AskReview {
    /// The job.
    pub job_id: JobId,
    /// The athlete it concerns; leave out for the whole job.
    pub athlete_id: Option<AthleteId>,
    /// The reason.
    pub reason: Text<1, 2000>,
}

/// A deal to be reviewed by an operator.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AskReviewOfDeal {
    /// The job the athlete is part of.
    pub job_id: JobId,
    /// The reason.
    pub reason: Text<1, 2000>,
}

/// A review to resolve.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ResolveReview {
    /// The job.
    pub job_id: JobId,
    /// A deliverable to approve on the brand's behalf.
    pub approve_deliverable_id: Option<DeliverableId>,
    /// The result.
    pub note: Option<Text<1, 2000>>,
}

/// A brand asks an operator to review its job or one athlete's deal.
pub async fn ask_review(cx: Cx<Partner>, input: AskReview) -> Result<Done<ManualReview>> {
    let mut work = cx.begin().await?;
    let job = jobs::lock_of(&mut work, input.job_id, cx.caller.id).await?;
    if let Some(athlete) = input.athlete_id {
        let own = deals::own_applications(&mut work, athlete, &[job.id]).await?;
        own.get(&job.id).ok_or(codes::NOT_FOUND)?;
    }
    let by = format!("partner:{}", cx.caller.id);
    let review = ask(&mut work, &job, &input.reason, by, input.athlete_id).await?;
    work.done(review).await
}

/// An athlete asks an operator to review a deal, for example because the brand does not respond.
pub async fn ask_review_of_deal(
    cx: Cx<Athlete>,
    input: AskReviewOfDeal,
) -> Result<Done<ManualReview>> {
    let mut work = cx.begin().await?;
    let own = deals::own_applications(&mut work, cx.caller.id, &[input.job_id]).await?;
    own.get(&input.job_id)
        .filter(|application| ENGAGED.contains(&application.status))
        .ok_or(codes::NOT_FOUND)?;
    let job = held(&mut work, input.job_id).await?;
    let by = format!("athlete:{}", cx.caller.id);
    let review = ask(&mut work, &job, &input.reason, by, Some(cx.caller.id)).await?;
    work.done(review).await
}

/// Requests a review because the brand has not answered a request raised at that instant. Returns
/// whether one was still needed.
pub(crate) async fn ask_for_silence(
    work: &mut Work,
    job: JobId,
    athlete: AthleteId,
    raised: Time,
) -> Result<bool> {
    let job = held(work, job).await?;
    let review = job.manual_review.as_ref();
    if review.is_some_and(|review| review.covers(raised)) {
        return Ok(false);
    }
    let reason = "A cancellation request has not been answered for seven days.";
    ask(work, &job, reason, "platform".into(), Some(athlete)).await?;
    Ok(true)
}

async fn ask(
    work: &mut Work,
    job: &Job,
    reason: &str,
    asked_by: String,
    athlete_id: Option<AthleteId>,
) -> Result<ManualReview> {
    let now = work.now();
    let open = |review: &ManualReview| review.status == ReviewStatus::Open;
    if job.manual_review.as_ref().is_some_and(open) {
        let sentence = "This job is already waiting for an operator.";
        return Err(codes::REQUEST_PENDING.saying(sentence));
    }
    let review = ManualReview {
        reason: reason.trim().to_owned(),
        at: now,
        status: ReviewStatus::Open,
        asked_by,
        athlete_id,
    };
    jobs::set_review(work, job.id, &review, now).await?;
    work.note(job.id, "review_requested");
    Ok(review)
}

/// An operator resolves a review; they may approve a deliverable on behalf of a silent brand.
pub async fn resolve_review(cx: Cx<Operator>, input: ResolveReview) -> Result<Done<ManualReview>> {
    let mut work = cx.begin().await?;
    let note = input.note.map(|note| note.trim().to_owned());
    // The contract is locked before its job, as everywhere.
    if let Some(id) = input.approve_deliverable_id {
        let contract = settling::lock_of_deliverable(&mut work, id).await?;
        if contract.job_id != input.job_id {
            return Err(codes::NOT_FOUND.into());
        }
        let deliverable = transition::deliverable(&mut work, id, contract.id).await?;
        let approved = Decision::Approved;
        delivering::settle_review(&mut work, &contract, deliverable, approved, note.clone())
            .await?;
    }
    let job = held(&mut work, input.job_id).await?;
    let mut review = job.manual_review.clone().ok_or(codes::NO_PENDING_REQUEST)?;
    if review.status != ReviewStatus::Open {
        return Err(codes::NO_PENDING_REQUEST.into());
    }
    review.status = ReviewStatus::Resolved;
    jobs::set_review(&mut work, job.id, &review, cx.now()).await?;
    work.note_change(job.id, "review_resolved", None, serde_json::json!({ "note": note }));
    work.done(review).await
}
