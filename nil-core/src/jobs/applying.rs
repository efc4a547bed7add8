//! Athletes apply, accept or decline invitations, and withdraw.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::{Application, ApplicationEvent, ApplicationSource, ApplicationStatus};
use super::eligibility;
use super::job::{Job, JobStatus};
use super::store::application::{self as applications, NewApplication};
use super::store::job as jobs;
use super::store::job::LockMode;
use super::words::Visibility;
use crate::auth::Athlete;
use crate::backoffice::least_amount;
use crate::error::{Error, Result, codes};
use crate::feed::{Concerned, Published};
use crate::institutions::{self, Moment, checking};
use crate::kernel::{AgentId, Amount, ApplicationId, AthleteId, JobId, Machine as _, Text};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::people;

/// An application to a job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Apply {
    /// The job.
    pub job_id: JobId,
    /// The athlete's pitch to the brand.
    pub pitch: Option<Text<1, 4000>>,
    /// The amount the athlete asks for instead of the job's amount.
    pub proposed_amount_cents: Option<Amount>,
}

/// An application with warnings for the athlete.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Applied {
    /// The application.
    #[serde(flatten)]
    pub application: Application,
    /// Warnings of the athlete's institution; each names the rule and its date.
    pub warnings: Vec<String>,
}

/// An answer to an invitation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Respond {
    /// The job.
    pub job_id: JobId,
    /// Whether the athlete accepts.
    pub accept: bool,
}

/// The application to withdraw.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Withdraw {
    /// The application.
    pub id: ApplicationId,
}

/// Applies to an open job; an invited athlete accepts the invitation by applying. 409
/// `already_applied`, `job_closed`, `rejected_before`, `not_eligible` and `athlete_not_ready`
/// (naming what), `athlete_unavailable`, and a code for each family of rules of the athlete's
/// institution (naming the rule and its date).
pub async fn apply(cx: Cx<Athlete>, input: Apply) -> Result<Done<Applied>> {
    let mut work = cx.begin().await?;
    let own = Own { athlete: cx.caller.id, agent: None, source: ApplicationSource::Applied };
    let applied = enter_warned(&mut work, &own, &input).await?;
    work.done(applied).await
}

/// Accepts or declines an invitation. 404 if there is none.
pub async fn respond_invitation(cx: Cx<Athlete>, input: Respond) -> Result<Done<Application>> {
    let mut work = cx.begin().await?;
    let held = jobs::lock(&mut work, input.job_id, LockMode::Shared).await?;
    let found = applications::live(&mut work, input.job_id, cx.caller.id).await?;
    let (Some(_), Some(invited)) = (held, found) else {
        return Err(codes::NOT_FOUND.into());
    };
    if input.accept {
        // The machine refuses to accept twice: a second acceptance is not a new application.
        invited.status.on(ApplicationEvent::Apply)?;
        let own = Own { athlete: cx.caller.id, agent: None, source: ApplicationSource::Applied };
        let apply = Apply { job_id: input.job_id, pitch: None, proposed_amount_cents: None };
        let application = enter(&mut work, &own, &apply).await?;
        return work.done(application).await;
    }
    let moved = invited.status.on(ApplicationEvent::Decline)?;
    let application = applications::change(&mut work, invited.id, moved, None, cx.now()).await?;
    work.note(application.id, "declined");
    work.done(application).await
}

/// Withdraws an application that the brand has not decided on.
pub async fn withdraw(cx: Cx<Athlete>, input: Withdraw) -> Result<Done<Application>> {
    let mut work = cx.begin().await?;
    let application = applications::lock_of_athlete(&mut work, input.id, cx.caller.id).await?;
    let moved = application.status.on(ApplicationEvent::Withdraw)?;
    let application =
        applications::change(&mut work, application.id, moved, None, cx.now()).await?;
    work.note(application.id, "withdrawn");
    work.done(application).await
}

/// Withdraws the applications of an athlete who leaves and declines their invitations, as far as
/// the brands have not decided on them.
pub async fn withdraw_all(work: &mut Work, athlete: AthleteId) -> Result<()> {
    let now = work.now();
    for (from, event, action) in [
        (ApplicationStatus::Applicant, ApplicationEvent::Withdraw, "withdrawn"),
        (ApplicationStatus::Invited, ApplicationEvent::Decline, "declined"),
    ] {
        let waiting = applications::lock_of_in(work, athlete, from).await?;
        if waiting.is_empty() {
            continue;
        }
        applications::change_these(work, &waiting, from.on(event)?, now).await?;
        for id in waiting {
            work.note(id, action);
        }
    }
    Ok(())
}

