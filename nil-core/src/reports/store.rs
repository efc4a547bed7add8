//! The rows of queued exports.

use chrono_tz::Tz;
use schemars::JsonSchema;
use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};
use serde::Serialize;

use super::report::{ExportKind, ExportStatus, ListExports, ReportRow};
use crate::error::Result;
use crate::export::ExportFormat;
use crate::kernel::{
    ByAge, ExportReportId, FollowedPage, Listing, Moved, OperatorId, Time, UserId, zone_or_utc,
};
use crate::ports::objects::ObjectKey;
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{
    FromRow, Key, Narrow as _, Selected as _, Session, advance, contains, insert, sorted, sql,
    update,
};

const TABLE: &str = "export_report";

/// An export to queue.
#[derive(Clone, Debug)]
pub struct NewReport {
    pub code: String,
    pub operator: OperatorId,
    pub kind: ExportKind,
    pub format: ExportFormat,
    pub filters: String,
}

/// Adds an export in the state `queued`, due at once.
pub async fn add(session: &mut Session, new: NewReport, now: Time) -> Result<ReportRow> {
    session
        .one(
            insert(TABLE)
                .set("code", new.code)
                .set("operator_id", Some(new.operator))
                .set("kind", new.kind)
                .set("format", new.format)
                .set("filters", new.filters)
                .set("status", ExportStatus::Queued)
                .set("due_at", now)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(ReportRow::COLUMNS),
        )
        .await
}

/// Adds a takeout in the state `queued`, due at once.
pub async fn add_takeout(
    session: &mut Session,
    code: String,
    user: UserId,
    now: Time,
) -> Result<ReportRow> {
    session
        .one(
            insert(TABLE)
                .set("code", code)
                .set("user_id", Some(user))
                .set("filters", "{}")
                .set("status", ExportStatus::Queued)
                .set("due_at", now)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(ReportRow::COLUMNS),
        )
        .await
}

/// A user's newest takeout.
pub async fn takeout_of(session: &mut Session, user: UserId) -> Result<Option<ReportRow>> {
    let newest = select()
        .and_where(Expr::col("user_id").eq(user.get()))
        .order_by("id", Order::Desc)
        .limit(1)
        .take();
    session.first(newest).await
}

