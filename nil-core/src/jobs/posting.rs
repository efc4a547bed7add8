//! Brands post and change jobs; operators do it for them.

use schemars::JsonSchema;
use serde::Serialize;

use super::content::Content;
use super::dates;
use super::job::{Job, JobEvent, JobStatus};
use super::job_input::SaveJob;
use super::store::job::{self as jobs, LockMode};
use crate::auth::{Operator, Partner};
use crate::backoffice::least_amount;
use crate::error::{Error, Result, codes};
use crate::institutions::{SchoolRefusal, checking};
use crate::kernel::combined::shared;
use crate::kernel::{Combined, Machine as _, PartnerId, Revision};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Revisable as _, Work};
use crate::people;
use crate::storage::Compared as _;

/// The brand whose job an operator saves.
#[derive(Clone, Debug, Default, JsonSchema)]
pub struct ForBrand {
    /// The brand (required for a new job); a job cannot change hands.
    pub partner_id: Option<PartnerId>,
}

shared!(ForBrand { partner_id });

/// A brand's job to post (without `id`) or to change.
pub type SaveBrandsJob = Combined<ForBrand, SaveJob>;

/// A job with the institutions that would refuse it. Athletes of all others can still see it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobSaved {
    /// The job.
    #[serde(flatten)]
    pub job: Job,
    /// The institutions among the job's target universities that would refuse it today (at most 200
    /// lines); rules about single athletes, such as the visa, are not considered.
    pub refusing_institutions: Vec<SchoolRefusal>,
    /// Its revision. Sent back with a change, it makes sure that nobody else has changed the job
    /// meanwhile.
    pub revision: Revision,
}

/// Posts or changes a job. It waits for an operator (`pending`) unless the site requires no
/// approval.
///
/// Everything a contract will need is checked here (422). A substantial change sends an open job
/// back to `pending` while no athlete is hired; afterwards only more places and another deadline
/// are possible (409 `job_has_hires`). While no athlete is hired, due dates can be moved without
/// another approval, even if the job was closed because they had passed; `/job/reopen` then opens
/// it again.
pub async fn save(cx: Cx<Partner>, input: SaveJob) -> Result<Done<JobSaved>> {
    match input.id {
        None => {
            let content = Content::new(&input)?;
            content.check(cx.now())?;
            let mut work = cx.begin().await?;
            let job = post(&mut work, cx.caller.id, &content, input.draft).await?;
            answer(work, job).await
        }
        Some(id) => {
            let mut work = cx.begin().await?;
            let job = jobs::lock_of(&mut work, id, cx.caller.id).await?;
            let job = revise(&mut work, job, &input).await?;
            answer(work, job).await
        }
    }
}

/// Posts or changes a job for a brand, as the brand itself would: the same checks, the same review.
/// The brand is told, unless the job is a draft. 404 for an unknown job, 422 for a brand that is
/// unknown or not active.
pub async fn save_for_brand(cx: Cx<Operator>, input: SaveBrandsJob) -> Result<Done<JobSaved>> {
    let (input, ForBrand { partner_id }) = input.parts();
    let (mut work, job, what);
    if let Some(id) = input.id {
        work = cx.begin().await?;
        let before = jobs::lock(&mut work, id, LockMode::Alone).await?.ok_or(codes::NOT_FOUND)?;
        if partner_id.is_some_and(|partner| partner != before.partner_id) {
            return Err(Error::invalid("partner_id", "cannot be changed"));
        }
        (job, what) = (revise(&mut work, before, &input).await?, "changed");
    } else {
        let partner = partner_id.ok_or_else(|| Error::invalid("partner_id", "is required"))?;
        let content = Content::new(&input)?;
        content.check(cx.now())?;
        work = cx.begin().await?;
        if !people::lock_active_partner(&mut work, partner).await? {
            return Err(Error::invalid("partner_id", "is not an active brand"));
        }
        (job, what) = (post(&mut work, partner, &content, input.draft).await?, "posted");
    }
    if job.status != JobStatus::Draft {
        let partner = people::partner(&mut work, job.partner_id).await?;
        let message = Message::new(Event::JobChanged, Recipient::User(partner.user_id));
        let message = message.with("job_title", job.title.clone()).with("job_id", job.id.get());
        work.send(message.with("change", what));
    }
    answer(work, job).await
}

async fn answer(mut work: Work, job: Job) -> Result<Done<JobSaved>> {
    let now = work.now();
    let refusing_institutions = checking::of_posting(&mut work, &job.posting(), now).await?;
    let revision = job.revision();
    work.done(JobSaved { job, refusing_institutions, revision }).await
}

