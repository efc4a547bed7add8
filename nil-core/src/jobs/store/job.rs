//! The rows of jobs and their milestones.

use sea_query::{Expr, ExprTrait as _, JoinType, LockType, Order, Query, SelectStatement};
use serde_json::json;

use super::milestone;
use crate::error::Result;
use crate::jobs::content::Content;
use crate::jobs::dates;
use crate::jobs::exported_job::{ExportedJob, ExportedJobs};
use crate::jobs::job::{CloseReason, Job, JobEvent, JobStatus, ManualReview};
use crate::kernel::{
    ApplicationId, BasisPoints, CategoryId, Cents, JobId, Machine as _, Moved, PartnerId, Time,
};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{
    Among as _, FromRow, Narrow as _, Selected as _, Session, Stored as _, advance, insert, scalar,
    sql, update,
};

/// The lock on a job that a decision depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockMode {
    /// Shared: other transactions may also take it, but none can change the job. For applying.
    Shared,
    /// Exclusive. For hiring, editing, closing.
    Alone,
}

fn one(id: JobId) -> SelectStatement {
    by_id(Expr::val(id.get()))
}

fn by_id(id: Expr) -> SelectStatement {
    Query::select()
        .columns(Job::COLUMNS.iter().copied())
        .from("job")
        .and_where(Expr::col("id").eq(id))
        .take()
}

/// The job, without its milestones.
pub async fn find(session: &mut Session, id: JobId) -> Result<Job> {
    session.one(one(id)).await
}

/// The job, locked until the transaction ends.
pub async fn lock(session: &mut Session, id: JobId, mode: LockMode) -> Result<Option<Job>> {
    let lock = match mode {
        LockMode::Shared => LockType::Share,
        LockMode::Alone => LockType::NoKeyUpdate,
    };
    session.first(one(id).lock(lock).take()).await
}

/// This brand's job, locked exclusively; 404 for any other.
pub async fn lock_of(session: &mut Session, id: JobId, partner: PartnerId) -> Result<Job> {
    session.one(held(Expr::val(id.get()), partner)).await
}

fn held(id: Expr, partner: PartnerId) -> SelectStatement {
    let mut query = by_id(id);
    query.and_where(Expr::col("partner_id").eq(partner.get())).lock(LockType::NoKeyUpdate);
    query
}

/// The brand's jobs that can be cancelled, locked exclusively, in the order of their ids.
pub async fn lock_open_of(session: &mut Session, partner: PartnerId) -> Result<Vec<Job>> {
    let open = JobStatus::ALL.iter().filter(|status| status.can(JobEvent::Cancel));
    session
        .all(
            Query::select()
                .columns(Job::COLUMNS.iter().copied())
                .from("job")
                .and_where(Expr::col("partner_id").eq(partner.get()))
                .and_where(Expr::col("status").among(open.map(|status| status.as_str())))
                .order_by("id", Order::Asc)
                .lock(LockType::NoKeyUpdate)
                .take(),
        )
        .await
}

/// The job of an application, locked exclusively, if it is this brand's; 404 for any other.
pub async fn lock_of_application(
    session: &mut Session,
    id: ApplicationId,
    partner: PartnerId,
) -> Result<Job> {
    let job = Query::select()
        .column("job_id")
        .from("application")
        .and_where(Expr::col("id").eq(id.get()))
        .take();
    session.one(held(scalar(job), partner)).await
}

/// Adds the milestones to one job.
pub async fn with_milestones(session: &mut Session, mut job: Job) -> Result<Job> {
    job.milestones = milestone::of_jobs(session, &[job.id]).await?;
    Ok(job)
}

/// Adds a job.
pub async fn add(
    session: &mut Session,
    partner: PartnerId,
    content: &Content,
    status: JobStatus,
    now: Time,
) -> Result<Job> {
    let job: Job = session
        .one(
            insert("job")
                .set("partner_id", partner)
                .with(content.columns())
                .set("filled", 0_i64)
                .set("closes_at", dates::closes_at(content))
                .set("status", status)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(Job::COLUMNS),
        )
        .await?;
    milestone::add_conditions(session, job.id, &content.eligibility).await?;
    milestone::add_all(session, job.id, &content.milestones).await?;
    with_milestones(session, job).await
}

/// Writes a job's content; its status is not changed.
pub async fn rewrite(
    session: &mut Session,
    before: &Job,
    content: &Content,
    now: Time,
) -> Result<()> {
    let row = update("job")
        .with(content.columns())
        .set("closes_at", dates::closes_at(content))
        .set("updated_at", now)
        .when("id", before.id)
        .when("status", before.status);
    session.change(row).await?;
    if before.eligibility != content.eligibility {
        let stale = sql("DELETE FROM job_condition WHERE job_id = $1").bind(before.id);
        session.run(stale).await?;
        milestone::add_conditions(session, before.id, &content.eligibility).await?;
    }
    let kept = Content::from(before).milestones;
    if dates::is_same_work(&kept, &content.milestones) {
        // In place: deliverables of cancelled contracts still refer to them.
        for (milestone, wanted) in before.milestones.iter().zip(&content.milestones) {
            milestone::set_due(session, milestone, wanted.due_on).await?;
        }
    } else {
        let stale = sql("DELETE FROM milestone WHERE job_id = $1").bind(before.id);
        session.run(stale).await?;
        milestone::add_all(session, before.id, &content.milestones).await?;
    }
    Ok(())
}

