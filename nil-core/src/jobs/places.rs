//! The places of a job: taken when an athlete is hired, freed when a contract ends early, with the
//! consequences for the job and for waiting applicants.

use super::application::{ApplicationEvent, ApplicationStatus, POSITION_FILLED};
use super::job::{CloseReason, Job, JobEvent, JobStatus};
use super::store::application::Waiting;
use super::store::job::LockMode;
use super::store::{application as applications, job as jobs};
use crate::error::{Error, Result};
use crate::kernel::{ApplicationId, JobId, Machine as _};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::people;
use crate::people::PartnerFacts;

/// A place of a locked job, before it is taken.
pub(crate) struct Place {
    /// Those who are turned away with the last place.
    waiting: Option<Vec<Waiting>>,
}

/// Locks what taking a place of a locked job for this application changes.
pub(crate) async fn hold(work: &mut Work, job: &Job, of: ApplicationId) -> Result<Place> {
    if job.places_left() > 1 {
        return Ok(Place { waiting: None });
    }
    let mut waiting = applications::lock_waiting(work, job.id).await?;
    // Its own status is written later.
    waiting.retain(|one| one.id != of);
    Ok(Place { waiting: Some(waiting) })
}

/// Takes the place. The last one closes an open job, rejects the other applicants and lets
/// invitations expire.
pub(crate) async fn take(
    work: &mut Work,
    place: Place,
    job: &mut Job,
    partner: &PartnerFacts,
) -> Result<()> {
    job.filled += 1;
    let is_full = job.places_left() <= 0;
    if is_full && job.status == JobStatus::Open {
        close(work, job, CloseReason::Filled, 1).await?;
    } else {
        let now = work.now();
        jobs::count_place(work, job.id, 1, now).await?;
    }
    match place.waiting {
        Some(waiting) => turn_these_away(work, job, partner, POSITION_FILLED, &waiting).await,
        None => Ok(()),
    }
}

/// Closes a locked job that is open; `taken` places are taken with it.
pub(super) async fn close(
    work: &mut Work,
    job: &mut Job,
    reason: CloseReason,
    taken: i64,
) -> Result<()> {
    let moved = job.status.on(JobEvent::Close)?;
    let now = work.now();
    jobs::close(work, job.id, moved, (reason, taken), now).await?;
    job.status = moved.to();
    job.close_reason = Some(reason);
    work.note(job.id, "closed");
    Ok(())
}

/// Rejects all applicants and lets every invitation expire.
pub(super) async fn turn_away(
    work: &mut Work,
    job: &Job,
    partner: &PartnerFacts,
    reason: &'static str,
) -> Result<()> {
    let waiting = applications::lock_waiting(work, job.id).await?;
    turn_these_away(work, job, partner, reason, &waiting).await
}

async fn turn_these_away(
    work: &mut Work,
    job: &Job,
    partner: &PartnerFacts,
    reason: &'static str,
    waiting: &[Waiting],
) -> Result<()> {
    let now = work.now();
    for (event, from, reason, action) in [
        (ApplicationEvent::Reject, ApplicationStatus::Applicant, Some(reason), "rejected"),
        (ApplicationEvent::Expire, ApplicationStatus::Invited, None, "expired"),
    ] {
        let ending = || waiting.iter().filter(|one| one.status == from);
        if ending().next().is_none() {
            continue;
        }
        applications::change_all(work, job.id, from.on(event)?, reason, now).await?;
        for ended in ending() {
            work.note(ended.id, action);
        }
    }
    let why = if reason == POSITION_FILLED {
        "All places have been filled."
    } else {
        "The job was cancelled."
    };
    for rejected in waiting.iter().filter(|one| one.status == ApplicationStatus::Applicant) {
        work.send(
            Message::new(Event::ApplicationRejected, Recipient::User(rejected.user_id))
                .with("job_title", job.title.clone())
                .with("company_name", partner.company_name.clone())
                .with("reason", why)
                .with("job_id", job.id.get()),
        );
    }
    Ok(())
}

/// Frees the place of a contract that ended early. A job that was full takes applications again
/// while there is time; if all its contracts have ended, it may be completed.
pub(crate) async fn free(work: &mut Work, job: JobId) -> Result<()> {
    let now = work.now();
    let mut job = held(work, job).await?;
    jobs::count_place(work, job.id, -1, now).await?;
    job.filled -= 1;
    let was_full = job.close_reason == Some(CloseReason::Filled);
    if job.status == JobStatus::Closed && was_full && !job.is_past_deadline(now) {
        let moved = job.status.on(JobEvent::Reopen)?;
        jobs::change(work, job.id, moved, now).await?;
        work.note(job.id, "reopened");
        return Ok(());
    }
    complete_if_over(work, &job).await
}

/// Completes the job of a completed contract, if that was the last one.
pub(crate) async fn settle(work: &mut Work, job: JobId) -> Result<()> {
    let job = held(work, job).await?;
    complete_if_over(work, &job).await
}

/// Completes a locked, closed job when every contract has ended and at least one was completed.
/// After the deadline, the job waits while the brand still has applicants to decide on.
pub(crate) async fn complete_if_over(work: &mut Work, job: &Job) -> Result<()> {
    if job.status != JobStatus::Closed {
        return Ok(());
    }
    let contracts = jobs::contracts(work, job.id).await?;
    if contracts.under_way > 0 || contracts.completed == 0 {
        return Ok(());
    }
    let undecided = job.close_reason == Some(CloseReason::Deadline) && job.places_left() > 0;
    if undecided && applications::has_applicants(work, job.id).await? {
        return Ok(());
    }
    let now = work.now();
    let moved = job.status.on(JobEvent::Complete)?;
    jobs::change(work, job.id, moved, now).await?;
    work.note(job.id, "completed");
    let partner = people::partner(work, job.partner_id).await?;
    turn_away(work, job, &partner, POSITION_FILLED).await
}

async fn held(work: &mut Work, job: JobId) -> Result<Job> {
    jobs::lock(work, job, LockMode::Alone)
        .await?
        .ok_or_else(|| Error::internal("a contract without its job"))
}
