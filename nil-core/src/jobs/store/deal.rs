//! What deals are listed from, and who is party to them.

use std::collections::HashMap;

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};
use sqlx::FromRow;

use super::application;
use super::search::JOBS;
use crate::auth::{Party, PortalUser};
use crate::error::Result;
use crate::jobs::application::{Application, ApplicationStatus};
use crate::jobs::deals::DealPayment;
use crate::jobs::job::{Job, JobStatus};
use crate::kernel::{
    AgentId, ApplicationId, AthleteId, ContractId, JobId, Listing, Paging, PartnerId, Time, Words,
};
use crate::storage::{Among as _, Found, Narrow as _, Session};

/// Which side of a deal the caller is on.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    Athlete(AthleteId),
    Partner(PartnerId),
    Agent(AgentId),
}

impl Side {
    pub fn of(caller: &Party) -> Self {
        match caller {
            Party::Athlete(athlete) => Self::Athlete(athlete.id),
            Party::Partner(partner) => Self::Partner(partner.id),
            Party::Agent(agent) => Self::Agent(agent.id),
        }
    }
}

/// Rows of `table` (with `athlete_id` and `partner_id`) that are this side's.
pub fn scope(side: &Side, table: &'static str) -> Expr {
    match side {
        Side::Athlete(id) => Expr::col((table, "athlete_id")).eq(id.get()),
        Side::Partner(id) => Expr::col((table, "partner_id")).eq(id.get()),
        Side::Agent(id) => represented(*id, table),
    }
}

/// Rows of athletes whom this agent represents now.
fn represented(agent: AgentId, table: &'static str) -> Expr {
    let athletes = Query::select()
        .column("athlete_id")
        .from("representation")
        .and_where(Expr::col("agent_id").eq(agent.get()))
        .and_where(Expr::col("status").eq("active"))
        .to_owned();
    Expr::col((table, "athlete_id")).in_subquery(athletes)
}

/// Applications with their jobs, this side's only.
fn of_side(side: &Side) -> SelectStatement {
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
        .to_owned()
}

/// Which deals are listed.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub statuses: Vec<ApplicationStatus>,
    pub job: Option<JobId>,
    pub from: Option<Time>,
    pub before: Option<Time>,
}

/// A page of applications, newest first.
pub async fn page(
    session: &mut Session,
    side: &Side,
    wanted: &Wanted,
    paging: Paging,
) -> Result<Listing<Application>> {
    let columns = application::COLUMNS.iter().map(|column| ("application", *column));
    let mut rows = of_side(side);
    rows.columns(columns)
        .only_among(("application", "status"), wanted.statuses.iter().copied())
        .only(("application", "job_id"), wanted.job)
        .only_from(("application", "created_at"), wanted.from)
        .only_before(("application", "created_at"), wanted.before)
        .order_by(("application", "id"), Order::Desc);
    session.page(rows, paging).await
}

/// Whether this side has an application to the job.
pub async fn takes_part(session: &mut Session, side: &Side, job: JobId) -> Result<bool> {
    let mut one = of_side(side);
    one.column(("application", "id")).only(("application", "job_id"), Some(job)).limit(1);
    session.exists(one).await
}

/// How many deals there are in each state.
pub async fn counts(session: &mut Session, side: &Side) -> Result<HashMap<ApplicationStatus, i64>> {
    let mut query = of_side(side);
    query
        .column(("application", "status"))
        .expr(Expr::cust("COUNT(*)"))
        .group_by_col(("application", "status"));
    let rows: Vec<(ApplicationStatus, i64)> = session.all(query).await?;
    Ok(rows.into_iter().collect())
}

/// How many deals wait for this side.
pub async fn waiting(session: &mut Session, side: &Side, now: Time) -> Result<i64> {
    let status = || Expr::col(("application", "status"));
    let work = || Expr::col(("deliverable", "status"));
    let turn = match side {
        Side::Athlete(_) | Side::Agent(_) => {
            let late = Expr::col(("deliverable", "due_at")).lt(now);
            let to_do = work().eq("denied").or(work().eq("pending").and(late));
            status().is_in(["invited", "hired"]).or(has_deliverable(to_do))
        }
        Side::Partner(_) => {
            let unpaid = Expr::cust(
                "deliverable.amount_cents > COALESCE((SELECT SUM(s.amount_cents) \
                 FROM payment_share s JOIN payment p ON p.id = s.payment_id \
                 WHERE s.deliverable_id = deliverable.id AND p.status <> 'failed'), 0)",
            );
            let to_do = work().eq("submitted").or(work().eq("approved").and(unpaid));
            let live = Expr::col(("job", "status")).is_in(["open", "closed"]);
            status()
                .is_in(["extension_requested", "cancellation_requested"])
                .or(status().eq("applicant").and(live))
                .or(has_deliverable(to_do))
        }
    };
    let mut query = of_side(side);
    query.expr(Expr::cust("COUNT(*)")).and_where(turn);
    session.value(query).await
}

