//! Sums of groups by athlete, for published statistics.

use std::collections::HashMap;

use sea_query::{Expr, Order, Query, SelectStatement};
use sqlx::FromRow;

use super::filter::{counted, counted_in, own, sum};
use crate::error::Result;
use crate::figures::filter::Wanted;
use crate::figures::period::Step;
use crate::figures::publishing::PublishedBy;
use crate::kernel::{AthleteId, Cents, CollegeId};
use crate::storage::{Session, sql};

/// The fewest athletes of a published figure, where an institution has set nothing.
const USUAL: i64 = 5;

/// The fewest athletes that a published figure of the institution stands for.
pub async fn smallest_group(session: &mut Session, college: CollegeId) -> Result<i64> {
    let set: Option<(i64,)> = session
        .first(
            sql("SELECT smallest_group FROM college_setting WHERE college_id = $1").bind(college),
        )
        .await?;
    Ok(set.map_or(USUAL, |(least,)| least))
}

/// What groups are made by; the months' steps.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    pub by: PublishedBy,
    pub steps: &'a [Step],
}

impl Key<'_> {
    /// The transactions of the figures, and the expression of the key.
    fn rows(self, wanted: &Wanted) -> (SelectStatement, Expr) {
        match self.by {
            PublishedBy::Sport => (counted(wanted), own("sport_id")),
            PublishedBy::Category => (counted(wanted), own("category_id")),
            PublishedBy::Month => (counted_in(wanted, self.steps), Expr::col(("step", "column1"))),
        }
    }

    /// The name of the key's column in SQL.
    const fn name(self) -> &'static str {
        match self.by {
            PublishedBy::Sport => "t.sport_id",
            PublishedBy::Category => "t.category_id",
            PublishedBy::Month => "step.column1",
        }
    }
}

/// What an athlete has in a group.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Cell {
    pub key: Option<i64>,
    pub athlete_id: AthleteId,
    pub count: i64,
    pub gross_cents: Cents,
}

/// The sums of every athlete in every group.
pub async fn by_athlete(session: &mut Session, wanted: &Wanted, key: Key<'_>) -> Result<Vec<Cell>> {
    let (mut query, place) = key.rows(wanted);
    query
        .expr_as(place.clone(), "key")
        .expr_as(own("athlete_id"), "athlete_id")
        .expr_as(Expr::cust("COUNT(*)"), "count")
        .expr_as(sum("gross_cents"), "gross_cents")
        .add_group_by([place, own("athlete_id")]);
    session.all(query).await
}

/// The median gross amount of every group, in whole cents.
pub async fn medians(
    session: &mut Session,
    wanted: &Wanted,
    key: Key<'_>,
) -> Result<HashMap<Option<i64>, Cents>> {
    let (mut rows, place) = key.rows(wanted);
    let name = key.name();
    rows.expr_as(place, "key")
        .expr_as(own("gross_cents"), "gross_cents")
        .expr_as(
            Expr::cust(format!("ROW_NUMBER() OVER (PARTITION BY {name} ORDER BY t.gross_cents)")),
            "place",
        )
        .expr_as(Expr::cust(format!("COUNT(*) OVER (PARTITION BY {name})")), "size");
    let middle = Query::select()
        .expr(Expr::cust("x.key"))
        .expr(Expr::cust("x.gross_cents"))
        .from_subquery(rows, "x")
        .and_where(Expr::cust("x.place IN ((x.size + 1) / 2, (x.size + 2) / 2)"))
        .order_by(("x", "key"), Order::Asc)
        .take();
    let found: Vec<(Option<i64>, Cents)> = session.all(middle).await?;
    let mut medians: HashMap<Option<i64>, Vec<i64>> = HashMap::new();
    for (key, cents) in found {
        medians.entry(key).or_default().push(cents.get());
    }
    let middle = |amounts: Vec<i64>| {
        let size = i64::try_from(amounts.len().max(1)).unwrap_or(1);
        Cents(amounts.into_iter().map(|cents| cents / size).sum())
    };
    Ok(medians.into_iter().map(|(key, amounts)| (key, middle(amounts))).collect())
}
