//! Dates that are near, and reminders already sent.

use chrono_tz::Tz;

use crate::error::Result;
use crate::kernel::{DeliverableId, JobId, Time, UserId, zone_or_utc};
use crate::notifications::{Event, due_unreminded, unreminded};
use crate::schedule::due::{Behind, Page};
use crate::storage::{FromRow, Session, sql};

/// Deliverables of contracts under way that are not yet submitted, are due in this span, and have
/// no reminder of this event for their date.
pub async fn due_between(
    session: &mut Session,
    event: Event,
    span: (Time, Time),
    behind: Behind,
) -> Result<Page<DeliverableId>> {
    const DUE: &str = due_unreminded!(
        "deliverable d JOIN contract c ON c.id = d.contract_id",
        "d.due_at",
        "d.id",
        "d.status IN ('pending', 'denied') AND c.status = 'active'"
    );
    unreminded(session, DUE, event, span, behind).await
}

/// Open jobs whose application period ends in this span and that have no reminder for it.
pub async fn closing_between(
    session: &mut Session,
    span: (Time, Time),
    behind: Behind,
) -> Result<Page<JobId>> {
    const DUE: &str = due_unreminded!("job j", "j.closes_at", "j.id", "j.status = 'open'");
    unreminded(session, DUE, Event::JobClosingSoon, span, behind).await
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

/// The accounts of invited athletes who have not answered, with the time zones of their
/// institutions.
pub async fn undecided(session: &mut Session, job: JobId) -> Result<Vec<(UserId, Tz)>> {
    let found: Vec<(UserId, Option<String>)> = session
        .all(
            sql("SELECT a.user_id, c.time_zone FROM application p \
                 JOIN athlete a ON a.id = p.athlete_id \
                 LEFT JOIN college c ON c.id = a.university_id \
                 WHERE p.job_id = $1 AND p.status = 'invited' ORDER BY p.id LIMIT 5000")
            .bind(job),
        )
        .await?;
    Ok(found.into_iter().map(|(user, zone)| (user, zone_or_utc(zone.as_deref()))).collect())
}