/// The application's contract has such a deliverable.
fn has_deliverable(which: Expr) -> Expr {
    let own = Expr::col(("contract", "application_id")).equals(("application", "id"));
    Expr::exists(
        Query::select()
            .expr(Expr::cust("1"))
            .from("deliverable")
            .join(
                JoinType::InnerJoin,
                "contract",
                Expr::col(("contract", "id")).equals(("deliverable", "contract_id")),
            )
            .and_where(own)
            .and_where(which)
            .to_owned(),
    )
}

/// These jobs, without milestones.
pub async fn jobs(session: &mut Session, ids: &[JobId]) -> Result<Vec<Job>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(
            Query::select()
                .columns(super::job::COLUMNS.iter().copied())
                .from("job")
                .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
                .to_owned(),
        )
        .await
}

/// The payments under these contracts, oldest first.
pub async fn payments(session: &mut Session, contracts: &[ContractId]) -> Result<Vec<DealPayment>> {
    if contracts.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(
            Query::select()
                .columns([
                    "id",
                    "number",
                    "contract_id",
                    "amount_cents",
                    "fee_cents",
                    "total_cents",
                    "refunded_cents",
                    "status",
                    "paid_at",
                    "created_at",
                ])
                .from("payment")
                .and_where(Expr::col("contract_id").among(contracts.iter().map(|id| id.get())))
                .order_by("id", Order::Asc)
                .to_owned(),
        )
        .await
}

/// A job's applications, counted.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct JobCounts {
    pub job_id: JobId,
    pub invited: i64,
    pub applicants: i64,
    pub hired: i64,
}

/// How many are invited, apply and are hired, job by job.
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
                .to_owned(),
        )
        .await
}

/// A page of a brand's jobs (or, without one, of everybody's), newest first.
pub async fn job_page(
    session: &mut Session,
    partner: Option<PartnerId>,
    id: Option<JobId>,
    statuses: &[JobStatus],
    q: Option<&str>,
    paging: Paging,
) -> Result<Listing<Job>> {
    let words = q.and_then(Words::of);
    let dialect = session.dialect();
    let mut rows = Query::select();
    JOBS.find(&mut rows, dialect, words.as_ref());
    rows.columns(super::job::COLUMNS.iter().map(|column| ("job", *column)))
        .only(("job", "partner_id"), partner)
        .only(("job", "id"), id)
        .only_among(("job", "status"), statuses.iter().copied());
    if let Some(words) = &words {
        super::search::best_first(&mut rows, dialect, words);
    } else {
        rows.order_by(("job", "id"), Order::Desc);
    }
    session.page(Found::by_words(rows), paging).await
}

/// The application, whoever's it is.
pub async fn application(session: &mut Session, id: ApplicationId) -> Result<Option<Application>> {
    session
        .first(
            Query::select()
                .columns(application::COLUMNS.iter().copied())
                .from("application")
                .and_where(Expr::col("id").eq(id.get()))
                .to_owned(),
        )
        .await
}

/// The newest application of an athlete for a job, if the portal user may see it: an athlete's contract
/// belongs to the institution it was made at, whatever has no contract to the one they are at.
pub async fn newest_of_college(
    session: &mut Session,
    caller: &PortalUser,
    athlete: AthleteId,
    job: JobId,
) -> Result<Option<Application>> {
    let college = caller.college_id.get();
    let contracts = || Query::select().column("application_id").from("contract").to_owned();
    let ours = contracts().and_where(Expr::col("college_id").eq(college)).to_owned();
    let mut own = Query::select()
        .column("id")
        .from("athlete")
        .and_where(Expr::col("id").eq(athlete.get()))
        .to_owned();
    if !caller.sports.is_empty() {
        let sports = caller.sports.iter().map(|sport| sport.get());
        own.and_where(Expr::col("sport_id").among(sports));
    }
    let here = own.clone().and_where(Expr::col("university_id").eq(college)).to_owned();
    let id = || Expr::col("id");
    let whose = || Expr::col("athlete_id");
    let without = whose().in_subquery(here).and(id().not_in_subquery(contracts()));
    session
        .first(
            Query::select()
                .columns(application::COLUMNS.iter().copied())
                .from("application")
                .and_where(Expr::col("job_id").eq(job.get()))
                .and_where(whose().in_subquery(own))
                .and_where(id().in_subquery(ours).or(without))
                .order_by("id", Order::Desc)
                .limit(1)
                .to_owned(),
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
                .to_owned(),
        )
        .await?;
    Ok(rows.into_iter().map(|row| (row.job_id, row)).collect())
}
