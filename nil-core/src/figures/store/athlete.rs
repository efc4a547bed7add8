//! The institution's athletes and their transaction totals.

use std::collections::HashMap;

use sea_query::{Expr, ExprTrait as _, Func, JoinType, Order, Query, SelectStatement};

use super::filter::{counted, late, own, persons, sum};
use crate::error::Result;
use crate::figures::athlete::{AthleteSort, CollegeAthlete, Tally};
use crate::figures::filter::Wanted;
use crate::kernel::{AthleteId, FollowedPage, Listing};
use crate::storage::{Among as _, Found, Key, Narrow as _, Session, contains, whose};

/// Active or suspended accounts; not unfinished or closed ones.
const KNOWN: &str = "u.status IN ('active', 'suspended')";

fn narrowed(query: &mut SelectStatement, wanted: &Wanted) {
    query
        .and_where(
            whose(("a", "university_id"), !wanted.athletes.is_empty()).eq(wanted.college.get()),
        )
        .and_where(Expr::cust(KNOWN))
        .cond_where(persons(wanted, "a", "id"));
    query.cond_where(contains([Expr::col(("a", "display_name"))], wanted.named.as_deref()));
    if wanted.asks_for_kinds() {
        let mut having = counted(wanted);
        having.expr(own("athlete_id"));
        query.and_where(Expr::col(("a", "id")).in_subquery(having));
    }
}

/// Athletes with their accounts.
fn accounts() -> SelectStatement {
    Query::select()
        .from_as("athlete", "a")
        .join_as(JoinType::InnerJoin, "app_user", "u", Expr::cust("u.id = a.user_id"))
        .take()
}

fn records() -> SelectStatement {
    let mut query = accounts();
    read(&mut query);
    query
}

/// Reads athletes, with what is joined to no more than one of each.
fn read(query: &mut SelectStatement) {
    for column in [
        "id",
        "display_name",
        "sport_id",
        "gender",
        "position",
        "class_year",
        "jersey_number",
        "date_of_birth",
        "created_at",
        "updated_at",
    ] {
        query.expr_as(Expr::col(("a", column)), column);
    }
    query
        .expr_as(Expr::cust("u.status"), "status")
        .expr_as(Expr::cust("s.name"), "sport")
        .expr_as(Expr::cust("r.agent_id"), "agent_id")
        .expr_as(Expr::cust("g.agency_name"), "agency");
    for (table, alias, on) in [
        ("sport", "s", "s.id = a.sport_id"),
        ("representation", "r", "r.athlete_id = a.id AND r.status = 'active'"),
        ("agent", "g", "g.id = r.agent_id"),
    ] {
        query.join_as(JoinType::LeftJoin, table, alias, Expr::cust(on));
    }
}

/// A page of athletes.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    sort: AthleteSort,
    place: FollowedPage,
) -> Result<Listing<CollegeAthlete>> {
    let name = || Expr::col(("a", "display_name"));
    let mut rows = accounts();
    narrowed(&mut rows, wanted);
    let id = Expr::col(("a", "id"));
    let keys = match sort {
        AthleteSort::Name => [Key::up(Func::lower(name())), Key::up(id)],
        AthleteSort::Newest => [Key::down(Expr::col(("a", "created_at"))), Key::down(id)],
        AthleteSort::Greatest => [Key::down(Expr::cust(SUM)), Key::up(id)],
        AthleteSort::Least => [Key::up(Expr::cust(SUM)), Key::up(id)],
    };
    let found = Found::from(rows).beside(|rows| {
        read(rows);
        if matches!(sort, AthleteSort::Greatest | AthleteSort::Least) {
            with_sums(rows, wanted);
        }
    });
    session.follow(found.sorted(keys), place).await
}

/// The sum of an athlete's transactions, from [`with_sums`].
const SUM: &str = "COALESCE(sums.gross_cents, 0)";

/// Joins the sums of the athletes' transactions to a page.
fn with_sums(page: &mut SelectStatement, wanted: &Wanted) {
    let mut sums = counted(wanted);
    sums.expr_as(own("athlete_id"), "athlete_id")
        .expr_as(sum("gross_cents"), "gross_cents")
        .add_group_by([own("athlete_id")]);
    page.join_subquery(JoinType::LeftJoin, sums, "sums", Expr::cust("sums.athlete_id = a.id"));
}

/// The next athletes in the order of their ids; empty after the last one.
pub async fn after(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<AthleteId>,
    most: u64,
) -> Result<Vec<CollegeAthlete>> {
    let mut rows = records();
    narrowed(&mut rows, wanted);
    rows.behind([("a", "id")], Order::Asc, last.map(|last| [last.into()])).limit(most);
    session.all(rows).await
}

/// One athlete, regardless of the institution.
pub async fn find(session: &mut Session, id: AthleteId) -> Result<CollegeAthlete> {
    let mut query = records();
    query.and_where(Expr::col(("a", "id")).eq(id.get()));
    session.one(query).await
}

/// The totals of these athletes' transactions.
pub async fn tallies(
    session: &mut Session,
    wanted: &Wanted,
    athletes: &[AthleteId],
) -> Result<HashMap<AthleteId, Tally>> {
    if athletes.is_empty() {
        return Ok(HashMap::new());
    }
    let mut query = counted(wanted);
    let ids = athletes.iter().map(|id| id.get());
    query
        .and_where(own("athlete_id").among(ids))
        .expr_as(own("athlete_id"), "athlete_id")
        .expr_as(Expr::cust("COUNT(*)"), "count")
        .expr_as(Func::max(own("occurred_at")), "last_at")
        .add_group_by([own("athlete_id")]);
    for column in ["gross_cents", "net_cents", "refunded_cents"] {
        query.expr_as(sum(column), column);
    }
    let any = |mark: Expr| {
        let one = Expr::case(mark, Expr::val(1_i64)).finally(Expr::val(0_i64));
        Expr::from(Func::max(one)).eq(1_i64)
    };
    for mark in
        ["over_threshold", "prohibited_category", "conflict_sponsor", "associated_entity", "minor"]
    {
        query.expr_as(any(own(mark)), mark);
    }
    query.expr_as(any(late(wanted.now)), "late");
    let found: Vec<Tally> = session.all(query).await?;
    let keyed = found.into_iter().map(|tally| (tally.athlete_id, tally));
    Ok(keyed.collect())
}
