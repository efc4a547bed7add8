//! The part of the audit trail that belongs to an institution.

use sea_query::{Cond, Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::error::Result;
use crate::figures::trail_entry::{Asked, TrailEntry};
use crate::kernel::{FollowedPage, Listing};
use crate::storage::{Found, Key, Narrow as _, PAGE, Session};

fn own(column: &'static str) -> Expr {
    Expr::col(("e", column))
}

/// Selects the institution's portal users, or an expression on them.
fn users(asked: &Asked, what: &'static str) -> SelectStatement {
    Query::select()
        .expr(Expr::cust(what))
        .from("portal_user")
        .and_where(Expr::col("college_id").eq(asked.caller.college_id.get()))
        .take()
}

fn select(asked: &Asked) -> SelectStatement {
    let input = &asked.input;
    let mut query = Query::select();
    query.from_as("audit_entry", "e");
    // The first condition allows the use of the index on portal users' entries.
    let by = |of: Expr| Expr::cust("e.actor LIKE 'portal_user:%'").and(of);
    if asked.caller.sports.is_empty() {
        let to = |kind: &'static str, which: Expr| own("subject_kind").eq(kind).and(which);
        let people = users(asked, "'portal_user:' || id");
        query.cond_where(
            Cond::any()
                .add(by(own("actor").in_subquery(people)))
                .add(to("portal_user", own("subject_id").in_subquery(users(asked, "id"))))
                .add(to("college", own("subject_id").eq(asked.caller.college_id.get()))),
        );
    } else {
        query.and_where(by(own("actor").eq(actor(asked.caller.id.get()))));
    }
    query
        .only_from(("e", "at"), asked.since)
        .only_before(("e", "at"), asked.until)
        .only(("e", "actor"), input.portal_user_id.map(|user| actor(user.get())))
        .only(("e", "operation"), input.operation.as_deref())
        .only(("e", "action"), input.action.as_deref())
        .only(("e", "subject_kind"), input.subject_kind.as_deref())
        .only(("e", "subject_id"), input.subject_id);
    query
}

fn actor(id: i64) -> String {
    format!("portal_user:{id}")
}

/// A page of entries, newest first.
pub async fn page(
    session: &mut Session,
    asked: &Asked,
    place: FollowedPage,
) -> Result<Listing<TrailEntry>> {
    let mut rows = select(asked);
    rows.expr_as(own("id"), "id");
    // An entry is read, and its actor named, only once it is known to be on the page.
    let mut shown = Query::select();
    shown
        .join_as(
            JoinType::InnerJoin,
            "audit_entry",
            "e",
            Expr::col(("e", "id")).equals((PAGE, "id")),
        )
        .join_as(
            JoinType::LeftJoin,
            "portal_user",
            "u",
            // Only the institution's own users are named.
            Expr::cust("e.actor = 'portal_user:' || u.id")
                .and(Expr::col(("u", "college_id")).eq(asked.caller.college_id.get())),
        );
    for column in [
        "id",
        "at",
        "actor",
        "operation",
        "subject_kind",
        "subject_id",
        "action",
        "before",
        "after",
        "request_id",
    ] {
        shown.expr_as(own(column), column);
    }
    let own_people = Expr::col(("u", "id")).is_not_null();
    shown
        .expr_as(Expr::col(("u", "name")), "name")
        .expr_as(Expr::case(own_people, own("address")), "address");
    let found = Found::from(rows).showing(shown);
    session.follow(found.sorted([Key::down(own("id"))]), place).await
}
