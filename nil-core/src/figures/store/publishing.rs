//! Transactions by group, for published statistics.

use sea_query::Expr;

use super::filter::{counted, counted_in, own};
use crate::error::Result;
use crate::figures::filter::Wanted;
use crate::figures::period::Step;
use crate::figures::published::PublishedBy;
use crate::kernel::{AthleteId, Cents, CollegeId};
use crate::storage::{FromRow, Session, sql};

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

/// A transaction in its group.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Counted {
    pub key: Option<i64>,
    pub athlete_id: AthleteId,
    pub gross_cents: Cents,
}

/// The transactions of the figures, each with the key of its group. One statement reads them, so
/// that what is shown and what is hidden are decided by the same rows.
pub async fn counted_by(
    session: &mut Session,
    wanted: &Wanted,
    key: Key<'_>,
) -> Result<Vec<Counted>> {
    let (mut query, place) = match key.by {
        PublishedBy::Sport => (counted(wanted), own("sport_id")),
        PublishedBy::Category => (counted(wanted), own("category_id")),
        PublishedBy::Month => (counted_in(wanted, key.steps), Expr::col(("step", "column1"))),
    };
    query
        .expr_as(place, "key")
        .expr_as(own("athlete_id"), "athlete_id")
        .expr_as(own("gross_cents"), "gross_cents");
    session.all(query).await
}
