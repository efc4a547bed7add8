//! Dates that are near, and reminders already sent.

use sqlx::FromRow;

use crate::error::Result;
use crate::kernel::{DeliverableId, JobId, Time, UserId};
use crate::notifications::Event;
use crate::schedule::due::{Behind, Page};
use crate::storage::{Session, sql};

/// The maximum number of dates in one round; the next round continues.
const AT_ONCE: i64 = 500;

/// Deliverables of contracts under way that are not yet submitted, are due between these instants, and have no reminder
/// of this event for their date.
pub async fn due_between(
    session: &mut Session,
    event: Event,
    from: Time,
    until: Time,
    behind: Behind,
) -> Result<Page<DeliverableId>> {
    let found: Vec<(Time, DeliverableId)> = session
        .all(
            sql(
                "SELECT d.due_at, d.id FROM deliverable d JOIN contract c ON c.id = d.contract_id \
                 WHERE d.status IN ('pending', 'denied') AND d.due_at >= $1 AND d.due_at < $2 \
                 AND (d.due_at, d.id) > ($5, $6) \
                 AND c.status = 'active' AND NOT EXISTS (SELECT 1 FROM reminder r \
                 WHERE r.event = $3 AND r.subject_id = d.id AND r.due_at = d.due_at) \
                 ORDER BY d.due_at, d.id LIMIT $4",
            )
            .bind(from)
            .bind(until)
            .bind(event)
            .bind(AT_ONCE)
            .bind(behind.at)
            .bind(behind.id),
        )
        .await?;
    Ok(found.into())
}

/// Open jobs whose application period ends between these instants and that have no reminder for it.
pub async fn closing_between(
    session: &mut Session,
    from: Time,
    until: Time,
    behind: Behind,
) -> Result<Page<JobId>> {
    let found: Vec<(Time, JobId)> = session
        .all(
            sql("SELECT j.closes_at, j.id FROM job j WHERE j.status = 'open' \
                 AND j.closes_at >= $1 AND j.closes_at < $2 \
                 AND (j.closes_at, j.id) > ($4, $5) \
                 AND NOT EXISTS (SELECT 1 FROM reminder r WHERE r.event = 'job.closing_soon' \
                 AND r.subject_id = j.id AND r.due_at = j.closes_at) \
                 ORDER BY j.closes_at, j.id LIMIT $3")
            .bind(from)
            .bind(until)
            .bind(AT_ONCE)
            .bind(behind.at)
            .bind(behind.id),
        )
        .await?;
    Ok(found.into())
}

/// The deal of a deliverable, with the recipients and contents of a reminder.
#[derive(Clone, Debug, FromRow)]
pub struct Deal {
    pub athlete_user_id: UserId,
    pub partner_user_id: UserId,
    pub job_id: JobId,
    pub job_title: String,
}

/// The deal, if its contract is under way.
pub async fn deal(session: &mut Session, id: DeliverableId) -> Result<Option<Deal>> {
    session
        .first(
            sql("SELECT a.user_id AS athlete_user_id, p.user_id AS partner_user_id, \
                 j.id AS job_id, j.title AS job_title FROM deliverable d \
                 JOIN contract c ON c.id = d.contract_id JOIN athlete a ON a.id = c.athlete_id \
                 JOIN partner p ON p.id = c.partner_id JOIN job j ON j.id = c.job_id \
                 WHERE d.id = $1 AND c.status = 'active'")
            .bind(id),
        )
        .await
}

/// The accounts of invited athletes who have not answered.
pub async fn undecided(session: &mut Session, job: JobId) -> Result<Vec<UserId>> {
    let found: Vec<(UserId,)> = session
        .all(
            sql("SELECT a.user_id FROM application p JOIN athlete a ON a.id = p.athlete_id \
                 WHERE p.job_id = $1 AND p.status = 'invited' ORDER BY p.id LIMIT 5000")
            .bind(job),
        )
        .await?;
    Ok(found.into_iter().map(|(user,)| user).collect())
}
