//! Callers' relations to athletes, and athletes' followers.

use std::sync::LazyLock;

use crate::accounts::UserKind;
use crate::auth::User;
use crate::error::Result;
use crate::kernel::{AthleteId, FanId, Time};
use crate::storage::{FromRow, Session, insert, sql};

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
    /// The athlete has a live application for a job of the calling brand; an unanswered invitation
    /// does not count.
    pub in_touch: bool,
}

/// The columns of [`Relation`] beside an athlete `a` and their account `u`. `$2` and `$3` are the
/// calling brand and agent ([`sides`]). `+` hides a column from SQLite's planner, which knows
/// nothing of how many rows there are: it would read all contracts and jobs of the brand, where an
/// athlete has few.
pub const RELATION: &str = "u.email, u.phone, a.listed, (u.status = 'active') AS active, \
    EXISTS (SELECT 1 FROM representation x WHERE x.athlete_id = a.id AND x.agent_id = $3 \
      AND x.status = 'active') AS represented, \
    EXISTS (SELECT 1 FROM contract c WHERE c.athlete_id = a.id AND +c.partner_id = $2 \
      AND c.status IN ('generated', 'active', 'completed')) AS under_contract, \
    EXISTS (SELECT 1 FROM application n JOIN job j ON j.id = n.job_id WHERE n.athlete_id = a.id \
      AND +j.partner_id = $2 AND n.status IN ('applicant', 'hired', 'confirmed', \
      'extension_requested', 'cancellation_requested', 'completed')) AS in_touch";
/// The athlete `$1`, if they have finished registering.
pub const REGISTERED: &str = "a.id = $1 AND u.status IN ('active', 'suspended')";

/// The calling brand and the calling agent, of which one at most is not 0.
pub fn sides(caller: &User) -> [i64; 2] {
    let id_as = |kind| if caller.kind == kind { caller.profile_id } else { 0 };
    [id_as(UserKind::Partner), id_as(UserKind::Agent)]
}

/// The caller's relation to an athlete who has finished registering; 404 for other ids.
pub async fn relation(
    session: &mut Session,
    athlete: AthleteId,
    caller: &User,
) -> Result<Relation> {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT {RELATION} FROM athlete a JOIN app_user u ON u.id = a.user_id WHERE {REGISTERED}"
        )
    });
    let [partner, agent] = sides(caller);
    session.one(sql(&TEXT).bind(athlete).bind(partner).bind(agent)).await
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
