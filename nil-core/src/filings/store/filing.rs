//! The rows of filings.

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};
use serde_json::json;

use crate::auth::PortalUser;
use crate::content::Viewer;
use crate::error::Result;
use crate::filings::content::Content;
use crate::filings::filing::{Filing, FilingSort, ListFilings};
use crate::filings::filing_status::FilingStatus;
use crate::kernel::{
    AthleteId, CollegeId, FileId, FilingId, FollowedPage, Listing, Moved, RepresentationId,
    SportId, Time, Words,
};
use crate::people::{of_sports, with_athletes};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{Columns, Key, Narrow as _, Session, advance, insert, sql, update, whose};

pub(super) const TABLE: &str = "athlete_agent_filing";

const COLUMNS: &[&str] = &[
    "id",
    "college_id",
    "athlete_id",
    "agent_id",
    "representation_id",
    "particulars",
    "file_ids",
    "signed_on",
    "notice_due_at",
    "cancellation_ends_at",
    "status",
    "version",
    "filed_by",
    "submitted_by",
    "first_submitted_at",
    "submitted_at",
    "decision_note",
    "decided_by",
    "decided_at",
    "created_at",
    "updated_at",
];

fn select() -> SelectStatement {
    let mut query = Query::select().from(TABLE).take();
    with_athletes(&mut query, TABLE);
    read(&mut query);
    query
}

/// Reads the columns of a filing; the athletes are joined already.
fn read(query: &mut SelectStatement) {
    query
        .columns(COLUMNS.iter().map(|column| (TABLE, *column)))
        .expr_as(Expr::col(("athlete", "display_name")), "athlete_name")
        .column(("athlete", "sport_id"));
}

/// Limits a query to what an institution's portal user may see: the own institution, the user's
/// sports, nothing deleted.
fn within(query: &mut SelectStatement, college: CollegeId, sports: &[SportId]) {
    query
        .and_where(Expr::col((TABLE, "college_id")).eq(college.get()))
        .and_where(kept())
        .only_among(("athlete", "sport_id"), sports.iter().copied());
}

fn kept() -> Expr {
    Expr::col((TABLE, "status")).ne(FilingStatus::Deleted.as_str())
}

fn one_for(officer: &PortalUser, id: FilingId) -> SelectStatement {
    let mut query = select();
    query.and_where(Expr::col((TABLE, "id")).eq(id.get()));
    within(&mut query, officer.college_id, &officer.sports);
    query
}

/// The filing, if the portal user may see it.
pub async fn find_for(session: &mut Session, officer: &PortalUser, id: FilingId) -> Result<Filing> {
    session.one(one_for(officer, id)).await
}

/// The filing, locked, if the portal user may see it.
pub async fn lock_for(session: &mut Session, officer: &PortalUser, id: FilingId) -> Result<Filing> {
    let mut query = one_for(officer, id);
    query.lock_with_tables(LockType::Update, [TABLE]);
    session.one(query).await
}

/// The filing, locked, without a check of permissions. For the worker.
pub async fn lock(session: &mut Session, id: FilingId) -> Result<Option<Filing>> {
    let mut query = select();
    query
        .and_where(Expr::col((TABLE, "id")).eq(id.get()))
        .lock_with_tables(LockType::Update, [TABLE]);
    session.first(query).await
}

/// The newest filing about a representation that is not deleted, locked, if the condition holds for
/// it.
pub async fn lock_newest(
    session: &mut Session,
    representation: RepresentationId,
    condition: Expr,
) -> Result<Filing> {
    let mut query = of_representation(representation);
    query
        .and_where(condition)
        .order_by((TABLE, "id"), Order::Desc)
        .limit(1)
        .lock_with_tables(LockType::Update, [TABLE]);
    session.one(query).await
}

/// The filings about a representation that are neither deleted nor closed, locked in the order of
/// their ids.
pub async fn lock_of_representation(
    session: &mut Session,
    representation: RepresentationId,
) -> Result<Vec<Filing>> {
    let mut query = of_representation(representation);
    query
        .and_where(Expr::col((TABLE, "status")).ne(FilingStatus::Terminated.as_str()))
        .order_by((TABLE, "id"), Order::Asc)
        .lock_with_tables(LockType::Update, [TABLE]);
    session.all(query).await
}

fn of_representation(id: RepresentationId) -> SelectStatement {
    let mut query = select();
    query
        .and_where(Expr::col((TABLE, "representation_id")).eq(id.get()))
        .and_where(Expr::col((TABLE, "status")).ne(FilingStatus::Deleted.as_str()));
    query
}

