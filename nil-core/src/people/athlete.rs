//! The facts about athletes that deals, rules and messages need; other domains write these records.

use std::collections::HashMap;

use sea_query::{Expr, Query};

use super::words::{ClassYear, Gender, UserStatus};
use crate::error::{Result, codes};
use crate::kernel::{
    AgentId, AthleteId, BasisPoints, CollegeId, Date, SportId, Time, UserId, zone_or_last,
};
use crate::storage::{Among as _, Asked, FromRow, Session, Together, sql};

/// An athlete as deals see them.
#[derive(Clone, Debug, FromRow)]
pub struct AthleteFacts {
    pub id: AthleteId,
    pub user_id: UserId,
    pub account: UserStatus,
    pub display_name: String,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub email_verified_at: Option<Time>,
    pub available: bool,
    /// Whether strangers can find them.
    pub listed: bool,
    pub gender: Option<Gender>,
    pub class_year: Option<ClassYear>,
    pub date_of_birth: Option<Date>,
    pub hometown_city: Option<String>,
    pub hometown_state: Option<String>,
    pub sport_id: Option<SportId>,
    pub sport_name: Option<String>,
    pub college_id: Option<CollegeId>,
    pub college_name: Option<String>,
    pub college_state: Option<String>,
    pub(crate) time_zone: Option<String>,
    pub guardian_name: Option<String>,
    pub guardian_consented_at: Option<Time>,
    pub agent_id: Option<AgentId>,
    pub agent_user_id: Option<UserId>,
    pub agency_name: Option<String>,
    pub agent_name: Option<String>,
    pub commission_basis_points: Option<BasisPoints>,
    pub followers: i64,
    /// The platforms on which they have an account.
    #[row(skip)]
    pub platforms: Vec<String>,
}

impl AthleteFacts {
    /// The name used in contracts.
    pub fn legal_name(&self) -> String {
        let name = [self.first_name.as_deref(), self.last_name.as_deref()];
        let name: Vec<&str> = name.into_iter().flatten().collect();
        if name.is_empty() { self.display_name.clone() } else { name.join(" ") }
    }

    /// The time zone in which their days end.
    pub fn zone(&self) -> chrono_tz::Tz {
        zone_or_last(self.time_zone.as_deref())
    }
}

const FACTS: &str = "SELECT a.id, a.user_id, u.status AS account, a.display_name, u.first_name, \
     u.last_name, u.email_verified_at, a.available, a.listed, a.gender, a.class_year, a.date_of_birth, \
     a.hometown_city, a.hometown_state, a.sport_id, s.name AS sport_name, a.university_id AS college_id, \
     c.name AS college_name, c.state AS college_state, c.time_zone, g.name AS guardian_name, \
     g.consented_at AS guardian_consented_at, r.agent_id, au.id AS agent_user_id, \
     ag.agency_name, TRIM(COALESCE(au.first_name, '') || ' ' || COALESCE(au.last_name, '')) \
     AS agent_name, r.commission_basis_points, \
     CAST(COALESCE((SELECT SUM(f.followers) FROM athlete_social f WHERE f.athlete_id = a.id), 0) \
     AS BIGINT) AS followers, \
     (SELECT string_agg(f.platform, ',') FROM athlete_social f WHERE f.athlete_id = a.id) AS accounts \
     FROM athlete a JOIN app_user u ON u.id = a.user_id \
     LEFT JOIN sport s ON s.id = a.sport_id LEFT JOIN college c ON c.id = a.university_id \
     LEFT JOIN guardian g ON g.athlete_id = a.id \
     LEFT JOIN representation r ON r.athlete_id = a.id AND r.status = 'active' \
     LEFT JOIN agent ag ON ag.id = r.agent_id LEFT JOIN app_user au ON au.id = ag.user_id \
     WHERE a.id = $1";

/// Locks the athlete until the transaction ends, and keeps their account unchanged: two concurrent
/// hires cannot both pass the exclusivity check. Lock the job and the application before.
pub async fn lock(session: &mut Session, id: AthleteId) -> Result<()> {
    const HELD: &str =
        "SELECT a.id FROM athlete a JOIN app_user u ON u.id = a.user_id WHERE a.id = $1";
    let held = sql(HELD).locking("FOR NO KEY UPDATE OF a FOR SHARE OF u").bind(id);
    session.exists(held).await?.then_some(()).ok_or_else(|| codes::NOT_FOUND.into())
}

/// The facts about an athlete, with the platforms of their accounts.
pub async fn facts(session: &mut Session, id: AthleteId) -> Result<Option<AthleteFacts>> {
    session.answer(|asked| ask_facts(asked, id)).await
}

/// Asks for the facts about an athlete, with the platforms of their accounts.
pub fn ask_facts(asked: &mut Together, id: AthleteId) -> Asked<Option<AthleteFacts>> {
    #[derive(FromRow)]
    struct Found {
        #[row(flatten)]
        facts: AthleteFacts,
        accounts: Option<String>,
    }
    asked.ask(sql(FACTS).bind(id), |found: Vec<Found>| {
        Ok(found.into_iter().next().map(|Found { mut facts, accounts }| {
            let platforms = accounts.iter().flat_map(|accounts| accounts.split(','));
            facts.platforms = platforms.map(str::to_owned).collect();
            facts
        }))
    })
}

/// The accounts of these athletes, for notifications.
pub async fn users(
    session: &mut Session,
    athletes: &[AthleteId],
) -> Result<HashMap<AthleteId, UserId>> {
    if athletes.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<(AthleteId, UserId)> = session
        .all(
            Query::select()
                .columns(["id", "user_id"])
                .from("athlete")
                .and_where(Expr::col("id").among(athletes.iter().map(|id| id.get())))
                .take(),
        )
        .await?;
    Ok(rows.into_iter().collect())
}
