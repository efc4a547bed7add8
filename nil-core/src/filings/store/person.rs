//! The facts about athletes, agents and institutions that filings need. Other domains write those
//! records.

use sea_query::{Expr, ExprTrait as _, JoinType, Query};
use serde_json::Value;

use crate::accounts::Certification;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, CollegeId, Date, PortalUserId, UserId, zone_or_last};
use crate::storage::{Among as _, FromRow, Session, sql};

/// The facts about an athlete that filings need.
#[derive(Clone, Debug, FromRow)]
pub struct Person {
    pub display_name: String,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub date_of_birth: Option<Date>,
}

/// An athlete of the portal user's institution and sports who has finished registering.
pub async fn of_officer(
    session: &mut Session,
    officer: &PortalUser,
    athlete: AthleteId,
) -> Result<Person> {
    let mut query = Query::select();
    query
        .column(("athlete", "display_name"))
        .columns(["first_name", "last_name"].map(|column| ("app_user", column)))
        .column(("athlete", "date_of_birth"))
        .from("athlete")
        .join(
            JoinType::InnerJoin,
            "app_user",
            Expr::col(("app_user", "id")).equals(("athlete", "user_id")),
        )
        .and_where(Expr::col(("athlete", "id")).eq(athlete.get()))
        .and_where(Expr::col(("athlete", "university_id")).eq(officer.college_id.get()))
        .and_where(Expr::col(("app_user", "status")).is_in(["active", "suspended"]));
    if !officer.sports.is_empty() {
        let sports = officer.sports.iter().map(|sport| sport.get());
        query.and_where(Expr::col(("athlete", "sport_id")).among(sports));
    }
    session.one(query).await
}

/// The athlete, regardless of the institution.
pub async fn find(session: &mut Session, athlete: AthleteId) -> Result<Person> {
    session
        .one(
            sql("SELECT a.display_name, u.first_name, u.last_name, a.date_of_birth \
                 FROM athlete a JOIN app_user u ON u.id = a.user_id WHERE a.id = $1")
            .bind(athlete),
        )
        .await
}

/// The facts about an institution that filings need.
#[derive(Clone, Debug, FromRow)]
pub struct School {
    pub name: String,
    pub time_zone: String,
}

impl School {
    /// The time zone for its days.
    pub fn zone(&self) -> chrono_tz::Tz {
        zone_or_last(Some(&self.time_zone))
    }
}

/// What the platform knows of an agent that belongs in a filing.
#[derive(Clone, Debug, FromRow)]
pub struct AgentOnFile {
    pub name: String,
    pub agency_name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub network_profile_url: Option<String>,
    pub certifications: Value,
}

impl AgentOnFile {
    /// The licences and registrations; none if they cannot be read.
    pub fn licences(&self) -> Vec<Certification> {
        serde_json::from_value(self.certifications.clone()).unwrap_or_default()
    }
}

/// What the platform knows of an agent.
pub async fn agent_on_file(session: &mut Session, agent: AgentId) -> Result<AgentOnFile> {
    session
        .one(
            sql("SELECT TRIM(COALESCE(u.first_name, '') || ' ' || COALESCE(u.last_name, '')) \
                 AS name, g.agency_name, u.email, u.phone, g.network_profile_url, g.certifications \
                 FROM agent g JOIN app_user u ON u.id = g.user_id WHERE g.id = $1")
            .bind(agent),
        )
        .await
}

/// The institution that the athlete belongs to.
pub async fn college_of(session: &mut Session, athlete: AthleteId) -> Result<Option<CollegeId>> {
    session.value(sql("SELECT university_id FROM athlete WHERE id = $1").bind(athlete)).await
}

/// The athlete's account.
pub async fn user_of_athlete(session: &mut Session, athlete: AthleteId) -> Result<UserId> {
    session.value(sql("SELECT user_id FROM athlete WHERE id = $1").bind(athlete)).await
}

/// The agent's account.
pub async fn user_of_agent(session: &mut Session, agent: AgentId) -> Result<UserId> {
    session.value(sql("SELECT user_id FROM agent WHERE id = $1").bind(agent)).await
}

/// The institution.
pub async fn school(session: &mut Session, college: CollegeId) -> Result<School> {
    session.one(sql("SELECT name, time_zone FROM college WHERE id = $1").bind(college)).await
}

/// Whether the agent represents or has represented the athlete.
pub async fn has_represented(
    session: &mut Session,
    agent: AgentId,
    athlete: AthleteId,
) -> Result<bool> {
    session
        .exists(
            sql("SELECT agent_id FROM representation WHERE agent_id = $1 \
                 AND athlete_id = $2 AND accepted_at IS NOT NULL LIMIT 1")
            .bind(agent)
            .bind(athlete),
        )
        .await
}

/// The codes among these that are not a state's.
pub async fn unknown_states(session: &mut Session, codes: &[String]) -> Result<Vec<String>> {
    if codes.is_empty() {
        return Ok(Vec::new());
    }
    let query = Query::select()
        .column("code")
        .from("state")
        .and_where(Expr::col("code").among(codes.iter().map(String::as_str)))
        .take();
    let known: Vec<(String,)> = session.all(query).await?;
    let unknown = codes.iter().filter(|code| !known.iter().any(|(known,)| known == *code));
    Ok(unknown.cloned().collect())
}

/// The name of a portal user.
pub async fn officer_name(session: &mut Session, officer: PortalUserId) -> Result<String> {
    session.value(sql("SELECT name FROM portal_user WHERE id = $1").bind(officer)).await
}
