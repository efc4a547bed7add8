//! Brands invite athletes and reject applicants.

use std::collections::{HashMap, HashSet};

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::{
    Application, ApplicationEvent, ApplicationSource, ApplicationStatus, JOB_CANCELLED,
    POSITION_FILLED,
};
use super::store::application::{self as applications, NewApplication};
use super::store::job as jobs;
use super::{eligibility, places};
use crate::accounts::UserStatus;
use crate::auth::Partner;
use crate::error::{Error, Result, codes};
use crate::institutions::{self, Moment, checking};
use crate::kernel::{ApplicationId, AthleteId, JobId, Machine as _, Many, Text, UserId};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::{people, wording};

/// Athletes to invite.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Invite {
    /// The job; it must be open.
    pub job_id: JobId,
    /// The athletes, at most 500.
    pub athlete_ids: Many<AthleteId, 1, 500>,
    /// The brand's message to them.
    pub message: Option<Text<1, 2000>>,
}

/// An item of a bulk operation that was refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Refused {
    /// The id from the input.
    pub id: i64,
    /// The error code.
    pub code: &'static str,
    /// The error's sentence.
    pub message: String,
}

impl Refused {
    /// The item with this id was refused with this error. A `not_found` that says nothing more is
    /// about the record that is named: its noun and its id.
    pub(crate) fn new(id: i64, error: &Error, (noun, named): (&str, i64)) -> Self {
        let message = if error.is_bare(codes::NOT_FOUND) {
            format!("There is no {noun} {named} that you may see.")
        } else {
            error.message().to_owned()
        };
        Self { id, code: error.code(), message }
    }
}

/// The result of a bulk invitation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct InvitationResults {
    /// The athletes now invited.
    pub invited: Vec<Application>,
    /// The athletes who could not be invited, with reasons; `id` is the athlete's.
    pub refused: Vec<Refused>,
}

/// The applicant to reject.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Reject {
    /// The application.
    pub id: ApplicationId,
    /// The reason; the athlete sees it.
    pub reason: Option<Text<1, 1000>>,
}

/// Invites athletes to an open job, each independently; athletes who cannot be invited are in
/// `refused`. This includes athletes whom a rule of their institution would keep from applying,
/// with the rule and its date.
pub async fn invite_bulk(cx: Cx<Partner>, input: Invite) -> Result<Done<InvitationResults>> {
    let mut work = cx.begin().await?;
    let job = jobs::lock_of(&mut work, input.job_id, cx.caller.id).await?;
    if job.refuses_applications(cx.now()) {
        return Err(codes::JOB_NOT_OPEN.into());
    }
    let job = jobs::with_milestones(&mut work, job).await?;
    let partner = people::partner(&mut work, job.partner_id).await?;
    let known = applications::known_among(&mut work, job.id, &input.athlete_ids).await?;
    let known: HashMap<AthleteId, (ApplicationStatus, Option<String>)> =
        known.into_iter().map(|(athlete, status, reason)| (athlete, (status, reason))).collect();
    let mut answer = InvitationResults { invited: Vec::new(), refused: Vec::new() };
    let mut seen = HashSet::new();
    for athlete in input.athlete_ids.iter().copied() {
        if !seen.insert(athlete) {
            continue;
        }
        let (user, zone) = match invitable(&mut work, athlete, known.get(&athlete), &job).await? {
            Ok(found) => found,
            Err(error) => {
                answer.refused.push(Refused::new(
                    athlete.get(),
                    &error,
                    ("athlete", athlete.get()),
                ));
                continue;
            }
        };
        let new = NewApplication {
            job: job.id,
            athlete,
            agent: None,
            source: ApplicationSource::Invited,
            pitch: None,
            proposed: None,
            status: ApplicationStatus::Invited,
        };
        let application = applications::add(&mut work, &new, cx.now()).await?;
        work.note(application.id, "invited");
        let mut message = Message::new(Event::InvitationReceived, Recipient::User(user))
            .with("job_title", job.title.clone())
            .with("company_name", partner.company_name.clone())
            .with("amount", job.offer(job.amount_cents))
            .with("deadline", deadline_in_words(&job, zone))
            .with("job_id", job.id.get());
        if let Some(text) = &input.message {
            message = message
                .with("message", text.trim())
                .with("message_excerpt", wording::excerpt(text));
        }
        work.send(message);
        answer.invited.push(application);
    }
    work.done(answer).await
}

