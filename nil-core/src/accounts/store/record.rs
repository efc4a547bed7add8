//! Athletes' track records, callers' relations to them, and their followers.

use sqlx::FromRow;

use crate::accounts::UserKind;
use crate::accounts::profiles::Statistics;
use crate::auth::User;
use crate::error::Result;
use crate::kernel::{AthleteId, FanId, Time};
use crate::storage::{Session, insert, sql};

/// A caller's relation to an athlete.
#[derive(Debug, FromRow)]
#[expect(clippy::struct_excessive_bools, reason = "a row of answers to independent questions")]
pub struct Relation {
    pub email: Option<String>,
    pub phone: Option<String>,
    pub listed: bool,
    /// The account is active.
    pub active: bool,
    /// The calling agent represents the athlete.
    pub represented: bool,
    /// The calling brand has a contract with the athlete.
    pub under_contract: bool,
    /// The athlete has a live application for a job of the calling brand; an unanswered invitation does not
    /// count.
    pub in_touch: bool,
}

/// The caller's relation to an athlete who has finished registering; 404 for other ids.
pub async fn relation(
    session: &mut Session,
    athlete: AthleteId,
    caller: &User,
) -> Result<Relation> {
    let id_as = |kind| {
        if caller.kind == kind { caller.profile_id } else { 0 }
    };
    session
        .one(
            sql("SELECT u.email, u.phone, a.listed, (u.status = 'active') AS active, \
                 EXISTS (SELECT 1 FROM representation r WHERE r.athlete_id = a.id \
                  AND r.agent_id = $2 AND r.status = 'active') AS represented, \
                 EXISTS (SELECT 1 FROM contract c WHERE c.athlete_id = a.id \
                  AND c.partner_id = $3 AND c.status IN ('generated', 'active', 'completed')) \
                  AS under_contract, \
                 EXISTS (SELECT 1 FROM application p JOIN job j ON j.id = p.job_id \
                  WHERE p.athlete_id = a.id AND j.partner_id = $3 \
                  AND p.status IN ('applicant', 'hired', 'confirmed', 'extension_requested', \
                  'cancellation_requested', 'completed')) AS in_touch \
                 FROM athlete a JOIN app_user u ON u.id = a.user_id \
                 WHERE a.id = $1 AND u.status IN ('active', 'suspended')")
            .bind(athlete)
            .bind(id_as(UserKind::Agent))
            .bind(id_as(UserKind::Partner)),
        )
        .await
}

/// An athlete's track record on the platform.
pub async fn statistics(session: &mut Session, athlete: AthleteId) -> Result<Statistics> {
    let categories = session
        .all(
            sql("SELECT k.id AS category_id, k.name, COUNT(*) AS deals FROM contract c \
                 JOIN job j ON j.id = c.job_id JOIN job_category k ON k.id = j.category_id \
                 WHERE c.athlete_id = $1 AND c.status = 'completed' \
                 GROUP BY k.id, k.name ORDER BY COUNT(*) DESC, k.id")
            .bind(athlete),
        )
        .await?;
    let (approved, on_time): (i64, i64) = session
        .one(
            sql("SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN submitted_at <= due_at THEN 1 \
                 ELSE 0 END), 0) AS BIGINT) FROM deliverable \
                 WHERE athlete_id = $1 AND status = 'approved'")
            .bind(athlete),
        )
        .await?;
    let deals_completed = session
        .value(
            sql("SELECT COUNT(*) FROM contract WHERE athlete_id = $1 AND status = 'completed'")
                .bind(athlete),
        )
        .await?;
    Ok(Statistics {
        deals_completed,
        on_time_rate: on_time.saturating_mul(10_000).checked_div(approved),
        categories,
    })
}

/// Records that a fan follows an athlete.
pub async fn follow(
    session: &mut Session,
    fan: FanId,
    athlete: AthleteId,
    now: Time,
) -> Result<()> {
    session
        .run(
            insert("fan_follow")
                .set("fan_id", fan)
                .set("athlete_id", athlete)
                .set("created_at", now)
                .unless_exists(&["fan_id", "athlete_id"]),
        )
        .await
        .map(|_| ())
}

/// Records that a fan no longer follows an athlete.
pub async fn unfollow(session: &mut Session, fan: FanId, athlete: AthleteId) -> Result<()> {
    session
        .run(
            sql("DELETE FROM fan_follow WHERE fan_id = $1 AND athlete_id = $2")
                .bind(fan)
                .bind(athlete),
        )
        .await
        .map(|_| ())
}
