//! Finds entries of the audit trail.

use chrono::TimeDelta;
use schemars::JsonSchema;
use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};
use serde::Serialize;

use super::audit::{AuditEntry, ENTRY};
use crate::error::Result;
use crate::kernel::{AgeSort, AuditId, Feed, FollowedPage, Limit, Listing, Time};
use crate::storage::{Key, Narrow as _, Session, contains, sorted, sql};

/// The most entries that one search looks at, unless an index leads to them.
const AT_ONCE: i64 = 20_000;

/// An entry has the instant at which its operation began, and gets its id when that ends: never so
/// much later.
const LONGEST: TimeDelta = TimeDelta::hours(2);

/// The entries to find.
#[derive(Clone, Debug, Default)]
pub struct WantedEntries {
    /// Only those before this one.
    pub before: Option<AuditId>,
    #[doc(hidden)]
    pub actor: Option<String>,
    #[doc(hidden)]
    pub operation: Option<String>,
    #[doc(hidden)]
    pub action: Option<String>,
    #[doc(hidden)]
    pub subject_kind: Option<String>,
    #[doc(hidden)]
    pub subject_id: Option<i64>,
    #[doc(hidden)]
    pub from: Option<Time>,
    #[doc(hidden)]
    pub until: Option<Time>,
    /// Part of the actor, the operation, the action or the kind of record.
    pub q: Option<String>,
}

/// How far a search in pages has looked; beside `pagination`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Reach {
    /// The `before_id` that continues the search with older entries; null if it has looked at all
    /// of them.
    pub next_before_id: Option<i64>,
    /// Whether `total` counts every entry that matches. Otherwise it counts those among the entries
    /// looked at.
    pub total_is_exact: bool,
}

/// The text in which words are looked for: one, because folding each would take its time.
const TEXT: &str = "a.actor || ' ' || a.operation || ' ' || a.action || ' ' || a.subject_kind";

fn select(wanted: &WantedEntries) -> SelectStatement {
    let mut rows = Query::select();
    rows.expr(Expr::cust(ENTRY))
        .from_as("audit_entry", "a")
        .only(("a", "actor"), wanted.actor.as_deref())
        .only(("a", "operation"), wanted.operation.as_deref())
        .only(("a", "action"), wanted.action.as_deref())
        .only(("a", "subject_kind"), wanted.subject_kind.as_deref())
        .only(("a", "subject_id"), wanted.subject_id)
        .only_from(("a", "at"), wanted.from)
        .only_before(("a", "at"), wanted.until)
        .only_before(("a", "id"), wanted.before)
        .cond_where(contains([Expr::cust(TEXT)], wanted.q.as_deref()));
    rows
}

/// The next entries in the order of their ids; empty after the last one.
pub async fn after(
    session: &mut Session,
    wanted: &WantedEntries,
    last: Option<AuditId>,
    most: u64,
) -> Result<Vec<AuditEntry>> {
    let mut rows = select(wanted);
    rows.behind([("a", "id")], Order::Asc, last.map(|last| [last.get().into()])).limit(most);
    session.all(rows).await
}

/// The newest entries, of at most [`AT_ONCE`]; the feed continues where the search stopped.
pub async fn search(
    session: &mut Session,
    wanted: &WantedEntries,
    limit: Limit,
) -> Result<Feed<AuditEntry>> {
    let Reached { mut rows, older, .. } = within_reach(session, wanted, None).await?;
    rows.order_by(("a", "id"), Order::Desc)
        .limit(u64::try_from(limit.and_one()).unwrap_or_default());
    let mut found = Feed::new(session.all(rows).await?, limit, |entry: &AuditEntry| entry.id.get());
    if found.pagination.next_before_id.is_none() {
        found.pagination.next_before_id = older;
    }
    Ok(found)
}

/// A page of the entries among the newest [`AT_ONCE`]. A page after a row is among those that were
/// the newest when the list was begun: reading it adds entries itself.
pub async fn page(
    session: &mut Session,
    wanted: &WantedEntries,
    sort: AgeSort,
    place: FollowedPage,
) -> Result<Listing<AuditEntry, Reach>> {
    let Reached { rows, end, older } = within_reach(session, wanted, place.ended()).await?;
    let rows = sorted(rows, [Key::of(Expr::col(("a", "id")), sort.order())]);
    let page = session.follow(rows, place.ending(end)).await?;
    Ok(page.with(Reach { next_before_id: older, total_is_exact: older.is_none() }))
}

/// The entries that one search looks at.
struct Reached {
    rows: SelectStatement,
    /// The id before which they are.
    end: i64,
    /// The id before which the search continues, if older ones remain.
    older: Option<i64>,
}

/// Selects the entries that one search looks at, all before the id at which it `ended` earlier.
async fn within_reach(
    session: &mut Session,
    wanted: &WantedEntries,
    ended: Option<i64>,
) -> Result<Reached> {
    let (first, end) = bounds(session, wanted).await?;
    let before = wanted.before.map(AuditId::get);
    let end = [before, ended].into_iter().flatten().fold(end, Ord::min);
    // The entries about one record are in an index.
    let has_index = wanted.subject_kind.is_some() && wanted.subject_id.is_some();
    let lowest = if has_index { first } else { Ord::max(first, end - AT_ONCE) };
    let mut rows = select(wanted);
    rows.and_where(Expr::col(("a", "id")).gte(lowest)).and_where(Expr::col(("a", "id")).lt(end));
    Ok(Reached { rows, end, older: (lowest > first).then_some(lowest) })
}

/// The ids between which entries of the wanted days are: from the first to before the second.
async fn bounds(session: &mut Session, wanted: &WantedEntries) -> Result<(i64, i64)> {
    const BEFORE: &str =
        "SELECT id FROM audit_entry WHERE at < $1 ORDER BY at DESC, id DESC LIMIT 1";
    const AFTER: &str = "SELECT id FROM audit_entry WHERE at >= $1 ORDER BY at, id LIMIT 1";
    const LAST: &str = "SELECT id FROM audit_entry ORDER BY id DESC LIMIT 1";
    let mut first = 1;
    if let Some(from) = wanted.from {
        let found: Option<(i64,)> = session.first(sql(BEFORE).bind(from - LONGEST)).await?;
        first = found.map_or(first, |(id,)| id);
    }
    if let Some(until) = wanted.until {
        let found: Option<(i64,)> = session.first(sql(AFTER).bind(until + LONGEST)).await?;
        if let Some((id,)) = found {
            return Ok((first, id));
        }
    }
    let last: Option<(i64,)> = session.first(sql(LAST)).await?;
    Ok((first, last.map_or(1, |(id,)| id + 1)))
}
