//! The rows of differences between the processor's statement and ours.

use sea_query::{Expr, Query};

use super::difference_record;
use super::statement::Span;
use crate::error::Result;
use crate::kernel::{
    ByAge, FollowedPage, Listing, Machine as _, Moved, ProcessorDifferenceId, Time,
};
use crate::payments::reconciliation::difference::{
    DifferenceEvent, DifferenceStatus, ListDifferences, ProcessorDifference,
};
use crate::payments::reconciliation::judging::Finding;
use crate::storage::{
    FromRow, Key, Narrow as _, Selected as _, Session, Stored as _, Update, contains, insert,
    sorted, sql, update,
};

/// What is known of a difference that is found again.
#[derive(Clone, Debug, FromRow)]
struct Known {
    id: ProcessorDifferenceId,
    status: DifferenceStatus,
    detail: String,
}

/// Writes that a difference was found; returns whether it is new, or open again.
pub async fn found(session: &mut Session, what: Finding, now: Time) -> Result<bool> {
    let known: Option<Known> = session
        .first(
            sql("SELECT id, status, detail FROM processor_difference \
                 WHERE kind = $1 AND about = $2")
            .bind(what.kind)
            .bind(what.about.clone()),
        )
        .await?;
    let Some(known) = known else {
        return add(session, what, now).await;
    };
    let event = match known.status {
        DifferenceStatus::Gone => Some(DifferenceEvent::Return),
        DifferenceStatus::Settled if known.detail != what.detail => Some(DifferenceEvent::Reopen),
        DifferenceStatus::Settled | DifferenceStatus::Open => None,
    };
    let moved = event.map(|event| known.status.on(event)).transpose()?;
    let again = update("processor_difference")
        .with(what.columns())
        .set("last_found_at", now)
        .set("gone_at", None::<Time>)
        .when("id", known.id);
    let again = match moved {
        Some(moved) => reopened(again, moved, now),
        None => again.when("status", known.status),
    };
    session.change(again).await?;
    Ok(event.is_some())
}

fn reopened(row: Update, moved: Moved<DifferenceStatus>, now: Time) -> Update {
    row.change(moved)
        .set("found_at", now)
        .set("settled_at", None::<Time>)
        .set("settled_by", None::<String>)
        .set("note", None::<String>)
}

/// Writes a new difference. False if another comparison has written it meanwhile.
async fn add(session: &mut Session, what: Finding, now: Time) -> Result<bool> {
    let row = insert("processor_difference")
        .with(what.columns())
        .set("status", DifferenceStatus::Open)
        .set("found_at", now)
        .set("last_found_at", now)
        .unless_exists(&["kind", "about"]);
    Ok(session.run(row).await? > 0)
}

/// Writes that the differences of a span that a comparison did not find have gone. Requests without
/// a line are looked for only until `late`. Returns how many were open.
pub async fn vanish(
    session: &mut Session,
    (from, until): Span,
    late: Time,
    now: Time,
) -> Result<u64> {
    macro_rules! gone {
        ($set:literal, $status:literal) => {
            sql(concat!(
                "UPDATE processor_difference SET ",
                $set,
                "gone_at = $1 WHERE status = ",
                $status,
                " AND gone_at IS NULL AND at >= $2 AND at < $3 AND last_found_at < $1 \
                 AND (kind <> 'unknown_there' OR at < $4)"
            ))
            .bind(now)
            .bind(from)
            .bind(until)
            .bind(late)
        };
    }
    let moved = DifferenceStatus::Open.on(DifferenceEvent::Vanish)?;
    let open = gone!("status = $5, ", "$6").bind(moved.to()).bind(moved.from());
    let vanished = session.run(open).await?;
    session.run(gone!("", "$5").bind(DifferenceStatus::Settled)).await?;
    Ok(vanished)
}

/// How many are open, up to 10,001, and since when the oldest is.
pub async fn open(session: &mut Session) -> Result<(i64, Option<Time>)> {
    let open = "SELECT (SELECT COUNT(*) FROM (SELECT 1 AS one FROM processor_difference \
        WHERE status = 'open' LIMIT 10001) waiting), \
        (SELECT MIN(found_at) FROM processor_difference WHERE status = 'open')";
    session.one(sql(open)).await
}

/// The oldest that are open.
pub async fn oldest_open(session: &mut Session, most: u64) -> Result<Vec<ProcessorDifference>> {
    let mut rows = Query::select();
    rows.columns(ProcessorDifference::COLUMNS.iter().copied())
        .from("processor_difference")
        .and_where(Expr::cust("status = 'open'"))
        .order_by("found_at", sea_query::Order::Asc)
        .order_by("id", sea_query::Order::Asc)
        .limit(most);
    let mut oldest = session.all(rows).await?;
    difference_record::add(session, &mut oldest).await?;
    Ok(oldest)
}

/// A difference.
pub async fn find(session: &mut Session, id: ProcessorDifferenceId) -> Result<ProcessorDifference> {
    let mut row = Query::select();
    row.columns(ProcessorDifference::COLUMNS.iter().copied())
        .from("processor_difference")
        .only("id", Some(id));
    let mut found: ProcessorDifference = session.one(row).await?;
    difference_record::add(session, std::slice::from_mut(&mut found)).await?;
    Ok(found)
}

/// A difference, locked until the transaction ends.
pub async fn locked(
    session: &mut Session,
    id: ProcessorDifferenceId,
) -> Result<ProcessorDifference> {
    session.lock("processor_difference", id).await?;
    find(session, id).await
}

/// Writes that an operator has settled a difference.
pub async fn settle(
    session: &mut Session,
    id: ProcessorDifferenceId,
    moved: Moved<DifferenceStatus>,
    (by, note): (&str, &str),
    now: Time,
) -> Result<()> {
    let row = update("processor_difference")
        .change(moved)
        .set("settled_at", now)
        .set("settled_by", by)
        .set("note", note)
        .when("id", id);
    session.change(row).await
}

/// A page of differences.
pub async fn page(
    session: &mut Session,
    wanted: &ListDifferences,
    (from, until): (Option<Time>, Option<Time>),
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<ProcessorDifference>> {
    let mut rows = Query::select();
    rows.columns(ProcessorDifference::COLUMNS.iter().copied())
        .from("processor_difference")
        .only("status", wanted.status.one())
        .only("kind", wanted.kind)
        .only_from("found_at", from)
        .only_before("found_at", until)
        .cond_where(contains(["key", "line_id", "source", "detail"].map(Expr::col), sift.words()));
    let rows = sorted(rows, [Key::of(Expr::col("id"), sift.order())]);
    let mut listing: Listing<ProcessorDifference> = session.follow(rows, place).await?;
    difference_record::add(session, &mut listing.items).await?;
    Ok(listing)
}
