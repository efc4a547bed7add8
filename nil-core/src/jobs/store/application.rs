//! The rows of applications.

use std::sync::LazyLock;

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};

use crate::error::Result;
use crate::jobs::application::{
    Application, ApplicationSource, ApplicationStatus, JOB_CANCELLED, POSITION_FILLED,
};
use crate::kernel::{
    AgentId, ApplicationId, AthleteId, Cents, JobId, Moved, PartnerId, Time, UserId,
};
use crate::storage::{Among as _, Session, advance, insert, sql, update};

pub const COLUMNS: &[&str] = &[
    "id",
    "job_id",
    "athlete_id",
    "agent_id",
    "source",
    "pitch",
    "proposed_amount_cents",
    "status",
    "reason",
    "fbp",
    "fbc",
    "created_at",
    "updated_at",
];

/// The states in which there is at most one application per job and athlete.
const LIVE: &[ApplicationStatus] = &[
    ApplicationStatus::Invited,
    ApplicationStatus::Applicant,
    ApplicationStatus::Hired,
    ApplicationStatus::Confirmed,
    ApplicationStatus::ExtensionRequested,
    ApplicationStatus::CancellationRequested,
    ApplicationStatus::Completed,
];

pub fn words(statuses: &[ApplicationStatus]) -> Vec<&'static str> {
    statuses.iter().map(|status| status.as_str()).collect()
}

fn select() -> SelectStatement {
    Query::select()
        .columns(COLUMNS.iter().map(|column| ("application", *column)))
        .from("application")
        .take()
}

/// The live application of this athlete for this job, locked.
pub async fn live(
    session: &mut Session,
    job: JobId,
    athlete: AthleteId,
) -> Result<Option<Application>> {
    let mut query = select();
    query
        .and_where(Expr::col("job_id").eq(job.get()))
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .and_where(Expr::col("status").among(words(LIVE)))
        .lock(LockType::Update);
    session.first(query).await
}

/// The application, locked, if it is for a job of this brand.
pub async fn lock_of_partner(
    session: &mut Session,
    id: ApplicationId,
    partner: PartnerId,
) -> Result<Application> {
    let job = Query::select()
        .column("id")
        .from("job")
        .and_where(Expr::col("partner_id").eq(partner.get()))
        .take();
    let mut query = select();
    query
        .and_where(Expr::col("id").eq(id.get()))
        .and_where(Expr::col("job_id").in_subquery(job))
        .lock(LockType::Update);
    session.one(query).await
}

/// The application, locked with its athlete, if it is for this job. The athlete's account is kept
/// unchanged. Concurrent hires of the athlete wait, so what is checked of the athlete's
/// contracts stays true. Lock the job before.
pub async fn lock_to_hire(
    session: &mut Session,
    id: ApplicationId,
    job: JobId,
) -> Result<Application> {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let columns: Vec<String> = COLUMNS.iter().map(|name| format!("p.{name}")).collect();
        format!(
            "SELECT {} FROM application p JOIN athlete a ON a.id = p.athlete_id \
             JOIN app_user u ON u.id = a.user_id WHERE p.id = $1 AND p.job_id = $2",
            columns.join(", ")
        )
    });
    let locked = sql(&TEXT).locking("FOR UPDATE OF p FOR NO KEY UPDATE OF a FOR SHARE OF u");
    session.one(locked.bind(id).bind(job)).await
}

/// The application, locked, if it is this athlete's.
pub async fn lock_of_athlete(
    session: &mut Session,
    id: ApplicationId,
    athlete: AthleteId,
) -> Result<Application> {
    let mut query = select();
    query
        .and_where(Expr::col("id").eq(id.get()))
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .lock(LockType::Update);
    session.one(query).await
}

