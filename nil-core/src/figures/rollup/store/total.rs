//! Sums over transactions, in whole cents; both databases give the same results.

use std::cmp::Reverse;

use sea_query::{Expr, JoinType, NullOrdering, Order, Query, SelectStatement};

use super::rollup;
use crate::error::Result;
use crate::figures::filter::Wanted;
use crate::figures::rollup::change::Dimension;
use crate::figures::rollup::sums::{Group, Overall};
use crate::figures::rollup::tally::{Entry, Tally};
use crate::figures::store::filter::{counted, own, sum};
use crate::jobs::Compensation;
use crate::kernel::{AthleteId, CategoryId, Cents, SportId};
use crate::storage::{FromRow, Row, Session, sql};

/// Adds the sums to a query over transactions.
pub fn summed(query: &mut SelectStatement) {
    query.expr_as(Expr::cust("COUNT(*)"), "count");
    for column in ["gross_cents", "fee_cents", "net_cents", "refunded_cents"] {
        query.expr_as(sum(column), column);
    }
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

/// The total gross amount.
pub async fn gross(session: &mut Session, wanted: &Wanted) -> Result<Cents> {
    if let Some(months) = wanted.whole_months() {
        let college = wanted.college;
        let all = rollup::groups(session, college, months, Dimension::All, |_| Some(())).await?;
        return Ok(all.iter().map(|group| group.sums.gross_cents).sum());
    }
    let mut query = counted(wanted);
    query.expr(sum("gross_cents"));
    session.value(query).await
}

/// Totals by sport.
pub async fn by_sport(
    session: &mut Session,
    wanted: &Wanted,
) -> Result<Vec<Group<Option<SportId>>>> {
    if let Some(months) = wanted.whole_months() {
        let key = |key: &str| match key {
            "" => Some(None),
            id => SportId::new(id.parse().ok()?).map(Some),
        };
        return rollup::groups(session, wanted.college, months, Dimension::Sport, key).await;
    }
    grouped(session, counted(wanted), own("sport_id")).await
}

/// Totals by job category.
pub async fn by_category(session: &mut Session, wanted: &Wanted) -> Result<Vec<Group<CategoryId>>> {
    if let Some(months) = wanted.whole_months() {
        let key = |key: &str| CategoryId::new(key.parse().ok()?);
        return rollup::groups(session, wanted.college, months, Dimension::Category, key).await;
    }
    grouped(session, counted(wanted), own("category_id")).await
}

/// Totals by kind of compensation.
pub async fn by_payment_type(
    session: &mut Session,
    wanted: &Wanted,
) -> Result<Vec<Group<Compensation>>> {
    if let Some(months) = wanted.whole_months() {
        let key = |key: &str| key.parse().ok();
        return rollup::groups(session, wanted.college, months, Dimension::PaymentType, key).await;
    }
    grouped(session, counted(wanted), own("payment_type")).await
}

/// Totals of all transactions. Groups without any are left out.
pub async fn overall(session: &mut Session, wanted: &Wanted) -> Result<Overall> {
    if let Some(months) = wanted.whole_months() {
        return rollup::overall(session, wanted.college, months).await;
    }
    // One pass over the transactions: each part as a statement of its own would read them once
    // more.
    let mut query = counted(wanted);
    for column in [
        "occurred_at",
        "source",
        "athlete_id",
        "gross_cents",
        "fee_cents",
        "net_cents",
        "refunded_cents",
    ] {
        query.expr(own(column));
    }
    let zone = wanted.zone;
    let add = move |tally: &mut Tally, entry: Entry| tally.add(&entry, zone);
    Ok(session.fold(query, add).await?.overall())
}

/// An athlete or a team with totals.
#[derive(Clone, Debug, FromRow)]
pub struct Ranked<K> {
    #[row(flatten)]
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

/// The teams with the highest totals, highest first; athletes without a sport form a team of their
/// own.
pub async fn top_teams(
    session: &mut Session,
    wanted: &Wanted,
    most: u64,
) -> Result<Vec<Ranked<Option<SportId>>>> {
    if wanted.whole_months().is_some() {
        return top_teams_of_rollup(session, wanted, most).await;
    }
    let mut query = top(wanted, "sport_id", most);
    query.expr_as(Expr::cust("s.name"), "name").expr_as(Expr::cust("s.id"), "sport_id").join_as(
        JoinType::LeftJoin,
        "sport",
        "s",
        Expr::cust("s.id = top.key"),
    );
    session.all(query).await
}

async fn top_teams_of_rollup(
    session: &mut Session,
    wanted: &Wanted,
    most: u64,
) -> Result<Vec<Ranked<Option<SportId>>>> {
    let mut groups = by_sport(session, wanted).await?;
    groups.sort_by_key(|Group { key, sums, .. }| {
        (Reverse(sums.gross_cents), Reverse(sums.count), key.is_none(), *key)
    });
    groups.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    let named: Vec<(SportId, String)> = session.all(sql("SELECT id, name FROM sport")).await?;
    let teams = groups.into_iter().map(|group| {
        let sport = group.key.and_then(|key| named.iter().find(|(id, _)| *id == key));
        let name = sport.map(|(_, name)| name.clone());
        let sport_id = sport.map(|(id, _)| *id);
        Ranked { group, name: name.clone(), sport_id, sport: name }
    });
    Ok(teams.collect())
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
            .order_by_with_nulls("key", Order::Asc, NullOrdering::Last);
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