async fn post(
    work: &mut Work,
    partner: PartnerId,
    content: &Content,
    draft: Option<bool>,
) -> Result<Job> {
    check_categories(work, content).await?;
    let rules = jobs::rules(work).await?;
    least_amount::refuse("amount_cents", content.amount_cents, rules.least_amount_cents)?;
    let status = match (draft, rules.approval) {
        (Some(true), _) => JobStatus::Draft,
        (_, true) => JobStatus::Pending,
        (_, false) => JobStatus::Open,
    };
    let now = work.now();
    let job = jobs::add(work, partner, content, status, now).await?;
    work.note(job.id, "posted");
    Ok(job)
}

/// Changes a locked job, and its state if the change requires it.
async fn revise(work: &mut Work, job: Job, input: &SaveJob) -> Result<Job> {
    let (keep_draft, now) = (input.draft == Some(true), work.now());
    let job = jobs::with_milestones(work, job).await?;
    work.as_seen(job.id, &job, input.revision.as_ref()).await?;
    let before = Content::from(&job);
    let after = before.clone().merged(input);
    let changed = before.differences(&after);
    let additive = changed.iter().all(|field| is_additive(field, &before, &after));
    let moved = changed.iter().all(|field| {
        dates::is_moved(field, &before, &after) || is_additive(field, &before, &after)
    });
    let public = matches!(job.status, JobStatus::Open | JobStatus::Closed);
    let rules = jobs::rules(work).await?;
    // Once public, fields that were valid when it was posted need not be valid on the day of an
    // addition.
    if additive && public {
        after.check_additions(&before, now)?;
    } else if moved && public {
        after.check_moved(&before, now)?;
    } else {
        after.check(now)?;
        least_amount::refuse("amount_cents", after.amount_cents, rules.least_amount_cents)?;
        check_categories(work, &after).await?;
    }
    let approval = rules.approval;
    let mut events = Vec::new();
    match job.status {
        JobStatus::Draft if keep_draft => {}
        JobStatus::Draft | JobStatus::ChangesRequested | JobStatus::Rejected => {
            events.push(JobEvent::Submit);
            events.extend((!approval).then_some(JobEvent::Approve));
        }
        JobStatus::Pending => {}
        JobStatus::Open | JobStatus::Closed if additive => {}
        // No athlete has agreed to these dates yet; athletes hired later agree to the new ones.
        JobStatus::Open | JobStatus::Closed if moved => {
            if jobs::contracts(work, job.id).await?.stand() {
                let sentence = "Athletes were hired on these dates: post a new job for later ones.";
                return Err(codes::JOB_HAS_HIRES.saying(sentence));
            }
        }
        JobStatus::Open if jobs::contracts(work, job.id).await?.all_of_them > 0 => {
            let fields = changed.join(", ");
            return Err(codes::JOB_HAS_HIRES.saying(format!(
                "Athletes were hired on these terms; only additions are possible (not: {fields})."
            )));
        }
        JobStatus::Open => events.extend(approval.then_some(JobEvent::Edit)),
        JobStatus::Closed => {
            return Err(codes::JOB_NOT_OPEN.saying(
                "A closed job only allows more places, another deadline or other due dates.",
            ));
        }
        JobStatus::Completed | JobStatus::Cancelled => {
            return Err(codes::JOB_NOT_OPEN.saying("This job is over and cannot be changed."));
        }
    }
    jobs::rewrite(work, &job, &after, now).await?;
    let mut status = job.status;
    for event in events {
        let moved = status.on(event)?;
        jobs::change(work, job.id, moved, now).await?;
        status = moved.to();
    }
    work.note_change(
        job.id,
        "changed",
        serde_json::json!({ "status": job.status }),
        serde_json::json!({ "status": status, "fields": changed }),
    );
    let job = jobs::find(work, job.id).await?;
    jobs::with_milestones(work, job).await
}

/// Whether the change takes nothing away from hired athletes: more places, or another deadline.
fn is_additive(field: &str, before: &Content, after: &Content) -> bool {
    match field {
        "slots" => after.slots > before.slots,
        "application_deadline" => true,
        _ => false,
    }
}

async fn check_categories(work: &mut Work, content: &Content) -> Result<()> {
    if !jobs::category_exists(work, content.category_id).await? {
        return Err(Error::invalid("category_id", "is not a category of jobs"));
    }
    if let Some(exclusivity) = content.exclusivity
        && !jobs::category_exists(work, exclusivity.category_id).await?
    {
        return Err(Error::invalid("exclusivity.category_id", "is not a category of jobs"));
    }
    Ok(())
}