/// Whether the institution has a filing that was drafted for this representation.
pub async fn is_drafted(
    session: &mut Session,
    representation: RepresentationId,
    college: CollegeId,
) -> Result<bool> {
    session
        .exists(
            sql("SELECT id FROM athlete_agent_filing WHERE representation_id = $1 \
                 AND college_id = $2")
            .bind(representation)
            .bind(college),
        )
        .await
}

/// Writes which representation a draft was made for.
pub async fn set_representation(
    session: &mut Session,
    id: FilingId,
    representation: RepresentationId,
) -> Result<()> {
    let row = update(TABLE).set("representation_id", representation).when("id", id);
    session.change(row).await
}

/// Filings that ended at this instant or before: deleted, or terminated.
pub async fn ended_by(
    session: &mut Session,
    until: Time,
    behind: Behind,
) -> Result<Page<FilingId>> {
    const ENDED: &str = due_ids!(
        "athlete_agent_filing",
        "COALESCE(deleted_at, decided_at)",
        "status IN ('terminated', 'deleted') AND COALESCE(deleted_at, decided_at) <= $1"
    );
    due::ids(session, ENDED, until, behind).await
}

/// Removes the row of a filing that is purged; its versions go first.
pub async fn remove(session: &mut Session, id: FilingId) -> Result<()> {
    let row = sql("DELETE FROM athlete_agent_filing WHERE id = $1");
    session.run(row.bind(id)).await.map(|_| ())
}

/// Whether the viewer may see it.
pub(crate) async fn is_shown_to(
    session: &mut Session,
    viewer: &Viewer,
    id: FilingId,
) -> Result<bool> {
    let Viewer::College(college, sports) = viewer else {
        return Ok(false);
    };
    let mut query = select();
    query.and_where(Expr::col((TABLE, "id")).eq(id.get()));
    within(&mut query, *college, sports);
    let found: Option<Filing> = session.first(query).await?;
    Ok(found.is_some())
}

/// Whether a notice was late, or is missing after its deadline at `now`.
fn late(now: Time) -> Expr {
    let due = || Expr::col((TABLE, "notice_due_at"));
    let given = |column: &'static str| {
        let given = Expr::col((TABLE, column));
        given.if_null(Expr::val(now)).gt(due())
    };
    let one = given("agent_noticed_at").or(given("athlete_noticed_at"));
    due().is_not_null().and(one)
}

fn narrow(query: &mut SelectStatement, wanted: &ListFilings, now: Time) {
    query
        .only_among((TABLE, "athlete_id"), wanted.athlete_ids.iter().flatten().copied())
        .only_among((TABLE, "status"), wanted.statuses.iter().flatten().copied())
        .only_from((TABLE, "signed_on"), wanted.from)
        .only_up_to((TABLE, "signed_on"), wanted.to);
    match wanted.late {
        Some(true) => query.and_where(late(now)),
        Some(false) => query.and_where(late(now).not()),
        None => query,
    };
    let words = wanted.q.as_deref().and_then(Words::of);
    for word in words.iter().flat_map(Words::folded) {
        // Letters and digits only: nothing in a word means anything to LIKE.
        query.and_where(Expr::col((TABLE, "search_text")).like(format!("%{word}%")));
    }
}

/// What filings are sorted by; those without the date come last.
fn keys(by: FilingSort) -> Vec<Key> {
    let id = || Expr::col((TABLE, "id"));
    let dated = |column: &'static str, order| {
        vec![Key::of(Expr::col((TABLE, column)), order).nulls_last(), Key::down(id())]
    };
    let named =
        |order| vec![Key::of(Expr::col(("athlete", "display_name")), order), Key::down(id())];
    match by {
        FilingSort::Newest => vec![Key::down(id())],
        FilingSort::Oldest => vec![Key::up(id())],
        FilingSort::DueUp => dated("notice_due_at", Order::Asc),
        FilingSort::DueDown => dated("notice_due_at", Order::Desc),
        FilingSort::SignedUp => dated("signed_on", Order::Asc),
        FilingSort::SignedDown => dated("signed_on", Order::Desc),
        FilingSort::AthleteUp => named(Order::Asc),
        FilingSort::AthleteDown => named(Order::Desc),
    }
}

/// A page of the filings the portal user may see.
pub async fn page_for(
    session: &mut Session,
    officer: &PortalUser,
    wanted: &ListFilings,
    (place, now): (FollowedPage, Time),
) -> Result<Listing<Filing>> {
    let few_athletes = wanted.athlete_ids.iter().flatten().next().is_some();
    let mut rows = Query::select().from(TABLE).take();
    rows.and_where(whose((TABLE, "college_id"), few_athletes).eq(officer.college_id.get()))
        .and_where(kept());
    narrow(&mut rows, wanted, now);
    let sports = [&*officer.sports, wanted.sport_ids.as_deref().unwrap_or_default()];
    let found = of_sports(rows, TABLE, sports, read);
    let keys = keys(wanted.sort.unwrap_or(FilingSort::Newest));
    session.follow(found.sorted(keys), place).await
}

