//! The rows of disclosed jobs.

use sea_query::{Expr, ExprTrait as _, JoinType, LockType, Order, Query, SelectStatement};
use serde_json::json;

use crate::auth::PortalUser;
use crate::content::Viewer;
use crate::disclosures::content::Content;
use crate::disclosures::disclosed_job::{
    DisclosedJob, DisclosedJobStatus, ListForCollege, NamedDisclosedJob, kept_until,
};
use crate::disclosures::exported_disclosure::{ExportedDisclosure, ExportedDisclosures};
use crate::error::Result;
use crate::institutions::{Breach, DealFlag};
use crate::kernel::{
    AgentId, AthleteId, CollegeId, Date, DisclosedJobId, FileId, FollowedPage, Listing, Moved,
    SportId, Time,
};
use crate::notifications::{Event, due_unreminded, unreminded};
use crate::people::{of_sports, with_athletes};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{
    Columns, Key, Narrow as _, Selected as _, Session, advance, insert, sorted, sql, update, whose,
};

/// The owner of disclosed jobs.
#[derive(Clone, Copy, Debug)]
pub enum Owner {
    /// The athlete's own.
    Athlete(AthleteId),
    /// Those of the athletes an agent represents.
    Agent(AgentId),
}

fn select() -> SelectStatement {
    Query::select()
        .columns(DisclosedJob::COLUMNS.iter().map(|column| ("disclosed_job", *column)))
        .from("disclosed_job")
        .take()
}

/// Reads disclosed jobs with names; the athletes are joined already.
fn named(query: &mut SelectStatement) {
    query
        .columns(DisclosedJob::COLUMNS.iter().map(|column| ("disclosed_job", *column)))
        .expr_as(Expr::col(("athlete", "display_name")), "athlete_name")
        .expr_as(Expr::col(("job_category", "name")), "category_name")
        .join(
            JoinType::InnerJoin,
            "job_category",
            Expr::col(("job_category", "id")).equals(("disclosed_job", "category_id")),
        );
}

/// Narrows a query of a table's rows of athletes to those of an owner.
pub(super) fn owned_by(query: &mut SelectStatement, table: &'static str, owner: Owner) {
    let column = Expr::col((table, "athlete_id"));
    match owner {
        Owner::Athlete(athlete) => query.and_where(column.eq(athlete.get())),
        Owner::Agent(agent) => {
            let represented = Query::select()
                .column("athlete_id")
                .from("representation")
                .and_where(Expr::col("agent_id").eq(agent.get()))
                .and_where(Expr::col("status").eq("active"))
                .take();
            query.and_where(column.in_subquery(represented))
        }
    };
}

/// The disclosed job, locked, if it has this owner.
pub async fn lock_of(
    session: &mut Session,
    id: DisclosedJobId,
    owner: Owner,
) -> Result<DisclosedJob> {
    let mut query = select();
    query.and_where(Expr::col(("disclosed_job", "id")).eq(id.get()));
    owned_by(&mut query, "disclosed_job", owner);
    query.lock(LockType::Update);
    session.one(query).await
}

/// The current disclosed job.
pub async fn find(session: &mut Session, id: DisclosedJobId) -> Result<DisclosedJob> {
    let mut query = select();
    query.and_where(Expr::col(("disclosed_job", "id")).eq(id.get()));
    session.one(query).await
}

/// The disclosed job, locked, without a check of permissions. For the worker.
pub async fn lock(session: &mut Session, id: DisclosedJobId) -> Result<Option<DisclosedJob>> {
    let mut query = select();
    query.and_where(Expr::col(("disclosed_job", "id")).eq(id.get())).lock(LockType::Update);
    session.first(query).await
}

