//! Sums over transactions, in whole cents; both databases give the same results.

use sea_query::{Expr, Func, JoinType, Order, Query, SelectStatement, WindowStatement};
use sqlx::FromRow;

use super::filter::{counted, counted_in, own, sum};
use crate::error::Result;
use crate::figures::filter::Wanted;
use crate::figures::period::Step;
use crate::figures::transaction::TransactionSource;
use crate::jobs::Compensation;
use crate::kernel::{AthleteId, CategoryId, Cents, SportId, Time};
use crate::storage::{Row, Session};

/// The totals of a group of transactions.
#[derive(Clone, Copy, Debug, Default, FromRow)]
pub struct Sums {
    pub count: i64,
    pub gross_cents: Cents,
    pub fee_cents: Cents,
    pub net_cents: Cents,
    pub refunded_cents: Cents,
}

impl std::ops::AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.gross_cents += other.gross_cents;
        self.fee_cents += other.fee_cents;
        self.net_cents += other.net_cents;
        self.refunded_cents += other.refunded_cents;
    }
}

/// Adds the sums to a query over transactions.
pub fn summed(query: &mut SelectStatement) {
    query.expr_as(Expr::cust("COUNT(*)"), "count");
    for column in ["gross_cents", "fee_cents", "net_cents", "refunded_cents"] {
        query.expr_as(sum(column), column);
    }
}

/// A group with its totals.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Group<K> {
    pub key: K,
    /// The number of different athletes in it.
    pub athletes: i64,
    #[sqlx(flatten)]
    pub sums: Sums,
}

async fn grouped<K>(
    session: &mut Session,
    mut query: SelectStatement,
    key: Expr,
) -> Result<Vec<Group<K>>>
where
    Group<K>: Row,
{
    query
        .expr_as(key.clone(), "key")
        .expr_as(Expr::cust("COUNT(DISTINCT t.athlete_id)"), "athletes")
        .add_group_by([key]);
    summed(&mut query);
    session.all(query).await
}

/// Totals by source.
pub async fn by_source(
    session: &mut Session,
    wanted: &Wanted,
) -> Result<Vec<Group<TransactionSource>>> {
    grouped(session, counted(wanted), own("source")).await
}

/// Totals by sport.
pub async fn by_sport(
    session: &mut Session,
    wanted: &Wanted,
) -> Result<Vec<Group<Option<SportId>>>> {
    grouped(session, counted(wanted), own("sport_id")).await
}

/// Totals by job category.
pub async fn by_category(session: &mut Session, wanted: &Wanted) -> Result<Vec<Group<CategoryId>>> {
    grouped(session, counted(wanted), own("category_id")).await
}

/// Totals by kind of compensation.
pub async fn by_payment_type(
    session: &mut Session,
    wanted: &Wanted,
) -> Result<Vec<Group<Compensation>>> {
    grouped(session, counted(wanted), own("payment_type")).await
}

/// Totals by step of a series; steps without transactions are left out.
pub async fn by_step(
    session: &mut Session,
    wanted: &Wanted,
    steps: &[Step],
) -> Result<Vec<Group<i64>>> {
    if steps.is_empty() {
        return Ok(Vec::new());
    }
    let place = Expr::col(("step", "column1"));
    grouped(session, counted_in(wanted, steps), place).await
}

/// The number of different athletes.
pub async fn athletes(session: &mut Session, wanted: &Wanted) -> Result<i64> {
    let mut query = counted(wanted);
    query.expr(Expr::cust("COUNT(DISTINCT t.athlete_id)"));
    session.value(query).await
}

/// The one or two middle gross amounts; empty without transactions.
pub async fn middle(session: &mut Session, wanted: &Wanted) -> Result<Vec<Cents>> {
    let mut ordered = counted(wanted);
    let by_amount = WindowStatement::new().order_by(("t", "gross_cents"), Order::Asc).to_owned();
    ordered
        .expr_as(own("gross_cents"), "gross_cents")
        .expr_window_as(Func::cust("ROW_NUMBER"), by_amount, "place")
        .expr_window_as(Expr::cust("COUNT(*)"), WindowStatement::new(), "size");
    // Positions count from 1: with n amounts the middle is (n + 1) / 2, or n / 2 and the next one.
    let query = Query::select()
        .column("gross_cents")
        .from_subquery(ordered, "ordered")
        .and_where(Expr::cust("place * 2 IN (size, size + 1, size + 2)"))
        .order_by("place", Order::Asc)
        .to_owned();
    let found: Vec<(Cents,)> = session.all(query).await?;
    Ok(found.into_iter().map(|(cents,)| cents).collect())
}

/// The first and the last instant with a transaction.
pub async fn extent(session: &mut Session, wanted: &Wanted) -> Result<Option<(Time, Time)>> {
    let mut query = counted(wanted);
    query.expr(Func::min(own("occurred_at")));
    query.expr(Func::max(own("occurred_at")));
    let (first, last): (Option<Time>, Option<Time>) = session.one(query).await?;
    Ok(first.zip(last))
}

/// An athlete or a team with totals.
#[derive(Clone, Debug, FromRow)]
pub struct Ranked<K> {
    #[sqlx(flatten)]
    pub group: Group<K>,
    pub name: Option<String>,
    pub sport_id: Option<SportId>,
    pub sport: Option<String>,
}

/// The athletes with the highest totals, highest first.
pub async fn top_athletes(
    session: &mut Session,
    wanted: &Wanted,
    most: u64,
) -> Result<Vec<Ranked<AthleteId>>> {
    let mut query = top(wanted, "athlete_id", most);
    query
        .expr_as(Expr::cust("a.display_name"), "name")
        .expr_as(Expr::cust("a.sport_id"), "sport_id")
        .join_as(JoinType::InnerJoin, "athlete", "a", Expr::cust("a.id = top.key"))
        .join_as(JoinType::LeftJoin, "sport", "s", Expr::cust("s.id = a.sport_id"));
    session.all(query).await
}

/// The teams with the highest totals, highest first; athletes without a sport form a team of their own.
pub async fn top_teams(
    session: &mut Session,
    wanted: &Wanted,
    most: u64,
) -> Result<Vec<Ranked<Option<SportId>>>> {
    let mut query = top(wanted, "sport_id", most);
    query.expr_as(Expr::cust("s.name"), "name").expr_as(Expr::cust("s.id"), "sport_id").join_as(
        JoinType::LeftJoin,
        "sport",
        "s",
        Expr::cust("s.id = top.key"),
    );
    session.all(query).await
}

fn top(wanted: &Wanted, key: &'static str, most: u64) -> SelectStatement {
    let mut groups = counted(wanted);
    groups
        .expr_as(own(key), "key")
        .expr_as(Expr::cust("COUNT(DISTINCT t.athlete_id)"), "athletes")
        .add_group_by([own(key)]);
    summed(&mut groups);
    let greatest_first = |query: &mut SelectStatement| {
        query
            .order_by("gross_cents", Order::Desc)
            .order_by("count", Order::Desc)
            .order_by("key", Order::Asc);
    };
    greatest_first(&mut groups);
    groups.limit(most);
    let mut query = Query::select();
    query
        .expr(Expr::cust("top.*"))
        .expr_as(Expr::cust("s.name"), "sport")
        .from_subquery(groups, "top");
    greatest_first(&mut query);
    query
}
