//! Lists of applications and jobs, limited to one side of the deals.

use std::collections::HashMap;

use sea_query::{Expr, ExprTrait as _, Func, JoinType, Order, Query, SelectStatement};

use super::application;
use super::search::JOBS;
use crate::auth::Party;
use crate::error::Result;
use crate::jobs::application::{Application, ApplicationStatus};
use crate::jobs::job::{Job, JobStatus};
use crate::kernel::{
    AgeSort, AgentId, ApplicationId, AthleteId, ByAge, FollowedPage, JobId, Listing, Paging,
    PartnerId, Time, Words,
};
use crate::storage::{
    Among as _, Dialect, Found, FromRow, Key, Narrow as _, Selected as _, Session, contains, sorted,
};

/// The caller's side of a deal.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    /// The athlete.
    Athlete(AthleteId),
    /// The brand.
    Partner(PartnerId),
    /// The athlete's agent.
    Agent(AgentId),
}

impl Side {
    /// The side that the caller is on.
    pub fn of(caller: &Party) -> Self {
        match caller {
            Party::Athlete(athlete) => Self::Athlete(athlete.id),
            Party::Partner(partner) => Self::Partner(partner.id),
            Party::Agent(agent) => Self::Agent(agent.id),
        }
    }
}

/// Rows of `table` (with `athlete_id` and `partner_id`) on this side.
pub fn scope(side: &Side, table: &'static str) -> Expr {
    match side {
        Side::Athlete(id) => Expr::col((table, "athlete_id")).eq(id.get()),
        Side::Partner(id) => Expr::col((table, "partner_id")).eq(id.get()),
        Side::Agent(id) => represented(*id, table),
    }
}

/// Rows of athletes whom this agent currently represents.
fn represented(agent: AgentId, table: &'static str) -> Expr {
    let athletes = Query::select()
        .column("athlete_id")
        .from("representation")
        .and_where(Expr::col("agent_id").eq(agent.get()))
        .and_where(Expr::col("status").eq("active"))
        .take();
    Expr::col((table, "athlete_id")).in_subquery(athletes)
}

/// This side's applications with their jobs.
pub(crate) fn of_side(side: &Side) -> SelectStatement {
    let own = match side {
        Side::Athlete(id) => Expr::col(("application", "athlete_id")).eq(id.get()),
        Side::Partner(id) => Expr::col(("job", "partner_id")).eq(id.get()),
        Side::Agent(id) => represented(*id, "application"),
    };
    Query::select()
        .from("application")
        .join(
            JoinType::InnerJoin,
            "job",
            Expr::col(("job", "id")).equals(("application", "job_id")),
        )
        .and_where(own)
        .take()
}

/// The deals to list.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub statuses: Vec<ApplicationStatus>,
    pub job: Option<JobId>,
    pub from: Option<Time>,
    pub before: Option<Time>,
    /// Words of the other side's name in the deal, the job's title or the athlete's, and the order.
    pub sift: ByAge,
}

/// A page of applications.
pub async fn page(
    session: &mut Session,
    side: &Side,
    wanted: &Wanted,
    paging: Paging,
) -> Result<Listing<Application>> {
    let mut rows = applications(side, wanted);
    rows.order_by(("application", "id"), wanted.sift.order());
    session.page(rows, paging).await
}

/// A page of applications that are followed.
pub async fn follow(
    session: &mut Session,
    side: &Side,
    wanted: &Wanted,
    place: FollowedPage,
) -> Result<Listing<Application>> {
    let id = Key::of(Expr::col(("application", "id")), wanted.sift.order());
    session.follow(sorted(applications(side, wanted), [id]), place).await
}

fn applications(side: &Side, wanted: &Wanted) -> SelectStatement {
    const NAME: &str = "(SELECT t.display_name FROM athlete t WHERE t.id = application.athlete_id)";
    let columns = application::COLUMNS.iter().map(|column| ("application", *column));
    let text = match side {
        Side::Athlete(_) | Side::Agent(_) => Expr::col(("job", "title")),
        Side::Partner(_) => Expr::cust(NAME),
    };
    let mut rows = of_side(side);
    rows.columns(columns)
        .only_among(("application", "status"), wanted.statuses.iter().copied())
        .only(("application", "job_id"), wanted.job)
        .only_from(("application", "created_at"), wanted.from)
        .only_before(("application", "created_at"), wanted.before)
        .cond_where(contains([text], wanted.sift.words()));
    rows
}

/// Whether this side has an application to the job.
pub async fn takes_part(session: &mut Session, side: &Side, job: JobId) -> Result<bool> {
    let mut one = of_side(side);
    one.column(("application", "id")).only(("application", "job_id"), Some(job)).limit(1);
    session.exists(one).await
}

