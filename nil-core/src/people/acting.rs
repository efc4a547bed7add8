//! Who may act for whom: queries about agents, officers and account states for other domains.

use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, CollegeId, PortalUserId, SportId, UserId};
use crate::storage::{Session, sql};

const ACTING: &str =
    "SELECT id FROM representation WHERE athlete_id = $1 AND agent_id = $2 AND status = 'active'";

/// Whether the agent currently represents the athlete.
pub async fn acts_for(session: &mut Session, agent: AgentId, athlete: AthleteId) -> Result<bool> {
    session.exists(sql(ACTING).bind(athlete).bind(agent)).await
}

/// Whether the agent currently represents the athlete. If so, it stays like that until the
/// transaction ends. Take this lock before those of the deal.
pub async fn lock_acting(
    session: &mut Session,
    agent: AgentId,
    athlete: AthleteId,
) -> Result<bool> {
    session.exists(sql(ACTING).locking("FOR SHARE").bind(athlete).bind(agent)).await
}

/// The active officers and owners of an institution's portal with access to this sport.
pub async fn officers(
    session: &mut Session,
    college: CollegeId,
    sport: Option<SportId>,
) -> Result<Vec<PortalUserId>> {
    let rows: Vec<(PortalUserId, Option<serde_json::Value>)> = session
        .all(
            sql("SELECT id, sport_ids FROM portal_user WHERE college_id = $1 \
                 AND role IN ('officer', 'owner') AND status = 'active' ORDER BY id")
            .bind(college),
        )
        .await?;
    let sees = |sports: &Option<serde_json::Value>| {
        let limits = sports.as_ref().and_then(serde_json::Value::as_array);
        limits.is_none_or(|limits| {
            let own = sport.map(SportId::get);
            limits.is_empty() || limits.iter().any(|limit| limit.as_i64() == own && own.is_some())
        })
    };
    Ok(rows.into_iter().filter(|(_, sports)| sees(sports)).map(|(id, _)| id).collect())
}

/// Whether the account is active: neither suspended nor closed.
pub async fn is_in_use(session: &mut Session, user: UserId) -> Result<bool> {
    session
        .exists(sql("SELECT id FROM app_user WHERE id = $1 AND status = 'active'").bind(user))
        .await
}

/// Whether an operator has suspended the account.
pub async fn is_suspended(session: &mut Session, user: UserId) -> Result<bool> {
    session
        .exists(sql("SELECT id FROM app_user WHERE id = $1 AND status = 'suspended'").bind(user))
        .await
}
