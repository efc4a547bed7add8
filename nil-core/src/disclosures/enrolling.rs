//! Athletes state when they enrolled and where they came from: the clocks of their earlier deals
//! depend on it.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use super::entrance::{Enrolment, EntryKind, SetEnrolment, to_institution};
use super::store::{enrolment as store, person as people};
use super::threshold;
use crate::auth::Athlete;
use crate::error::{Error, Result, codes};
use crate::institutions::checking;
use crate::kernel::{AthleteId, CollegeId, Date, Nothing, day_in, zone_or_last};
use crate::operation::{Cx, Done, Work};

/// What the platform knows of the caller's enrolment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct EnrolmentState {
    /// The institution of their profile.
    pub college_id: Option<CollegeId>,
    /// How they came to it; null if they have not stated it.
    pub enrolment: Option<Enrolment>,
    /// Whether they are asked to state it: the profile names an institution, and nothing is stated
    /// about it.
    pub is_asked_for: bool,
    /// How they came to earlier institutions, the latest first.
    pub earlier: Vec<Enrolment>,
}

/// How the calling athlete came to their institutions, and whether they are asked to state it.
pub async fn show(cx: Cx<Athlete>, _: Nothing) -> Result<EnrolmentState> {
    let mut session = cx.read().await?;
    let college_id = people::find(&mut session, cx.caller.id).await?.college_id;
    let all = store::all(&mut session, cx.caller.id).await?;
    let (here, earlier): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| Some(one.college_id) == college_id);
    let enrolment = here.into_iter().next();
    let is_asked_for = college_id.is_some() && enrolment.is_none();
    Ok(EnrolmentState { college_id, enrolment, is_asked_for, earlier })
}

/// Sets when the calling athlete enrolled at the institution of their profile, and where they came
/// from. Earlier deals of entrants from high school and junior college go to the clearinghouse
/// within fourteen days of enrolment, and before the first contest; deals of transfers from
/// Division II and III count from their day in the portal. Deals already submitted do not change.
/// 409 `athlete_not_ready` if the profile names no institution, 422 for impossible days.
pub async fn set(cx: Cx<Athlete>, input: SetEnrolment) -> Result<Done<Enrolment>> {
    let mut work = cx.begin().await?;
    let athlete = cx.caller.id;
    // The locks in the order of a disclosure. A job that is added in between is added under the
    // athlete's lock.
    store::lock_disclosed(&mut work, athlete).await?;
    people::lock(&mut work, athlete).await?;
    let person = people::find(&mut work, athlete).await?;
    let Some(college) = person.college_id else {
        let sentence = "Choose your institution first: the profile names none.";
        return Err(codes::ATHLETE_NOT_READY.saying(sentence));
    };
    check(&input, day_in(cx.now(), person.zone()))?;
    if store::is_taken(&mut work, athlete, college, input.enrolled_on).await? {
        let message = "is the day of your enrolment at another institution";
        return Err(Error::invalid("enrolled_on", message));
    }
    store::share_college(&mut work, college).await?;
    let enrolment = store::save(&mut work, (athlete, college), &input, cx.now()).await?;
    work.note_change(
        athlete,
        "enrolment_set",
        None,
        serde_json::to_value(&enrolment).map_err(Error::internal)?,
    );
    set_deadlines(&mut work, athlete).await?;
    threshold::weigh(&mut work, &person).await?;
    work.done(enrolment).await
}

/// 422 for days that cannot be.
fn check(input: &SetEnrolment, today: Date) -> Result<()> {
    let years = |count: i64| TimeDelta::days(366 * count);
    if input.enrolled_on < today - years(15) || input.enrolled_on > today + years(2) {
        let message = "must be within the last fifteen years or the next two";
        return Err(Error::invalid("enrolled_on", message));
    }
    let needs_start = input.kind != EntryKind::FourYear;
    match input.counts_from {
        None if needs_start => {
            let message = "is required: the day from which earlier deals count";
            return Err(Error::invalid("counts_from", message));
        }
        Some(_) if !needs_start => {
            let message = "must be left out: earlier deals stay as they are";
            return Err(Error::invalid("counts_from", message));
        }
        Some(from) if from > input.enrolled_on || from < input.enrolled_on - years(15) => {
            let message = "must be in the fifteen years before `enrolled_on`";
            return Err(Error::invalid("counts_from", message));
        }
        _ => {}
    }
    // Autumn teams play before lectures begin.
    let contests = input.enrolled_on - TimeDelta::days(92)..=input.enrolled_on + years(2);
    if input.first_contest_on.is_some_and(|day| !contests.contains(&day)) {
        let message = "must be at most three months before `enrolled_on` and two years after it";
        return Err(Error::invalid("first_contest_on", message));
    }
    Ok(())
}

/// Sets the institutions' deadlines of the athlete's disclosed jobs again.
async fn set_deadlines(work: &mut Work, athlete: AthleteId) -> Result<()> {
    for job in store::deadlines_of(work, athlete).await? {
        let rules = checking::rules_of(work, job.college_id, job.signed_on).await?;
        let entrance = store::first_after(work, athlete, job.signed_on).await?;
        let zone = zone_or_last(Some(&job.time_zone));
        let due_at = to_institution(job.signed_on, entrance, (rules.deadline.rule, zone))?;
        if due_at != job.due_at {
            let now = work.now();
            store::put_off(work, job.id, due_at, now).await?;
            work.note(job.id, "due_changed");
        }
    }
    Ok(())
}