/// The athlete's applications in this state, locked, in the order of their ids.
pub async fn lock_of_in(
    session: &mut Session,
    athlete: AthleteId,
    status: ApplicationStatus,
) -> Result<Vec<ApplicationId>> {
    let rows: Vec<(ApplicationId,)> = session
        .all(
            sql("SELECT id FROM application WHERE athlete_id = $1 AND status = $2 ORDER BY id")
                .locking("FOR UPDATE")
                .bind(athlete)
                .bind(status),
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The application, locked.
pub async fn lock(session: &mut Session, id: ApplicationId) -> Result<Option<Application>> {
    let mut query = select();
    query.and_where(Expr::col("id").eq(id.get())).lock(LockType::Update);
    session.first(query).await
}

/// These applications, locked, in the order of their ids.
pub async fn lock_all(session: &mut Session, ids: &[ApplicationId]) -> Result<Vec<Application>> {
    let mut query = select();
    query
        .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
        .order_by("id", Order::Asc)
        .lock(LockType::Update);
    session.all(query).await
}

/// Whether there is an application of this athlete for this job, in any state.
pub async fn has_applied(session: &mut Session, job: JobId, athlete: AthleteId) -> Result<bool> {
    session
        .exists(
            sql("SELECT id FROM application WHERE job_id = $1 AND athlete_id = $2 LIMIT 1")
                .bind(job)
                .bind(athlete),
        )
        .await
}

/// Whether the brand has already rejected this athlete for the job.
pub async fn was_rejected(session: &mut Session, job: JobId, athlete: AthleteId) -> Result<bool> {
    session
        .exists(
            sql("SELECT id FROM application WHERE job_id = $1 AND athlete_id = $2 \
                 AND status = 'rejected' AND COALESCE(reason, '') NOT IN ($3, $4) LIMIT 1")
            .bind(job)
            .bind(athlete)
            .bind(POSITION_FILLED)
            .bind(JOB_CANCELLED),
        )
        .await
}

/// A new application.
#[derive(Clone, Debug)]
pub struct NewApplication {
    pub job: JobId,
    pub athlete: AthleteId,
    pub agent: Option<AgentId>,
    pub source: ApplicationSource,
    pub pitch: Option<String>,
    pub proposed: Option<Cents>,
    pub status: ApplicationStatus,
}

/// Adds it; a second live one is 409 `already_applied`.
pub async fn add(session: &mut Session, new: &NewApplication, now: Time) -> Result<Application> {
    session
        .one(
            insert("application")
                .set("job_id", new.job)
                .set("athlete_id", new.athlete)
                .set("agent_id", new.agent)
                .set("source", new.source)
                .set("pitch", new.pitch.clone())
                .set("proposed_amount_cents", new.proposed)
                .set("status", new.status)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(COLUMNS),
        )
        .await
}

/// The invited athlete applies.
pub async fn take_up(
    session: &mut Session,
    id: ApplicationId,
    moved: Moved<ApplicationStatus>,
    pitch: Option<String>,
    proposed: Option<Cents>,
    now: Time,
) -> Result<Application> {
    let row = advance("application", id, moved, now)
        .set("pitch", pitch)
        .set("proposed_amount_cents", proposed)
        .returning(COLUMNS);
    session.changed(row).await
}

/// Changes an application's state, and stores the reason if there is one.
pub async fn change(
    session: &mut Session,
    id: ApplicationId,
    moved: Moved<ApplicationStatus>,
    reason: Option<String>,
    now: Time,
) -> Result<Application> {
    let row = advance("application", id, moved, now).given("reason", reason);
    session.changed(row.returning(COLUMNS)).await
}

/// Changes the state of locked applications together.
pub async fn change_these(
    session: &mut Session,
    ids: &[ApplicationId],
    moved: Moved<ApplicationStatus>,
    now: Time,
) -> Result<()> {
    let rows = update("application")
        .set("updated_at", now)
        .change(moved)
        .and(Expr::col("id").among(ids.iter().map(|id| id.get())));
    session.change_all(ids.len(), rows).await
}

/// Stores the hire of a locked application, with the acting agent and the advertisement that led to
/// it.
pub async fn hire(
    session: &mut Session,
    hired: &Application,
    moved: Moved<ApplicationStatus>,
) -> Result<()> {
    let row = advance("application", hired.id, moved, hired.updated_at)
        .set("agent_id", hired.agent_id)
        .set("fbp", hired.attribution.fbp.clone())
        .set("fbc", hired.attribution.fbc.clone());
    session.change_later(row).await
}

/// An application or invitation that waits for an answer.
#[derive(Clone, Copy, Debug, crate::storage::FromRow)]
pub struct Waiting {
    pub id: ApplicationId,
    pub status: ApplicationStatus,
    pub user_id: UserId,
}

/// The applications and invitations of a job that wait for an answer, locked.
pub async fn lock_waiting(session: &mut Session, job: JobId) -> Result<Vec<Waiting>> {
    session
        .all(
            sql("SELECT a.id, a.status, p.user_id FROM application a \
                 JOIN athlete p ON p.id = a.athlete_id \
                 WHERE a.job_id = $1 AND a.status IN ('applicant', 'invited') ORDER BY a.id")
            .locking("FOR UPDATE OF a")
            .bind(job),
        )
        .await
}

/// Changes every application of the job that is in the change's first state.
pub async fn change_all(
    session: &mut Session,
    job: JobId,
    moved: Moved<ApplicationStatus>,
    reason: Option<&'static str>,
    now: Time,
) -> Result<()> {
    let row = update("application")
        .set("updated_at", now)
        .change(moved)
        .when("job_id", job)
        .given("reason", reason);
    session.run(row).await.map(|_| ())
}

/// Whether applicants wait for the brand's decision.
pub async fn has_applicants(session: &mut Session, job: JobId) -> Result<bool> {
    session
        .exists(
            sql("SELECT id FROM application WHERE job_id = $1 AND status = 'applicant' LIMIT 1")
                .bind(job),
        )
        .await
}

/// Which of these athletes have a live application for the job or were rejected by the brand.
pub async fn known_among(
    session: &mut Session,
    job: JobId,
    athletes: &[AthleteId],
) -> Result<Vec<(AthleteId, ApplicationStatus, Option<String>)>> {
    let mut statuses = words(LIVE);
    statuses.push(ApplicationStatus::Rejected.as_str());
    session
        .all(
            Query::select()
                .columns(["athlete_id", "status", "reason"])
                .from("application")
                .and_where(Expr::col("job_id").eq(job.get()))
                .and_where(Expr::col("athlete_id").among(athletes.iter().map(|id| id.get())))
                .and_where(Expr::col("status").among(statuses))
                .order_by("id", Order::Asc)
                .take(),
        )
        .await
}

/// Locks the athletes of these applications to the job, in the order of their ids, so that
/// concurrent bulk hires of the same athletes cannot deadlock.
pub async fn lock_applicants(
    session: &mut Session,
    job: JobId,
    applications: &[ApplicationId],
) -> Result<()> {
    let applicants = Query::select()
        .column("athlete_id")
        .from("application")
        .and_where(Expr::col("job_id").eq(job.get()))
        .and_where(Expr::col("id").among(applications.iter().map(|id| id.get())))
        .take();
    let held = Query::select()
        .column("id")
        .from("athlete")
        .and_where(Expr::col("id").in_subquery(applicants))
        .order_by("id", Order::Asc)
        .lock(LockType::NoKeyUpdate)
        .take();
    let _: Vec<(AthleteId,)> = session.all(held).await?;
    Ok(())
}

/// Whether the athlete has a live application for a job of this brand: then the brand may see them,
/// listed or not. An unanswered invitation does not count. `+` keeps SQLite from reading all jobs
/// of the brand.
pub async fn is_known_to(
    session: &mut Session,
    athlete: AthleteId,
    partner: PartnerId,
) -> Result<bool> {
    session
        .value(
            sql("SELECT EXISTS (SELECT 1 FROM application p JOIN job j ON j.id = p.job_id \
                 WHERE p.athlete_id = $1 AND +j.partner_id = $2 AND p.status IN ('applicant', \
                 'hired', 'confirmed', 'extension_requested', 'cancellation_requested', \
                 'completed'))")
            .bind(athlete)
            .bind(partner),
        )
        .await
}