/// The disclosed jobs that the worker looks at by now: whether they are kept for longer.
pub async fn looked_at(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<DisclosedJobId>> {
    const DUE: &str = due_ids!("disclosed_job", "kept_until", "kept_until <= $1");
    due::ids(session, DUE, now, behind).await
}

/// Sets when the worker looks at it again.
pub async fn look_again(session: &mut Session, id: DisclosedJobId, at: Time) -> Result<()> {
    session.change(update("disclosed_job").set("kept_until", at).when("id", id)).await
}

/// Removes the row of a disclosed job that is purged; its clearance goes first. A trigger takes it
/// out of the figures.
pub async fn remove(session: &mut Session, id: DisclosedJobId) -> Result<()> {
    session.run(sql("DELETE FROM disclosed_job WHERE id = $1").bind(id)).await.map(|_| ())
}

/// The disclosed job, locked, if the portal user may see it. Drafts are only visible to the
/// athlete.
pub async fn lock_of_college(
    session: &mut Session,
    id: DisclosedJobId,
    officer: &PortalUser,
) -> Result<DisclosedJob> {
    let mut query = select();
    query.and_where(Expr::col(("disclosed_job", "id")).eq(id.get()));
    seen_by(&mut query, officer);
    query.lock_with_tables(LockType::Update, ["disclosed_job"]);
    session.one(query).await
}

/// The disclosed job, without a lock, if the portal user may see it. Drafts are only visible to the
/// athlete.
pub async fn find_for_college(
    session: &mut Session,
    id: DisclosedJobId,
    officer: &PortalUser,
) -> Result<NamedDisclosedJob> {
    let mut query = Query::select().from("disclosed_job").take();
    query.and_where(Expr::col(("disclosed_job", "id")).eq(id.get()));
    seen_by(&mut query, officer);
    named(&mut query);
    session.one(query).await
}

fn seen_by(query: &mut SelectStatement, officer: &PortalUser) {
    within(query, officer.college_id, &officer.sports);
}

fn within(query: &mut SelectStatement, college: CollegeId, sports: &[SportId]) {
    with_athletes(query, "disclosed_job");
    query
        .and_where(Expr::col(("disclosed_job", "college_id")).eq(college.get()))
        .and_where(handed_in())
        .only_among(("athlete", "sport_id"), sports.iter().copied());
}

/// The institution never saw a disclosure that was withdrawn before it was submitted.
fn handed_in() -> Expr {
    Expr::col(("disclosed_job", "first_submitted_at")).is_not_null()
}

/// Drafts that must be disclosed in this span and have no reminder of this event for their date.
pub async fn drafts_due_between(
    session: &mut Session,
    event: Event,
    span: (Time, Time),
    behind: Behind,
) -> Result<Page<DisclosedJobId>> {
    const DUE: &str = due_unreminded!("disclosed_job d", "d.due_at", "d.id", "d.status = 'draft'");
    unreminded(session, DUE, event, span, behind).await
}

/// A page of an owner's disclosed jobs, newest first.
pub async fn page_of(
    session: &mut Session,
    owner: Owner,
    statuses: &[DisclosedJobStatus],
    place: FollowedPage,
) -> Result<Listing<DisclosedJob>> {
    let mut rows = select();
    owned_by(&mut rows, "disclosed_job", owner);
    rows.only_among(("disclosed_job", "status"), statuses.iter().copied());
    session.follow(sorted(rows, [Key::down(Expr::col(("disclosed_job", "id")))]), place).await
}

/// A page of the disclosed jobs that a portal user may see, newest first.
pub async fn page_for(
    session: &mut Session,
    officer: &PortalUser,
    wanted: &ListForCollege,
    place: FollowedPage,
) -> Result<Listing<NamedDisclosedJob>> {
    let athletes = || wanted.athlete_ids.iter().flatten().copied();
    let college = whose(("disclosed_job", "college_id"), athletes().next().is_some());
    let mut rows = Query::select().from("disclosed_job").take();
    rows.and_where(college.eq(officer.college_id.get()))
        .and_where(handed_in())
        .only_among(("disclosed_job", "status"), wanted.statuses.iter().flatten().copied())
        .only_among(("disclosed_job", "athlete_id"), athletes())
        .only_among(("disclosed_job", "category_id"), wanted.category_ids.iter().flatten().copied())
        .only_from(("disclosed_job", "signed_on"), wanted.from)
        .only_up_to(("disclosed_job", "signed_on"), wanted.to);
    let sports = [&*officer.sports, wanted.sport_ids.as_deref().unwrap_or_default()];
    let found = of_sports(rows, "disclosed_job", sports, named);
    session.follow(found.sorted([Key::down(Expr::col(("disclosed_job", "id")))]), place).await
}

/// The next disclosed jobs that a portal user may see and that count, signed within these days, in
/// the order of their ids; empty after the last one.
pub async fn signed_within(
    session: &mut Session,
    officer: &PortalUser,
    (from, to): (Date, Date),
    last: Option<DisclosedJobId>,
    most: u64,
) -> Result<Vec<DisclosedJob>> {
    let mut rows = select();
    seen_by(&mut rows, officer);
    rows.and_where(Expr::col(("disclosed_job", "status")).ne(DisclosedJobStatus::Withdrawn))
        .only_from(("disclosed_job", "signed_on"), Some(from))
        .only_up_to(("disclosed_job", "signed_on"), Some(to))
        .behind([("disclosed_job", "id")], Order::Asc, last.map(|last| [last.get().into()]))
        .limit(most);
    session.all(rows).await
}

/// The results of checking the content when it was written.
#[derive(Clone, Debug)]
pub struct Findings {
    pub breaches: Vec<Breach>,
    pub flags: Vec<DealFlag>,
    pub due_at: Time,
}

fn written(content: &Content, findings: &Findings) -> Columns {
    Columns::default()
        .set("payer_name", content.payer_name.clone())
        .set("payer_parent", content.payer_parent.clone())
        .set("payer_kind", content.payer_kind)
        .set("title", content.title.clone())
        .set("category_id", content.category_id)
        .set("amount_cents", content.amount_cents)
        .set("benefits_cents", content.benefits_cents)
        .set("contingent_cents", content.contingent_cents)
        .set("compensation", content.compensation)
        .set("signed_on", content.signed_on)
        .set("starts_on", content.starts_on)
        .set("ends_on", content.ends_on)
        .set("description", content.description.clone())
        .set("associated_entity", content.associated_entity)
        .set("uses_marks", content.uses_marks)
        .set("attestations", json!(content.attestations))
        .set("breaches", json!(findings.breaches))
        .set("flags", json!(findings.flags))
        .set("due_at", findings.due_at)
}

/// Adds a draft.
pub async fn add(
    session: &mut Session,
    (athlete, college): (AthleteId, CollegeId),
    content: &Content,
    findings: &Findings,
    prepared_by: &str,
    now: Time,
) -> Result<DisclosedJob> {
    let row = insert("disclosed_job")
        .with(written(content, findings))
        .set("athlete_id", athlete)
        .set("college_id", college)
        .set("file_ids", json!([]))
        .set("prepared_by", prepared_by)
        .set("status", DisclosedJobStatus::Draft)
        .set("kept_until", kept_until(now))
        .set("created_at", now)
        .set("updated_at", now)
        .returning(DisclosedJob::COLUMNS);
    session.one(row).await
}

/// Changes the disclosure, guarded by the state that was read.
pub async fn rewrite(
    session: &mut Session,
    job: &DisclosedJob,
    content: &Content,
    findings: &Findings,
    now: Time,
) -> Result<()> {
    let row = update("disclosed_job")
        .with(written(content, findings))
        .set("updated_at", now)
        .when("id", job.id)
        .when("status", job.status);
    session.change(row).await
}

/// Sets its files.
pub async fn set_files(session: &mut Session, id: DisclosedJobId, files: &[FileId]) -> Result<()> {
    session.change(update("disclosed_job").set("file_ids", json!(files)).when("id", id)).await
}

/// Whether the viewer may see it.
pub async fn is_shown_to(
    session: &mut Session,
    viewer: &Viewer,
    id: DisclosedJobId,
) -> Result<bool> {
    let mut query = select();
    query.and_where(Expr::col(("disclosed_job", "id")).eq(id.get()));
    match viewer {
        Viewer::Athlete(athlete) => owned_by(&mut query, "disclosed_job", Owner::Athlete(*athlete)),
        Viewer::Agent(agent) => owned_by(&mut query, "disclosed_job", Owner::Agent(*agent)),
        Viewer::College(college, sports) => within(&mut query, *college, sports),
        Viewer::Partner(_) | Viewer::Fan(_) => return Ok(false),
    }
    let found: Option<DisclosedJob> = session.first(query).await?;
    Ok(found.is_some())
}

/// Submits it: stores when and by whom.
pub async fn submit(
    session: &mut Session,
    job: &DisclosedJob,
    moved: Moved<DisclosedJobStatus>,
    submitted_by: &str,
    now: Time,
) -> Result<()> {
    session
        .change(
            advance("disclosed_job", job.id, moved, now)
                .set("submitted_by", submitted_by)
                .set("first_submitted_at", job.first_submitted_at.unwrap_or(now))
                .set("submitted_at", now),
        )
        .await
}

/// Withdraws it.
pub async fn withdraw(
    session: &mut Session,
    id: DisclosedJobId,
    moved: Moved<DisclosedJobStatus>,
    now: Time,
) -> Result<()> {
    session.change(advance("disclosed_job", id, moved, now)).await
}

/// Stores the decision, its maker and its reason.
pub async fn decide(
    session: &mut Session,
    id: DisclosedJobId,
    moved: Moved<DisclosedJobStatus>,
    (by, note): (&str, Option<&str>),
    now: Time,
) -> Result<()> {
    session
        .change(
            advance("disclosed_job", id, moved, now)
                .set("decided_by", by)
                .set("decision_note", note)
                .set("decided_at", now),
        )
        .await
}

/// The next disclosed jobs of an export, in the order of their ids; empty after the last one.
pub async fn exported(
    session: &mut Session,
    wanted: &ExportedDisclosures,
    last: Option<DisclosedJobId>,
    most: u64,
) -> Result<Vec<ExportedDisclosure>> {
    let mut rows = Query::select();
    rows.expr(Expr::cust(
        "d.id, d.athlete_id, a.display_name AS athlete_name, d.college_id, c.name AS college_name, \
         d.title, d.payer_name, d.payer_kind, d.associated_entity, d.amount_cents, d.signed_on, \
         d.status, d.first_submitted_at, d.due_at, d.decided_at, d.created_at",
    ))
    .from_as("disclosed_job", "d");
    for (table, alias, of) in [("athlete", "a", "athlete_id"), ("college", "c", "college_id")] {
        let on = Expr::col((alias, "id")).equals(("d", of));
        rows.join_as(JoinType::InnerJoin, table, alias, on);
    }
    rows.only(("d", "status"), wanted.status)
        .only(("d", "athlete_id"), wanted.athlete)
        .only_from(("d", "created_at"), wanted.from)
        .only_before(("d", "created_at"), wanted.until)
        .behind([("d", "id")], Order::Asc, last.map(|last| [last.get().into()]))
        .limit(most);
    session.all(rows).await
}
