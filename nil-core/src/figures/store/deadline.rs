//! The view `college_deadline`, which unites all kinds of deadlines.

use sea_query::{Expr, ExprTrait as _, Func, JoinType, Order, Query, SelectStatement};

use super::filter::sum_of;
use crate::error::Result;
use crate::figures::deadline::{AthleteDeadlines, Deadline, Due};
use crate::kernel::{AthleteId, FollowedPage, Listing, Time};
use crate::storage::{Among as _, Found, Key, Narrow as _, Session};

fn own(column: &'static str) -> Expr {
    Expr::col(("d", column))
}

/// Whether what is selected as `d` was submitted late, or is not submitted and overdue.
pub(crate) fn late(now: Time) -> Expr {
    let handed_in = Func::coalesce([own("handed_in_at"), Expr::val(now)]);
    own("due_at").lt(Expr::from(handed_in))
}

fn select(due: &Due) -> SelectStatement {
    let mut query = Query::select();
    query
        .from_as("college_deadline", "d")
        .join_as(JoinType::InnerJoin, "athlete", "a", Expr::cust("a.id = d.athlete_id"))
        .and_where(own("college_id").eq(due.caller.college_id.get()));
    for sports in [&due.caller.sports, &due.sports] {
        query.only_among(("a", "sport_id"), sports.iter().copied());
    }
    query
        .only_among(("d", "athlete_id"), due.athletes.iter().copied())
        .only_among(("d", "kind"), due.kinds.iter().copied());
    if due.late_only {
        query.and_where(late(due.now));
    } else {
        query.and_where(late(due.now).or(own("due_at").lt(due.until)));
    }
    query
}

/// A page of athletes with late or upcoming deadlines, the earliest first.
pub async fn athletes(
    session: &mut Session,
    due: &Due,
    place: FollowedPage,
) -> Result<Listing<AthleteDeadlines>> {
    let mut count = select(due);
    count.expr(Expr::cust("COUNT(DISTINCT d.athlete_id)"));
    let counted = |what: Expr| {
        let one = Expr::case(what, Expr::val(1_i64)).finally(Expr::val(0_i64));
        sum_of(one.into())
    };
    let name = || Expr::col(("a", "display_name"));
    let sport = || Expr::col(("s", "name"));
    let mut page = select(due);
    page.join_as(JoinType::LeftJoin, "sport", "s", Expr::cust("s.id = a.sport_id"))
        .expr_as(own("athlete_id"), "athlete_id")
        .expr_as(name(), "athlete")
        .expr_as(Expr::col(("a", "sport_id")), "sport_id")
        .expr_as(sport(), "sport")
        .expr_as(counted(late(due.now)), "late")
        .expr_as(counted(late(due.now).not()), "due")
        .expr_as(Func::min(own("due_at")), "first_due_at")
        .add_group_by([own("athlete_id"), name(), Expr::col(("a", "sport_id")), sport()]);
    let keys = [Key::up(Func::min(own("due_at"))), Key::up(own("athlete_id"))];
    session.follow(Found::counted_by(page, count).groups_sorted(keys), place).await
}

/// The late and upcoming deadlines of these athletes, earliest first.
pub async fn of_athletes(
    session: &mut Session,
    due: &Due,
    athletes: &[AthleteId],
) -> Result<Vec<Deadline>> {
    if athletes.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = select(due);
    query.and_where(own("athlete_id").among(athletes.iter().map(|id| id.get())));
    for column in ["athlete_id", "kind", "title", "due_at", "handed_in_at"] {
        query.expr_as(own(column), column);
    }
    let is_late = Expr::case(late(due.now), Expr::val(true)).finally(Expr::val(false));
    query
        .expr_as(own("record_id"), "id")
        .expr_as(is_late, "late")
        .order_by(("d", "due_at"), Order::Asc)
        .order_by(("d", "kind"), Order::Asc)
        .order_by(("d", "record_id"), Order::Asc);
    session.all(query).await
}