/// Changes a job's state. A job that is no longer closed has no close reason.
pub async fn change(
    session: &mut Session,
    id: JobId,
    moved: Moved<JobStatus>,
    now: Time,
) -> Result<()> {
    let mut row = advance("job", id, moved, now);
    if moved.from() == JobStatus::Closed {
        row = row.set("close_reason", None::<CloseReason>);
    }
    session.change(row).await
}

/// Closes a job for this reason, and takes as many places.
pub async fn close(
    session: &mut Session,
    id: JobId,
    moved: Moved<JobStatus>,
    (reason, taken): (CloseReason, i64),
    now: Time,
) -> Result<()> {
    let row = advance("job", id, moved, now).add("filled", taken).set("close_reason", reason);
    session.change_later(row).await
}

/// Changes a job's state with an operator's reason.
pub async fn decide(
    session: &mut Session,
    id: JobId,
    moved: Moved<JobStatus>,
    reason: Option<String>,
    now: Time,
) -> Result<()> {
    let row = advance("job", id, moved, now).set("decision_reason", reason);
    session.change(row).await
}

/// Takes (1) or frees (-1) a place. The job must be locked exclusively.
pub async fn count_place(session: &mut Session, id: JobId, by: i64, now: Time) -> Result<()> {
    let row = update("job").add("filled", by).set("updated_at", now).when("id", id);
    session.change_later(row).await
}

/// Stores a request for an operator's review.
pub async fn set_review(
    session: &mut Session,
    id: JobId,
    review: &ManualReview,
    now: Time,
) -> Result<()> {
    let row =
        update("job").set("manual_review", json!(review)).set("updated_at", now).when("id", id);
    session.change(row).await
}

/// Sets the job's own fee rate; none removes it.
pub async fn set_fee(
    session: &mut Session,
    id: JobId,
    fee: Option<BasisPoints>,
    now: Time,
) -> Result<()> {
    let row = update("job").set("fee_basis_points", fee).set("updated_at", now).when("id", id);
    session.change(row).await
}

/// The number of contracts the job has or had, and of those under way.
pub async fn contracts(session: &mut Session, id: JobId) -> Result<Contracts> {
    session
        .one(
            sql("SELECT COUNT(*) AS all_of_them, \
                 CAST(COALESCE(SUM(CASE WHEN status IN ('generated', 'active') THEN 1 ELSE 0 END), 0) \
                      AS BIGINT) AS under_way, \
                 CAST(COALESCE(SUM(CASE WHEN status = 'completed' THEN 1 ELSE 0 END), 0) \
                      AS BIGINT) AS completed \
                 FROM contract WHERE job_id = $1")
            .bind(id),
        )
        .await
}

/// The counts of one job's contracts.
#[derive(Clone, Copy, Debug, crate::storage::FromRow)]
pub struct Contracts {
    pub all_of_them: i64,
    pub under_way: i64,
    pub completed: i64,
}

impl Contracts {
    /// Whether an athlete has the work to do, or has done it.
    pub fn stand(self) -> bool {
        self.under_way + self.completed > 0
    }
}

/// Whether jobs can be put into this category.
pub async fn category_exists(session: &mut Session, id: CategoryId) -> Result<bool> {
    session.exists(sql("SELECT id FROM job_category WHERE id = $1 AND active").bind(id)).await
}

/// The category of jobs with this slug.
pub async fn category_by_slug(session: &mut Session, slug: &str) -> Result<Option<CategoryId>> {
    let found: Option<(CategoryId,)> = session
        .first(sql("SELECT id FROM job_category WHERE slug = $1 AND active").bind(slug))
        .await?;
    Ok(found.map(|(id,)| id))
}

/// The site's rules for jobs.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Rules {
    /// Whether operators must approve new jobs.
    #[row(rename = "job_approval")]
    pub approval: bool,
    /// The least cash that a job may pay.
    pub least_amount_cents: Cents,
}

/// The site's rules for jobs.
pub async fn rules(session: &mut Session) -> Result<Rules> {
    session.one(sql("SELECT job_approval, least_amount_cents FROM site WHERE id = 1")).await
}

/// Open jobs whose application period is over, oldest first.
pub async fn past_deadline(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<JobId>> {
    const DUE: &str = due_ids!("job", "closes_at", "status = 'open' AND closes_at < $1");
    due::ids(session, DUE, now, behind).await
}

/// The next jobs of an export, in the order of their ids; empty after the last one.
pub async fn exported(
    session: &mut Session,
    wanted: &ExportedJobs,
    last: Option<JobId>,
    most: u64,
) -> Result<Vec<ExportedJob>> {
    let mut rows = Query::select();
    rows.expr(Expr::cust(
        "j.id, j.partner_id, b.company_name, j.title, j.kind, j.compensation, j.amount_cents, \
         j.fee_basis_points, j.slots, j.filled, j.status, j.close_reason, j.closes_at, j.starts_on, \
         j.ends_on, j.created_at",
    ))
    .from_as("job", "j")
    .join_as(
        JoinType::InnerJoin,
        "partner",
        "b",
        Expr::col(("b", "id")).equals(("j", "partner_id")),
    )
    .only(("j", "status"), wanted.status)
    .only(("j", "partner_id"), wanted.partner)
    .only_from(("j", "created_at"), wanted.from)
    .only_before(("j", "created_at"), wanted.until)
    .behind([("j", "id")], Order::Asc, last.map(|last| [last.get().into()]))
    .limit(most);
    session.all(rows).await
}