/// These jobs, without milestones.
pub async fn jobs(session: &mut Session, ids: &[JobId]) -> Result<Vec<Job>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(
            Query::select()
                .columns(Job::COLUMNS.iter().copied())
                .from("job")
                .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
                .take(),
        )
        .await
}

/// The counts of a job's applications.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct JobCounts {
    pub job_id: JobId,
    pub invited: i64,
    pub applicants: i64,
    pub hired: i64,
}

/// The numbers of invited, applying and hired athletes of each job.
pub async fn job_counts(session: &mut Session, ids: &[JobId]) -> Result<Vec<JobCounts>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let counted = |condition: &str| {
        Expr::cust(format!("CAST(SUM(CASE WHEN {condition} THEN 1 ELSE 0 END) AS BIGINT)"))
    };
    let hired = "status IN ('hired', 'confirmed', 'extension_requested', \
                 'cancellation_requested', 'completed')";
    session
        .all(
            Query::select()
                .column("job_id")
                .expr_as(counted("status = 'invited'"), "invited")
                .expr_as(counted("status = 'applicant'"), "applicants")
                .expr_as(counted(hired), "hired")
                .from("application")
                .and_where(Expr::col("job_id").among(ids.iter().map(|id| id.get())))
                .group_by_col("job_id")
                .take(),
        )
        .await
}

/// The jobs to list.
#[derive(Clone, Copy, Debug, Default)]
pub struct WantedJobs<'a> {
    /// Only this brand's.
    pub partner: Option<PartnerId>,
    pub id: Option<JobId>,
    pub statuses: &'a [JobStatus],
    /// Only those with an open manual review, or only the others.
    pub in_review: Option<bool>,
    /// Words of the title or the description.
    pub q: Option<&'a str>,
    pub sort: Option<AgeSort>,
}

/// Whether a job's manual review is open, as the index `job_in_review` has it.
fn in_review(dialect: Dialect) -> Expr {
    Expr::cust(match dialect {
        Dialect::Sqlite => "json_extract(job.manual_review, '$.status') = 'open'",
        Dialect::Postgres => "job.manual_review ->> 'status' = 'open'",
    })
}

/// A page of jobs: without an order the best match first, and without words the newest. The best matches are not followed: they are ranked, not in an
/// order of values.
pub async fn job_page(
    session: &mut Session,
    wanted: WantedJobs<'_>,
    place: FollowedPage,
) -> Result<Listing<Job>> {
    let (words, sort) = (wanted.q.and_then(Words::of), wanted.sort);
    let dialect = session.dialect();
    let mut rows = Query::select();
    JOBS.find(&mut rows, dialect, words.as_ref());
    rows.columns(Job::COLUMNS.iter().map(|column| ("job", *column)))
        .only(("job", "partner_id"), wanted.partner)
        .only(("job", "id"), wanted.id)
        .only_among(("job", "status"), wanted.statuses.iter().copied());
    match wanted.in_review {
        Some(true) => rows.and_where(in_review(dialect)),
        // Most jobs have no review at all.
        Some(false) => rows.and_where(Func::coalesce([in_review(dialect), Expr::val(false)]).not()),
        None => &mut rows,
    };
    if let (Some(words), None) = (&words, sort) {
        super::search::best_first(&mut rows, dialect, words);
        return session.page(Found::by_words(rows), place.numbered()?).await;
    }
    let order = sort.unwrap_or(AgeSort::Newest).order();
    let id = Key::of(Expr::col(("job", "id")), order);
    session.follow(Found::by_words(rows).sorted([id]), place).await
}

/// The application, regardless of its owner.
pub async fn application(session: &mut Session, id: ApplicationId) -> Result<Application> {
    session
        .one(
            Query::select()
                .columns(application::COLUMNS.iter().copied())
                .from("application")
                .and_where(Expr::col("id").eq(id.get()))
                .take(),
        )
        .await
}

/// The newest application of an athlete for each of these jobs.
pub async fn own_applications(
    session: &mut Session,
    athlete: AthleteId,
    jobs: &[JobId],
) -> Result<HashMap<JobId, Application>> {
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Application> = session
        .all(
            Query::select()
                .columns(application::COLUMNS.iter().copied())
                .from("application")
                .and_where(Expr::col("athlete_id").eq(athlete.get()))
                .and_where(Expr::col("job_id").among(jobs.iter().map(|id| id.get())))
                .order_by("id", Order::Asc)
                .take(),
        )
        .await?;
    Ok(rows.into_iter().map(|row| (row.job_id, row)).collect())
}
