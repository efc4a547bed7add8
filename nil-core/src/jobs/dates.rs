//! The dates of a job: when it stops taking applications, whether athletes can still be hired for
//! it, and which changes only move dates.

use super::content::{Content, MilestoneContent};
use super::job::{Job, Milestone};
use crate::error::{Result, codes};
use crate::kernel::{Date, LAST_ZONE, Time, end_of_day};
use crate::wording;

/// When a job with this content stops taking applications: at its deadline, and at the latest when
/// its last due date has ended everywhere in the United States.
pub(super) fn closes_at(content: &Content) -> Option<Time> {
    let last_due = content.milestones.iter().map(|m| m.due_on).max();
    let worked_off = last_due.map(|on| end_of_day(on, LAST_ZONE));
    content.application_deadline.into_iter().chain(worked_off).min()
}

/// 409 naming a due date that has passed on `today` in the athlete's time zone: a contract signed
/// today cannot ask for something yesterday. The job must have its milestones.
pub(crate) fn refuse_passed(job: &Job, today: Date) -> Result<()> {
    let passed = |milestone: &&Milestone| milestone.due_on < today;
    let Some(first) = job.milestones.iter().find(passed) else {
        return Ok(());
    };
    let (title, due) = (&first.title, wording::day(first.due_on));
    Err(codes::DUE_DATE_PASSED.saying(format!(
        "\"{title}\" was due on {due}, so no athlete can be hired any more. Move the due dates of the \
         job first, or post a new job if athletes were already hired on these dates."
    )))
}

/// Why a closed job cannot take applications again at `now`; nothing if it can.
pub(super) fn why_over(job: &Job, now: Time) -> Option<&'static str> {
    if job.application_deadline.is_some_and(|until| until < now) {
        Some("The application period is over: set a later deadline first.")
    } else if job.is_past_deadline(now) {
        Some("Every due date of this job has passed: move the due dates first.")
    } else {
        None
    }
}

/// Whether a change of this field only moves dates and leaves the work as it is.
pub(super) fn is_moved(field: &str, before: &Content, after: &Content) -> bool {
    match field {
        "starts_on" | "ends_on" => true,
        "milestones" => is_same_work(&before.milestones, &after.milestones),
        _ => false,
    }
}

/// Whether both lists ask for the same work, possibly on other days.
pub(super) fn is_same_work(before: &[MilestoneContent], after: &[MilestoneContent]) -> bool {
    let same = |(old, new): (&MilestoneContent, &MilestoneContent)| {
        let due_on = new.due_on;
        let moved = MilestoneContent { due_on, ..old.clone() };
        moved == *new
    };
    before.len() == after.len() && before.iter().zip(after).all(same)
}
