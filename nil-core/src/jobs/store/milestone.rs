//! The rows of milestones and of hiring conditions.

use sea_query::{Expr, Order, Query};

use crate::error::Result;
use crate::jobs::content::MilestoneContent;
use crate::jobs::job::{Eligibility, Milestone};
use crate::kernel::{Date, JobId};
use crate::storage::{
    Among as _, Asked, Selected as _, Session, Stored as _, Together, insert, update,
};

/// The milestones of these jobs, in the order of each job.
pub async fn of_jobs(session: &mut Session, jobs: &[JobId]) -> Result<Vec<Milestone>> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    session.answer(|asked| ask_of_jobs(asked, jobs)).await
}

/// Asks for the milestones of these jobs, in the order of each job.
pub fn ask_of_jobs(asked: &mut Together, jobs: &[JobId]) -> Asked<Vec<Milestone>> {
    let rows = Query::select()
        .columns(Milestone::COLUMNS.iter().copied())
        .from("milestone")
        .and_where(Expr::col("job_id").among(jobs.iter().map(|id| id.get())))
        .order_by("job_id", Order::Asc)
        .order_by("position", Order::Asc)
        .take();
    asked.ask(rows, Ok)
}

/// Stores the conditions as rows for searches, beside the column with the same content.
pub(super) async fn add_conditions(
    session: &mut Session,
    job: JobId,
    wanted: &Eligibility,
) -> Result<()> {
    let mut conditions: Vec<(&'static str, String, Option<i64>)> = Vec::new();
    let mut each = |kind, values: Vec<String>| {
        conditions.extend(values.into_iter().map(|value| (kind, value, None)));
    };
    each("sport", wanted.sport_ids.iter().map(ToString::to_string).collect());
    each("university", wanted.university_ids.iter().map(ToString::to_string).collect());
    each("gender", wanted.genders.iter().map(ToString::to_string).collect());
    each("state", wanted.states.clone());
    each("class_year", wanted.class_years.iter().map(ToString::to_string).collect());
    if let Some(least) = wanted.min_followers {
        conditions.push(("min_followers", "at_least".into(), Some(least)));
    }
    if conditions.is_empty() {
        return Ok(());
    }
    let mut rows = insert("job_condition");
    for (kind, value, number) in conditions {
        rows = rows
            .set("job_id", job)
            .set("kind", kind)
            .set("value", value)
            .set("number", number)
            .row();
    }
    session.run(rows.unless_exists(&["job_id", "kind", "value"])).await.map(|_| ())
}

/// Moves a due date.
pub(super) async fn set_due(
    session: &mut Session,
    milestone: &Milestone,
    due_on: Date,
) -> Result<()> {
    if milestone.due_on == due_on {
        return Ok(());
    }
    let row = update("milestone").set("due_on", due_on).when("id", milestone.id);
    session.change(row).await
}

/// Adds a job's milestones in this order.
pub(super) async fn add_all(
    session: &mut Session,
    job: JobId,
    milestones: &[MilestoneContent],
) -> Result<()> {
    let mut rows = insert("milestone");
    for (position, milestone) in (1_i64..).zip(milestones) {
        rows = rows.set("job_id", job).set("position", position).with(milestone.columns()).row();
    }
    session.run(rows).await.map(|_| ())
}
