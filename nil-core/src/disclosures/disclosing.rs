//! Athletes disclose deals made off the platform; their agents prepare drafts.

use schemars::JsonSchema;
use serde::Deserialize;

use super::browsing::{self, owner};
use super::content::{Content, SaveDisclosedJob};
use super::disclosed_job::{DisclosedJob, DisclosedJobEvent, DisclosedJobStatus};
use super::packet::{self, Parties};
use super::store::clearance::{self as clearances, Deal};
use super::store::disclosed_job::{self as store, Owner};
use super::store::person::{self as people, Person};
use super::{findings, telling, threshold};
use crate::auth::{Athlete, Payee};
use crate::content::{self, FileUse};
use crate::error::{Error, Result, codes};
use crate::institutions::company_key;
use crate::kernel::{AthleteId, DisclosedJobId, Machine as _, day_in};
use crate::notifications::Event;
use crate::operation::{Cx, Done, Work};
use crate::people::acts_for;

/// The disclosed job to withdraw.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WithdrawDisclosedJob {
    /// The disclosed job.
    pub id: DisclosedJobId,
}

/// Discloses a deal made off the platform, or changes a disclosure, and submits it unless it is to
/// stay a draft. A submission must be complete and consistent: 422 naming what is not. If the
/// institution requires no approval, it is approved at once. An agent prepares drafts for the
/// athletes they represent; only the athlete can submit. 409 `illegal_transition` while it is under
/// review or after a decision.
pub async fn save(cx: Cx<Payee>, input: SaveDisclosedJob) -> Result<Done<DisclosedJob>> {
    let by_agent = matches!(cx.caller, Payee::Agent(_));
    if by_agent && input.draft == Some(false) {
        let message = "must not be false: only the athlete can submit";
        return Err(Error::invalid("draft", message));
    }
    let hand_in = !by_agent && input.draft != Some(true);
    let mut work = cx.begin().await?;
    let job = match input.id {
        None => enter(&mut work, cx.caller, &input).await?,
        Some(id) => change(&mut work, cx.caller, id, &input).await?,
    };
    if let Some(files) = &input.documents {
        let user = match cx.caller {
            Payee::Athlete(athlete) => athlete.user_id,
            Payee::Agent(agent) => agent.user_id,
        };
        let (whose, kind) = (("documents", user), FileUse::DisclosedJob);
        content::replace(&mut work, whose, files, kind, job.get()).await?;
        store::set_files(&mut work, job, files).await?;
    }
    if hand_in {
        submit(&mut work, job).await?;
    }
    let job = browsing::one(&mut work, job, cx.now()).await?;
    work.done(job).await
}

/// Withdraws a disclosed job; it no longer counts. 404 for another athlete's, 409 once it is
/// approved.
pub async fn withdraw(cx: Cx<Athlete>, input: WithdrawDisclosedJob) -> Result<Done<DisclosedJob>> {
    let mut work = cx.begin().await?;
    let job = store::lock_of(&mut work, input.id, Owner::Athlete(cx.caller.id)).await?;
    people::lock(&mut work, cx.caller.id).await?;
    let moved = job.status.on(DisclosedJobEvent::Withdraw)?;
    let now = cx.now();
    store::withdraw(&mut work, job.id, moved, now).await?;
    clearances::discount(&mut work, job.id, now).await?;
    let person = people::find(&mut work, job.athlete_id).await?;
    threshold::weigh(&mut work, &person).await?;
    work.note(job.id, "withdrawn");
    let job = browsing::one(&mut work, job.id, now).await?;
    work.done(job).await
}

/// The acting user, in the words of the audit trail.
pub(super) fn actor(caller: Payee) -> String {
    match caller {
        Payee::Athlete(athlete) => format!("athlete:{}", athlete.id),
        Payee::Agent(agent) => format!("agent:{}", agent.id),
    }
}

/// The athlete it concerns; 404 for one that is unrelated to the caller.
async fn subject_of(work: &mut Work, caller: Payee, named: Option<AthleteId>) -> Result<AthleteId> {
    match (caller, named) {
        (Payee::Athlete(own), None) => Ok(own.id),
        (Payee::Athlete(own), Some(named)) if own.id == named => Ok(named),
        (Payee::Agent(_), None) => Err(Error::invalid("athlete_id", "is required")),
        (Payee::Agent(agent), Some(named)) if acts_for(work, agent.id, named).await? => Ok(named),
        _ => Err(codes::NOT_FOUND.into()),
    }
}