/// The applying athlete, and the agent if one applies for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    /// The athlete.
    pub(crate) athlete: AthleteId,
    /// The agent who applies for the athlete.
    pub(crate) agent: Option<AgentId>,
    /// How the application is created.
    pub(crate) source: ApplicationSource,
}

/// Creates an application, or accepts an invitation, within the caller's transaction. Writes
/// nothing if it is refused.
pub(crate) async fn enter(work: &mut Work, own: &Own, input: &Apply) -> Result<Application> {
    Ok(enter_warned(work, own, input).await?.application)
}

async fn enter_warned(work: &mut Work, own: &Own, input: &Apply) -> Result<Applied> {
    let now = work.now();
    let job = jobs::lock(work, input.job_id, LockMode::Shared).await?.ok_or(codes::NOT_FOUND)?;
    let live = applications::live(work, job.id, own.athlete).await?;
    if live.is_none() && !is_public(&job) {
        return Err(codes::NOT_FOUND.into());
    }
    if input.proposed_amount_cents.is_some() && !job.amount_cents.is_positive() {
        let why = "this job pays no cash to negotiate";
        return Err(Error::invalid("proposed_amount_cents", why));
    }
    let proposed = input.proposed_amount_cents.map(Amount::cents);
    least_amount::check(work, "proposed_amount_cents", proposed).await?;
    if live.as_ref().is_some_and(|live| live.status != ApplicationStatus::Invited) {
        return Err(codes::ALREADY_APPLIED.into());
    }
    if job.refuses_applications(now) {
        return Err(codes::JOB_CLOSED.into());
    }
    if applications::was_rejected(work, job.id, own.athlete).await? {
        return Err(codes::REJECTED_BEFORE.into());
    }
    let athlete = people::facts(work, own.athlete).await?.ok_or(codes::NOT_FOUND)?;
    let job = jobs::with_milestones(work, job).await?;
    eligibility::check(&job.eligibility, job.platforms(), &athlete)?;
    let breaches = checking::of_job(work, &athlete, &job.posting(), Moment::Apply, now).await?;
    institutions::refuse(&breaches)?;
    let pitch = input.pitch.as_deref().map(|pitch| pitch.trim().to_owned());
    let application = if let Some(invited) = live {
        let moved = invited.status.on(ApplicationEvent::Apply)?;
        applications::take_up(work, invited.id, moved, pitch, proposed, now).await?
    } else {
        let new = NewApplication {
            job: job.id,
            athlete: own.athlete,
            agent: own.agent,
            source: own.source,
            pitch,
            proposed,
            status: ApplicationStatus::Applicant,
        };
        applications::add(work, &new, now).await?
    };
    work.note(application.id, "applied");
    let concerned = Concerned::Brand(job.partner_id);
    let published = Published::new(Event::ApplicationReceived, concerned);
    let status = application.status.as_str();
    work.publish(published.with(application.id).with(job.id).saying("status", status));
    let partner = people::partner(work, job.partner_id).await?;
    work.send(
        Message::new(Event::ApplicationReceived, Recipient::User(partner.user_id))
            .with("athlete_name", athlete.display_name.clone())
            .with("job_title", job.title.clone())
            .with("job_id", job.id.get())
            .with("application_id", application.id.get()),
    );
    Ok(Applied {
        application,
        warnings: breaches.into_iter().map(|breach| breach.message).collect(),
    })
}

/// Whether the job is visible to a caller who acts for these athletes: it is public, or one of them
/// was invited or has applied.
pub(crate) async fn is_known_to(
    work: &mut Work,
    job: JobId,
    athletes: &[AthleteId],
) -> Result<bool> {
    let Some(job) = jobs::lock(work, job, LockMode::Shared).await? else {
        return Ok(false);
    };
    if is_public(&job) {
        return Ok(true);
    }
    for athlete in athletes {
        if applications::live(work, job.id, *athlete).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the job is visible to users who were not invited.
pub(super) fn is_public(job: &Job) -> bool {
    job.visibility == Visibility::Public
        && matches!(job.status, JobStatus::Open | JobStatus::Closed | JobStatus::Completed)
}
