//! The facts about athletes that disclosures need; other domains write these records.

use std::collections::HashMap;

use crate::error::Result;
use crate::kernel::{
    AgentId, AthleteId, CategoryId, CollegeId, Date, DisclosedJobId, SportId, UserId, zone_or_last,
};
use crate::storage::{FromRow, Session, sql};

/// The facts about an athlete.
#[derive(Clone, Debug, FromRow)]
pub struct Person {
    pub id: AthleteId,
    pub user_id: UserId,
    pub display_name: String,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub date_of_birth: Option<Date>,
    pub sport_id: Option<SportId>,
    pub college_id: Option<CollegeId>,
    pub college_name: Option<String>,
    pub college_short_name: Option<String>,
    pub time_zone: Option<String>,
    pub visa: Option<crate::institutions::VisaStatus>,
    pub agent_id: Option<AgentId>,
    pub agent_user_id: Option<UserId>,
}

impl Person {
    /// The name on documents.
    pub fn legal_name(&self) -> String {
        let parts = [self.first_name.as_deref(), self.last_name.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        parts.join(" ")
    }

    /// The time zone in which their days end.
    pub fn zone(&self) -> chrono_tz::Tz {
        zone_or_last(self.time_zone.as_deref())
    }
}

/// The facts about the athletes that a condition names.
macro_rules! person {
    ($condition:literal) => {
        concat!("SELECT a.id, a.user_id, a.display_name, u.first_name, u.last_name, \
     a.date_of_birth, a.sport_id, a.university_id AS college_id, c.name AS college_name, \
     c.short_name AS college_short_name, c.time_zone, v.status AS visa, g.id AS agent_id, g.user_id AS agent_user_id \
     FROM athlete a JOIN app_user u ON u.id = a.user_id \
     LEFT JOIN college c ON c.id = a.university_id \
     LEFT JOIN athlete_visa v ON v.athlete_id = a.id \
     LEFT JOIN representation r ON r.athlete_id = a.id AND r.status = 'active' \
     LEFT JOIN agent g ON g.id = r.agent_id WHERE ", $condition)
    };
}

/// The facts about an athlete, without a lock.
pub async fn find(session: &mut Session, athlete: AthleteId) -> Result<Person> {
    session.one(sql(person!("a.id = $1")).bind(athlete)).await
}

/// The facts about the athletes who have a disclosed job at an institution from one id to another.
pub async fn of_disclosed(
    session: &mut Session,
    college: CollegeId,
    (first, last): (DisclosedJobId, DisclosedJobId),
) -> Result<HashMap<AthleteId, Person>> {
    const PERSONS: &str = person!(
        "a.id IN (SELECT w.athlete_id FROM disclosed_job w \
         WHERE w.college_id = $1 AND w.id BETWEEN $2 AND $3)"
    );
    let found = sql(PERSONS).bind(college).bind(first).bind(last);
    let found: Vec<Person> = session.all(found).await?;
    Ok(found.into_iter().map(|person| (person.id, person)).collect())
}

/// Locks an athlete, so that concurrent transactions cannot add up their deals.
pub async fn lock(session: &mut Session, athlete: AthleteId) -> Result<()> {
    session.lock("athlete", athlete).await
}

/// Slug and name of an active category of jobs.
pub async fn category(
    session: &mut Session,
    category: CategoryId,
) -> Result<Option<(String, String)>> {
    session
        .first(sql("SELECT slug, name FROM job_category WHERE id = $1 AND active").bind(category))
        .await
}

/// Slug and name of every category of jobs, active or not.
pub async fn categories(session: &mut Session) -> Result<HashMap<CategoryId, (String, String)>> {
    let rows: Vec<(CategoryId, String, String)> =
        session.all(sql("SELECT id, slug, name FROM job_category")).await?;
    Ok(rows.into_iter().map(|(id, slug, name)| (id, (slug, name))).collect())
}