/// The account to notify and its time zone, or why the athlete cannot be invited.
async fn invitable(
    work: &mut Work,
    athlete: AthleteId,
    known: Option<&(ApplicationStatus, Option<String>)>,
    job: &super::job::Job,
) -> Result<Result<(UserId, Tz)>> {
    let Some(facts) = people::facts(work, athlete).await? else {
        return Ok(Err(codes::NOT_FOUND.into()));
    };
    if facts.account == UserStatus::Onboarding || facts.account == UserStatus::Deactivated {
        return Ok(Err(codes::NOT_FOUND.into()));
    }
    // Guessing an id must not reveal a minor's name.
    if !facts.listed
        && known.is_none()
        && !applications::is_known_to(work, athlete, job.partner_id).await?
    {
        return Ok(Err(codes::NOT_FOUND.into()));
    }
    match known {
        Some((ApplicationStatus::Rejected, reason)) => {
            let by_brand = !matches!(reason.as_deref(), Some(POSITION_FILLED | JOB_CANCELLED));
            if by_brand {
                return Ok(Err(codes::REJECTED_BEFORE.into()));
            }
        }
        Some(_) => return Ok(Err(codes::ALREADY_APPLIED.into())),
        None => {}
    }
    if facts.account != UserStatus::Active || !facts.available {
        return Ok(Err(codes::ATHLETE_UNAVAILABLE.into()));
    }
    let unmet = eligibility::unmet(&job.eligibility, &facts);
    if !unmet.is_empty() {
        let what = unmet.join(", ");
        let sentence = format!("The athlete does not meet: {what}.");
        return Ok(Err(codes::NOT_ELIGIBLE.saying(sentence)));
    }
    let now = work.now();
    let breaches = checking::of_job(work, &facts, &job.posting(), Moment::Apply, now).await?;
    Ok(institutions::refuse(&breaches).map(|()| (facts.user_id, facts.zone())))
}

/// When applications end, in the time zone of whoever is told.
pub(crate) fn deadline_in_words(job: &super::job::Job, zone: Tz) -> String {
    let written = |end| wording::moment(end, zone);
    job.closes_at.map_or_else(|| "no fixed date".to_owned(), written)
}

/// Rejects an applicant.
pub async fn reject(cx: Cx<Partner>, input: Reject) -> Result<Done<Application>> {
    let mut work = cx.begin().await?;
    let job = jobs::lock_of_application(&mut work, input.id, cx.caller.id).await?;
    let application = applications::lock_of_partner(&mut work, input.id, cx.caller.id).await?;
    let reason = input.reason.map(|reason| reason.trim().to_owned());
    let application = turn_down(&mut work, &job, &application, reason).await?;
    places::complete_if_over(&mut work, &job).await?;
    work.done(application).await
}

/// Rejects one applicant of a locked job and notifies them.
pub(crate) async fn turn_down(
    work: &mut Work,
    job: &super::job::Job,
    application: &Application,
    reason: Option<String>,
) -> Result<Application> {
    let moved = application.status.on(ApplicationEvent::Reject)?;
    let now = work.now();
    let said = reason.clone();
    let application = applications::change(work, application.id, moved, reason, now).await?;
    work.note(application.id, "rejected");
    let partner = people::partner(work, job.partner_id).await?;
    let users = people::users(work, &[application.athlete_id]).await?;
    if let Some(user) = users.get(&application.athlete_id) {
        let why = said.unwrap_or_else(|| "No reason was given.".to_owned());
        work.send(
            Message::new(Event::ApplicationRejected, Recipient::User(*user))
                .with("job_title", job.title.clone())
                .with("company_name", partner.company_name)
                .with("reason", why)
                .with("job_id", job.id.get()),
        );
    }
    Ok(application)
}