fn written(content: &Content) -> Columns {
    Columns::default()
        .set("agent_id", content.agent_id)
        .set("particulars", json!(content.particulars))
        .set("search_text", content.search_text.clone())
        .set("signed_on", content.clocks.signed_on)
        .set("notice_due_at", content.clocks.notice_due_at)
        .set("cancellation_ends_at", content.clocks.cancellation_ends_at)
        .set("agent_noticed_at", content.particulars.notices.agent_at)
        .set("athlete_noticed_at", content.particulars.notices.athlete_at)
}

/// Adds a draft; returns its id.
pub async fn add(
    session: &mut Session,
    (college, athlete): (CollegeId, AthleteId),
    content: &Content,
    filed_by: &str,
    now: Time,
) -> Result<FilingId> {
    let row = insert(TABLE)
        .with(written(content))
        .set("college_id", college)
        .set("athlete_id", athlete)
        .set("file_ids", json!([]))
        .set("status", FilingStatus::Draft)
        .set("version", 1_i64)
        .set("filed_by", filed_by)
        .set("created_at", now)
        .set("updated_at", now)
        .returning(&["id"]);
    session.value(row).await
}

/// Sets the ids of its files.
pub async fn set_files(session: &mut Session, id: FilingId, files: &[FileId]) -> Result<()> {
    let row = update(TABLE).set("file_ids", json!(files)).when("id", id);
    session.change(row).await
}

/// Writes the content as the next version, if status and version are still those that were read.
pub async fn rewrite(
    session: &mut Session,
    filing: &Filing,
    content: &Content,
    now: Time,
) -> Result<()> {
    let row = update(TABLE)
        .with(written(content))
        .set("version", filing.version + 1)
        .set("updated_at", now)
        .when("id", filing.id)
        .when("status", filing.status)
        .when("version", filing.version);
    session.change(row).await
}

/// Submits it: writes the status, the time and the submitter. The caller writes the content and
/// raises the version.
pub async fn submit(
    session: &mut Session,
    id: FilingId,
    moved: Moved<FilingStatus>,
    (by, first): (&str, Option<Time>),
    now: Time,
) -> Result<()> {
    let row = advance(TABLE, id, moved, now)
        .set("submitted_by", by)
        .set("first_submitted_at", first.unwrap_or(now))
        .set("submitted_at", now);
    session.change(row).await
}

/// Writes a decision with its author and note, as the next version.
pub async fn decide(
    session: &mut Session,
    filing: &Filing,
    moved: Moved<FilingStatus>,
    (by, note): (&str, Option<&str>),
    now: Time,
) -> Result<()> {
    let row = advance(TABLE, filing.id, moved, now)
        .set("version", filing.version + 1)
        .set("decided_by", by)
        .set("decision_note", note)
        .set("decided_at", now)
        .when("version", filing.version);
    session.change(row).await
}

/// Marks it as deleted, as its last version.
pub async fn delete(
    session: &mut Session,
    filing: &Filing,
    moved: Moved<FilingStatus>,
    now: Time,
) -> Result<()> {
    let row = advance(TABLE, filing.id, moved, now)
        .set("version", filing.version + 1)
        .set("deleted_at", now)
        .when("version", filing.version);
    session.change(row).await
}

/// Undecided filings with a missing notice that is due between these times, and without a reminder
/// for that date.
pub async fn due_between(
    session: &mut Session,
    from: Time,
    until: Time,
    behind: Behind,
) -> Result<Page<FilingId>> {
    let found: Vec<(Time, FilingId)> = session
        .all(
            sql("SELECT notice_due_at, id FROM athlete_agent_filing \
                 WHERE notice_due_at >= $1 AND notice_due_at < $2 \
                 AND (notice_due_at, id) > ($3, $4) \
                 AND status IN ('draft', 'submitted', 'returned') \
                 AND (agent_noticed_at IS NULL OR athlete_noticed_at IS NULL) \
                 AND (reminded_of IS NULL OR reminded_of <> notice_due_at) \
                 ORDER BY notice_due_at, id LIMIT 500")
            .bind(from)
            .bind(until)
            .bind(behind.at)
            .bind(behind.id),
        )
        .await?;
    Ok(found.into())
}

/// Records the reminder for this due date; returns whether there was none before.
pub async fn mark_reminded(session: &mut Session, id: FilingId, due_at: Time) -> Result<bool> {
    let told = Expr::col("reminded_of");
    let row = update(TABLE)
        .set("reminded_of", due_at)
        .when("id", id)
        .when("notice_due_at", due_at)
        .and(told.clone().is_null().or(told.ne(Expr::val(due_at))));
    Ok(session.run(row).await? > 0)
}