/// Ends the time of a user's takeouts that are ready, because another one takes their place;
/// returns their ids.
pub async fn replace_takeouts(
    session: &mut Session,
    user: UserId,
    now: Time,
) -> Result<Vec<ExportReportId>> {
    const READY: &str = "UPDATE export_report SET expires_at = $1, updated_at = $1 \
        WHERE user_id = $2 AND status = 'ready' AND expires_at > $1 AND object_key IS NOT NULL \
        RETURNING id";
    let rows: Vec<(ExportReportId,)> = session.all(sql(READY).bind(now).bind(user)).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The time zone of the institution of a takeout's owner, UTC for one who has none; nothing if the
/// account is not in use.
pub async fn owners_zone(session: &mut Session, user: UserId) -> Result<Option<Tz>> {
    const ZONE: &str = "SELECT c.time_zone FROM app_user u \
        LEFT JOIN athlete a ON a.user_id = u.id LEFT JOIN fan f ON f.user_id = u.id \
        LEFT JOIN college c ON c.id = COALESCE(a.university_id, f.university_id) \
        WHERE u.id = $1 AND u.status = 'active'";
    let found: Option<(Option<String>,)> = session.first(sql(ZONE).bind(user)).await?;
    Ok(found.map(|(zone,)| zone_or_utc(zone.as_deref())))
}

/// The number of an operator's exports that are not made yet.
pub async fn open(session: &mut Session, operator: OperatorId) -> Result<i64> {
    let open = "SELECT COUNT(*) FROM export_report WHERE operator_id = $1 \
        AND status IN ('queued', 'processing')";
    session.value(sql(open).bind(operator)).await
}

fn select() -> SelectStatement {
    Query::select().columns(ReportRow::COLUMNS.iter().copied()).from(TABLE).take()
}

/// A page of an operator's exports.
pub async fn page_of(
    session: &mut Session,
    operator: OperatorId,
    (wanted, sift): (&ListExports, &ByAge),
    place: FollowedPage,
) -> Result<Listing<ReportRow>> {
    let mut rows = select();
    rows.and_where(Expr::col("operator_id").eq(operator.get()))
        .only("status", wanted.status)
        .cond_where(contains(["kind", "name"].map(Expr::col), sift.words()));
    session.follow(sorted(rows, [Key::of(Expr::col("id"), sift.order())]), place).await
}

/// The export with this code.
pub async fn find(session: &mut Session, code: &str) -> Result<Option<ReportRow>> {
    session.first(select().and_where(Expr::col("code").eq(code)).take()).await
}

/// An export, locked.
pub async fn lock(session: &mut Session, id: ExportReportId) -> Result<Option<ReportRow>> {
    let mut query = select();
    query.and_where(Expr::col("id").eq(id.get())).lock(LockType::Update);
    session.first(query).await
}

/// The export to begin next: of those nobody holds, the one that waits longest. Takeouts only if
/// asked for.
pub async fn next(
    session: &mut Session,
    with_takeouts: bool,
    now: Time,
) -> Result<Option<ExportReportId>> {
    const NEXT: &str = "SELECT id FROM export_report WHERE status IN ('queued', 'processing') \
        AND due_at <= $1 AND (kind IS NOT NULL OR $2) ORDER BY due_at, id LIMIT 1";
    let next = sql(NEXT).bind(now).bind(with_takeouts);
    let row: Option<(ExportReportId,)> = session.first(next).await?;
    Ok(row.map(|(id,)| id))
}

/// Begins an attempt, which writes the object with this key and is held until `until`.
pub async fn begin(
    session: &mut Session,
    row: &ReportRow,
    moved: Moved<ExportStatus>,
    (key, until): (&ObjectKey, Time),
    now: Time,
) -> Result<ReportRow> {
    let step = advance(TABLE, row.id, moved, now)
        .set("attempt", row.attempt + 1)
        .set("rows", 0_i64)
        .set("object_key", key.as_str())
        .set("due_at", until);
    session.one(step.returning(ReportRow::COLUMNS)).await
}

/// Holds an attempt longer and notes its progress; returns whether it still is this attempt's.
pub async fn renew(
    session: &mut Session,
    row: &ReportRow,
    rows: i64,
    until: Time,
    now: Time,
) -> Result<bool> {
    let held = update(TABLE)
        .set("updated_at", now)
        .set("rows", rows)
        .set("due_at", until)
        .when("id", row.id)
        .when("status", ExportStatus::Processing)
        .when("object_key", row.object_key.clone());
    Ok(session.run(held).await? == 1)
}

/// The file of an export.
#[derive(Clone, Debug)]
pub struct Written {
    pub name: String,
    pub size: i64,
    pub rows: i64,
}

/// Makes an export ready.
pub async fn finish(
    session: &mut Session,
    id: ExportReportId,
    moved: Moved<ExportStatus>,
    (written, expires_at): (&Written, Time),
    now: Time,
) -> Result<()> {
    let step = advance(TABLE, id, moved, now)
        .set("name", written.name.clone())
        .set("size", written.size)
        .set("rows", written.rows)
        .set("expires_at", expires_at);
    session.change(step).await
}

/// Ends a failed attempt: the next one is due at `due_at`, or the record is kept until
/// `expires_at`.
pub async fn fail(
    session: &mut Session,
    id: ExportReportId,
    moved: Moved<ExportStatus>,
    (due_at, expires_at): (Time, Option<Time>),
    now: Time,
) -> Result<()> {
    let step = advance(TABLE, id, moved, now)
        .set("object_key", None::<String>)
        .set("due_at", due_at)
        .set("expires_at", expires_at);
    session.change(step).await
}

/// Forgets the file of an export.
pub async fn forget(session: &mut Session, id: ExportReportId, now: Time) -> Result<()> {
    let gone = update(TABLE).set("updated_at", now).set("object_key", None::<String>);
    session.run(gone.when("id", id)).await.map(|_| ())
}

/// Ends the time of every export that is ready; returns their ids.
pub async fn withdraw_ready(session: &mut Session, now: Time) -> Result<Vec<ExportReportId>> {
    const READY: &str = "UPDATE export_report SET expires_at = $1, updated_at = $1 \
        WHERE status = 'ready' AND expires_at > $1 AND object_key IS NOT NULL RETURNING id";
    let rows: Vec<(ExportReportId,)> = session.all(sql(READY).bind(now)).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Puts every export that is being written back into the queue, so that another attempt begins at
/// once. The attempt that is taken from it has not failed, and does not count. Its object stays
/// named, so that the next attempt removes it.
pub async fn overtake(session: &mut Session, moved: Moved<ExportStatus>, now: Time) -> Result<()> {
    let overtaken = update(TABLE)
        .add("attempt", -1_i64)
        .set("due_at", now)
        .set("updated_at", now)
        .change(moved);
    session.run(overtaken).await.map(|_| ())
}

/// Exports whose file is to be deleted, oldest first.
pub async fn over(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<ExportReportId>> {
    const DUE: &str =
        due_ids!("export_report", "expires_at", "expires_at <= $1 AND object_key IS NOT NULL");
    due::ids(session, DUE, now, behind).await
}

/// The number of exports in each state.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ExportCounts {
    /// Waiting for the worker.
    pub queued: i64,
    /// Being written.
    pub processing: i64,
    /// Ready to download.
    pub ready: i64,
    /// Given up, within the last week.
    pub failed: i64,
}

/// The number of exports in each state; those whose time is over do not count.
pub async fn counts(session: &mut Session, now: Time) -> Result<ExportCounts> {
    const COUNTS: &str = "SELECT \
        (SELECT COUNT(*) FROM export_report WHERE status = 'queued' AND kind IS NOT NULL) \
         AS queued, \
        (SELECT COUNT(*) FROM export_report WHERE status = 'processing' AND kind IS NOT NULL) \
         AS processing, \
        (SELECT COUNT(*) FROM export_report WHERE expires_at > $1 AND status = 'ready' AND kind IS NOT NULL) \
         AS ready, \
        (SELECT COUNT(*) FROM export_report WHERE expires_at > $1 AND status = 'failed' AND kind IS NOT NULL) \
         AS failed";
    session.one(sql(COUNTS).bind(now)).await
}
