//! The pages of the inbox, and the numbers of its items.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::auth::PortalUser;
use crate::error::Result;
use crate::figures::late;
use crate::inbox::item::{Alike, AssignedTo, InboxGroup, InboxItem, Wanted};
use crate::kernel::{FollowedPage, Listing, Time};
use crate::storage::{Found, Key, Narrow as _, Session};

/// A column of the view.
pub(super) fn own(column: &'static str) -> Expr {
    Expr::col(("d", column))
}

/// A column of what officers did about it.
pub(super) fn done(column: &'static str) -> Expr {
    Expr::col(("m", column))
}

/// One of three values by the group of the item.
fn by_group(now: Time, [of_late, of_waiting, of_due]: [Expr; 3]) -> Expr {
    Expr::case(late(now), of_late)
        .case(own("waiting_since").is_not_null(), of_waiting)
        .finally(of_due)
        .into()
}

/// The group of the item.
pub(super) fn group(now: Time) -> Expr {
    by_group(now, [InboxGroup::Late, InboxGroup::Waiting, InboxGroup::Due].map(Expr::val))
}

/// Whether it is hidden by now.
fn snoozed(now: Time) -> Expr {
    let hidden = by_group(now, [Expr::val(false), Expr::val(true), Expr::val(true)]);
    Expr::case(done("snoozed_until").gt(now), hidden).finally(Expr::val(false)).into()
}

/// All that the caller may see of the view, with the athlete as `a`.
pub(super) fn of_caller(caller: &PortalUser) -> SelectStatement {
    let mut query = Query::select();
    query
        .from_as("college_inbox", "d")
        .join_as(JoinType::InnerJoin, "athlete", "a", Expr::cust("a.id = d.athlete_id"))
        .join_as(
            JoinType::LeftJoin,
            "inbox_item",
            "m",
            Expr::cust("m.kind = d.kind AND m.record_id = d.record_id"),
        )
        .and_where(own("college_id").eq(caller.college_id.get()))
        .only_among(("a", "sport_id"), caller.sports.iter().copied());
    query
}

/// The items of every kind, snoozed or not.
fn select(wanted: &Wanted) -> SelectStatement {
    let mut query = of_caller(&wanted.caller);
    query.only_among(("a", "sport_id"), wanted.sports.iter().copied());
    match wanted.assigned {
        None => {}
        Some(AssignedTo::Me) => {
            query.and_where(done("assigned_to").eq(wanted.caller.id.get()));
        }
        Some(AssignedTo::Nobody) => {
            query.and_where(done("assigned_to").is_null());
        }
        Some(AssignedTo::User(id)) => {
            query.and_where(done("assigned_to").eq(id.get()));
        }
    }
    let shown =
        late(wanted.now).or(own("waiting_since").is_not_null()).or(own("due_at").lt(wanted.until));
    query.and_where(shown);
    query
}

/// A page of the inbox out of so many items: what is late, what waits, what is due, each in the
/// order of time.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    total: i64,
    place: FollowedPage,
) -> Result<Listing<InboxItem>> {
    let now = wanted.now;
    let mut rows = select(wanted);
    rows.only_among(("d", "kind"), wanted.kinds.iter().copied())
        .join_as(JoinType::LeftJoin, "sport", "s", Expr::cust("s.id = a.sport_id"))
        .join_as(JoinType::LeftJoin, "portal_user", "u", Expr::cust("u.id = m.assigned_to"));
    if !wanted.snoozed {
        rows.and_where(snoozed(now).not());
    }
    let columns = [
        "kind",
        "title",
        "counterparty",
        "athlete_id",
        "status",
        "flags",
        "amount_cents",
        "due_at",
    ];
    for column in columns {
        rows.expr_as(own(column), column);
    }
    for column in ["snoozed_until", "reminded_at"] {
        rows.expr_as(done(column), column);
    }
    rows.expr_as(own("record_id"), "id")
        .expr_as(group(now), "group")
        .expr_as(own("waiting_since"), "since")
        .expr_as(Expr::col(("a", "display_name")), "athlete_name")
        .expr_as(Expr::col(("a", "sport_id")), "sport_id")
        .expr_as(Expr::col(("s", "name")), "sport")
        .expr_as(done("assigned_to"), "assignee_id")
        .expr_as(Expr::col(("u", "name")), "assignee_name");
    let rank = by_group(now, [0_i64, 1, 2].map(Expr::val));
    let at = by_group(now, [own("due_at"), own("waiting_since"), own("due_at")]);
    let keys = [Key::up(rank), Key::up(at), Key::up(own("kind")), Key::up(own("record_id"))];
    session.follow(Found::of_total(rows, total).sorted(keys), place).await
}

/// The numbers of items of every kind that are alike, snoozed or not.
pub async fn alike(session: &mut Session, wanted: &Wanted) -> Result<Vec<Alike>> {
    let now = wanted.now;
    let mut items = select(wanted);
    items
        .expr_as(group(now), "group")
        .expr_as(own("kind"), "kind")
        .expr_as(snoozed(now), "snoozed");
    let query = Query::select()
        .columns(["group", "kind", "snoozed"])
        .expr_as(Expr::cust("COUNT(*)"), "number")
        .from_subquery(items, "items")
        .group_by_columns(["group", "kind", "snoozed"])
        .take();
    session.all(query).await
}