async fn enter(work: &mut Work, caller: Payee, input: &SaveDisclosedJob) -> Result<DisclosedJobId> {
    let content = Content::new(input)?;
    let now = work.now();
    let athlete = subject_of(work, caller, input.athlete_id).await?;
    people::lock(work, athlete).await?;
    let person = people::find(work, athlete).await?;
    content.check(day_in(now, person.zone()))?;
    let Some(college) = person.college_id else {
        let sentence = "There is no institution to disclose to: the athlete's profile names none.";
        return Err(codes::ATHLETE_NOT_READY.saying(sentence));
    };
    let findings = findings::look(work, &person, college, &content, None).await?;
    let by = actor(caller);
    let owner = (athlete, college);
    let job = store::add(work, owner, &content, &findings, &by, now).await?;
    work.note(job.id, "prepared");
    account(work, &person, &job, &content).await?;
    Ok(job.id)
}

async fn change(
    work: &mut Work,
    caller: Payee,
    id: DisclosedJobId,
    input: &SaveDisclosedJob,
) -> Result<DisclosedJobId> {
    if input.athlete_id.is_some() {
        subject_of(work, caller, input.athlete_id).await?;
    }
    let job = store::lock_of(work, id, owner(caller)).await?;
    if input.athlete_id.is_some_and(|named| named != job.athlete_id) {
        return Err(codes::NOT_FOUND.into());
    }
    people::lock(work, job.athlete_id).await?;
    // A disclosure that can be submitted can be changed.
    job.status.on(DisclosedJobEvent::Submit)?;
    if matches!(caller, Payee::Agent(_)) && job.status != DisclosedJobStatus::Draft {
        let sentence = "Only the athlete can change a submitted disclosure.";
        return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
    }
    let now = work.now();
    let before = Content::of(&job);
    let content = before.clone().merged(input);
    let person = people::find(work, job.athlete_id).await?;
    content.check(day_in(now, person.zone()))?;
    let findings = findings::look(work, &person, job.college_id, &content, Some(job.id)).await?;
    store::rewrite(work, &job, &content, &findings, now).await?;
    if before != content {
        work.note_change(
            job.id,
            "changed",
            serde_json::json!({ "payer_name": before.payer_name, "signed_on": before.signed_on,
                "amount_cents": before.amount_cents }),
            serde_json::json!({ "payer_name": content.payer_name, "signed_on": content.signed_on,
                "amount_cents": content.amount_cents }),
        );
    }
    account(work, &person, &job, &content).await?;
    Ok(job.id)
}

/// Adds the deal to those of the athlete.
async fn account(
    work: &mut Work,
    person: &Person,
    job: &DisclosedJob,
    content: &Content,
) -> Result<()> {
    let payor = company_key(content.payor());
    let deal = Deal {
        athlete: job.athlete_id,
        college: job.college_id,
        payor: &payor,
        amount: content.amount_cents,
        signed_on: content.signed_on,
    };
    let now = work.now();
    clearances::save_disclosed(work, job.id, &deal, now).await?;
    threshold::weigh(work, person).await
}

/// Submits it: checks the packet, notifies the institution, and approves it if no approval is
/// required.
async fn submit(work: &mut Work, id: DisclosedJobId) -> Result<()> {
    let job = store::find(work, id).await?;
    let moved = job.status.on(DisclosedJobEvent::Submit)?;
    let person = people::find(work, job.athlete_id).await?;
    let content = Content::of(&job);
    check_packet(&person, &content)?;
    let now = work.now();
    let by = format!("athlete:{}", job.athlete_id);
    store::submit(work, &job, moved, &by, now).await?;
    work.note(job.id, "submitted");
    let late = job.first_submitted_at.is_none() && job.due_at < now;
    telling::of_submission(work, &person, &job, late).await?;
    let today = day_in(now, person.zone());
    if job.status == DisclosedJobStatus::Draft && content.signed_on > today {
        // As a draft of a deal that is still to be signed it did not count.
        threshold::weigh(work, &person).await?;
    }
    if !findings::needs_approval(work, &job, today, now).await? {
        let approved = moved.to().on(DisclosedJobEvent::Approve)?;
        let reason = Some("The institution requires no approval.");
        store::decide(work, job.id, approved, ("platform", reason), now).await?;
        work.note(job.id, "approved");
        telling::of_decision(work, Event::DisclosedJobApproved, (&person, &job), reason);
    }
    Ok(())
}

/// 422 naming what is missing or contradictory.
pub(super) fn check_packet(person: &Person, content: &Content) -> Result<()> {
    let legal = person.legal_name();
    let parties = Parties {
        athlete: [&legal, &person.display_name],
        institution: [
            person.college_name.as_deref().unwrap_or_default(),
            person.college_short_name.as_deref().unwrap_or_default(),
        ],
    };
    packet::check(content, &parties)
}
