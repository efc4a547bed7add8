//! Reads the rollup.

use std::collections::{BTreeMap, HashMap};

use chrono_tz::Tz;
use sea_query::{Expr, ExprTrait as _, Query, SelectStatement, UnionType};

use crate::error::{Error, Result};
use crate::figures::rollup::change::{Dimension, STEP};
use crate::figures::rollup::month::{Extent, Month, WholeMonths};
use crate::figures::rollup::sums::{Group, MonthGroup, Overall, Sums};
use crate::figures::store::filter::sum;
use crate::kernel::{Cents, CollegeId, Time, zone_or_last};
use crate::storage::{Among as _, FromRow, Session, sql};

/// How an institution's rollup stands.
#[derive(Clone, Debug, FromRow)]
pub struct Standing {
    time_zone: String,
    /// Whether it was divided into months by the clocks that apply.
    divided: bool,
    /// The number of changes or transactions that are not added yet, as far as it was counted.
    pub behind: i64,
    first_at: Option<Time>,
    last_at: Option<Time>,
}

impl Standing {
    /// The institution's time zone.
    pub fn zone(&self) -> Tz {
        zone_or_last(Some(&self.time_zone))
    }

    /// Whether nothing has to be added.
    pub fn is_right(&self) -> bool {
        self.divided && self.behind == 0
    }

    /// The first and the last instant with a transaction.
    pub fn extent(&self) -> Extent {
        Extent { first: self.first_at, last: self.last_at }
    }
}

/// How an institution's rollup stands; what is not added yet is counted up to one more than `most`.
pub async fn standing(
    session: &mut Session,
    college: CollegeId,
    clocks: &str,
    most: i64,
) -> Result<Standing> {
    session
        .one(
            sql("SELECT c.time_zone, k.clocks = $2 AS divided, CASE WHEN k.clocks = $2 \
                 THEN (SELECT COUNT(*) FROM (SELECT n.id FROM college_transaction_change n \
                 WHERE n.college_id = $1 LIMIT $3 + 1) AS noted) \
                 ELSE (SELECT COUNT(*) FROM (SELECT t.record_id FROM college_transaction t \
                 WHERE t.college_id = $1 LIMIT $3 + 1) AS unkept) END AS behind, \
                 (SELECT MIN(t.occurred_at) FROM college_transaction t WHERE t.college_id = $1) \
                 AS first_at, \
                 (SELECT MAX(t.occurred_at) FROM college_transaction t WHERE t.college_id = $1) \
                 AS last_at \
                 FROM college c JOIN college_kept k ON k.college_id = c.id WHERE c.id = $1")
            .bind(college)
            .bind(clocks)
            .bind(most),
        )
        .await
}

/// A part of a total: sums without athletes, athletes without sums, or both for a single month.
#[derive(Clone, Debug, FromRow)]
struct Part {
    dimension: Dimension,
    key: String,
    /// The month; 0 for all of the months.
    month: i64,
    athletes: i64,
    #[row(flatten)]
    sums: Sums,
}

/// The columns of a [`Part`] beside its place, in their order.
const SUMS: [&str; 5] = ["count", "gross_cents", "fee_cents", "net_cents", "refunded_cents"];

fn of(table: &'static str, college: CollegeId, dimensions: &[Dimension]) -> SelectStatement {
    let mut query = Query::select();
    query
        .from_as(table, "t")
        .column(("t", "dimension"))
        .and_where(Expr::col(("t", "college_id")).eq(college.get()))
        .and_where(Expr::col(("t", "dimension")).among(dimensions.iter().map(|one| one.as_str())));
    query
}

fn within(query: &mut SelectStatement, months: WholeMonths) {
    query.and_where(Expr::col(("t", "month")).between(months.first.0, months.last.0));
}

fn nothing() -> Expr {
    Expr::cust("CAST(0 AS BIGINT)")
}

/// The sums of each key.
fn sums(college: CollegeId, months: WholeMonths, dimension: Dimension) -> SelectStatement {
    let mut query = of("college_total", college, &[dimension]);
    within(&mut query, months);
    query.column(("t", "key")).expr_as(nothing(), "month").expr_as(nothing(), "athletes");
    for column in SUMS {
        query.expr_as(sum(column), column);
    }
    query.group_by_columns([("t", "dimension"), ("t", "key")]);
    query
}

/// The number of different athletes of each key.
fn athletes(college: CollegeId, months: WholeMonths, dimensions: &[Dimension]) -> SelectStatement {
    let mut query = of("college_athletes", college, dimensions);
    // From the start it is those whose first month it is, for whom there is an index.
    if months.are_from_the_start() {
        query.and_where(Expr::cust("t.since = 0"));
    } else {
        query.and_where(Expr::col(("t", "since")).lt(months.first.0));
    }
    if !months.are_all() {
        within(&mut query, months);
    }
    query.column(("t", "key")).expr_as(nothing(), "month").expr_as(sum("athletes"), "athletes");
    for column in SUMS {
        query.expr_as(nothing(), column);
    }
    query.group_by_columns([("t", "dimension"), ("t", "key")]);
    query
}

/// All transactions together, month by month.
fn by_month(college: CollegeId, months: WholeMonths) -> SelectStatement {
    let mut query = of("college_total", college, &[Dimension::All]);
    within(&mut query, months);
    for column in ["key", "month", "athletes"] {
        query.column(("t", column));
    }
    for column in SUMS {
        query.column(("t", column));
    }
    query.and_where(Expr::col(("t", "count")).gt(0));
    query
}

/// Groups by their keys; those without transactions are left out.
fn merged(parts: impl IntoIterator<Item = Part>) -> Vec<Group<String>> {
    let mut groups: BTreeMap<String, (i64, Sums)> = BTreeMap::new();
    for part in parts {
        let group = groups.entry(part.key).or_default();
        group.0 += part.athletes;
        group.1 += part.sums;
    }
    let found = groups.into_iter().filter(|(_, (_, sums))| sums.count > 0);
    found.map(|(key, (athletes, sums))| Group { key, athletes, sums }).collect()
}

/// Totals by the keys of a dimension.
pub async fn groups<K>(
    session: &mut Session,
    college: CollegeId,
    months: WholeMonths,
    dimension: Dimension,
    key: impl Fn(&str) -> Option<K>,
) -> Result<Vec<Group<K>>> {
    let mut query = sums(college, months, dimension);
    query.union(UnionType::All, athletes(college, months, &[dimension]));
    let parts: Vec<Part> = session.all(query).await?;
    keyed(merged(parts), key)
}

fn keyed<K>(groups: Vec<Group<String>>, key: impl Fn(&str) -> Option<K>) -> Result<Vec<Group<K>>> {
    let known = groups.into_iter().map(|group| {
        let key = key(&group.key);
        let key = key.ok_or_else(|| Error::internal(format!("the key {:?}", group.key)))?;
        Ok(Group { key, athletes: group.athletes, sums: group.sums })
    });
    known.collect()
}

/// Totals of some months by source and month by month, the number of different athletes and the
/// middle amounts.
pub async fn overall(
    session: &mut Session,
    college: CollegeId,
    months: WholeMonths,
) -> Result<Overall> {
    let different = [Dimension::All, Dimension::Source];
    let mut query = by_month(college, months);
    query
        .union(UnionType::All, sums(college, months, Dimension::Source))
        .union(UnionType::All, athletes(college, months, &different));
    let parts: Vec<Part> = session.all(query).await?;
    let (sources, all): (Vec<_>, Vec<_>) =
        parts.into_iter().partition(|part| part.dimension == Dimension::Source);
    let (whole, by_month): (Vec<_>, Vec<_>) = all.into_iter().partition(|part| part.month == 0);
    let mut middles = middles(session, college, months).await?;
    let by_month = by_month.into_iter().map(|part| {
        let middle = middles.remove(&part.month).unwrap_or_default();
        let group = Group { key: Month(part.month), athletes: part.athletes, sums: part.sums };
        MonthGroup { group, middle }
    });
    Ok(Overall {
        sources: keyed(merged(sources), |key| key.parse().ok())?,
        months: by_month.collect(),
        athletes: whole.iter().map(|part| part.athletes).sum(),
        middle: middle(session, college, months).await?,
    })
}

/// Whether the middle is among the transactions of an amount, in SQL.
macro_rules! middle {
    ($amount:literal) => {
        concat!(
            $amount,
            ".count > 0 AND ",
            $amount,
            ".upto * 2 >= w.size AND (",
            $amount,
            ".upto - ",
            $amount,
            ".count) * 2 <= w.size"
        )
    };
}

/// The amounts of a finer grain among which the middle is, from those of a coarser one.
macro_rules! among {
    ($among:literal from $grain:literal) => {
        concat!(
            $among,
            " AS (SELECT c.part, MIN(c.amount) * $4 AS least, MAX(c.amount) * $4 + ($4 - 1) AS most, \
            MIN(c.upto - c.count) AS below FROM ",
            $grain,
            " c JOIN whole w ON w.part = c.part WHERE ",
            middle!("c"),
            " GROUP BY c.part), "
        )
    };
}

/// How many transactions of a part have each amount of a grain `among` these. They are counted up
/// in the order of amounts, from the number of those `below`.
macro_rules! grain {
    ($grain:literal in $among:literal) => {
        concat!(
            $grain,
            " AS (SELECT h.part, a.amount, SUM(a.count) AS count, \
            MIN(h.below) + SUM(SUM(a.count)) OVER (PARTITION BY h.part ORDER BY a.amount) AS upto \
            FROM ",
            $among,
            " h JOIN wanted w ON w.part = h.part CROSS JOIN college_amount a \
            WHERE a.college_id = $1 AND a.grain = '",
            $grain,
            "' AND a.month = w.month \
            AND a.amount BETWEEN h.least AND h.most GROUP BY h.part, a.amount) "
        )
    };
}

/// The middle amounts of each part of the wanted months; `$part` says which part a month is in.
macro_rules! middles {
    ($part:literal) => {
        concat!(
            "WITH wanted AS ( \
            SELECT t.month, ",
            $part,
            " AS part FROM college_total t WHERE t.college_id = $1 AND t.dimension = 'all' \
            AND t.key = '' AND t.month BETWEEN $2 AND $3 \
            UNION ALL SELECT $2, CAST(0 AS BIGINT) WHERE $3 = 0 \
            ), coarse AS ( \
            SELECT w.part, a.amount, SUM(a.count) AS count, \
            SUM(SUM(a.count)) OVER (PARTITION BY w.part ORDER BY a.amount) AS upto \
            FROM wanted w CROSS JOIN college_amount a \
            WHERE a.college_id = $1 AND a.grain = 'coarse' AND a.month = w.month \
            GROUP BY w.part, a.amount \
            ), whole AS (SELECT part, MAX(upto) AS size FROM coarse GROUP BY part), ",
            among!("among" from "coarse"),
            grain!("medium" in "among"),
            ", ",
            among!("within" from "medium"),
            grain!("fine" in "within"),
            "SELECT f.part, f.amount FROM fine f JOIN whole w ON w.part = f.part WHERE ",
            middle!("f"),
            " ORDER BY f.part, f.amount"
        )
    };
}

/// All wanted months together.
const MIDDLE: &str = middles!("CAST(0 AS BIGINT)");
/// Each month by itself.
const MIDDLES: &str = middles!("t.month");

/// The one or two middle gross amounts of some months; empty without transactions.
async fn middle(
    session: &mut Session,
    college: CollegeId,
    months: WholeMonths,
) -> Result<Vec<Cents>> {
    // All time is month 0 in the table.
    let (first, last) =
        if months.are_all() { (Month::NONE, Month::NONE) } else { (months.first, months.last) };
    let middle = sql(MIDDLE).bind(college).bind(first.0).bind(last.0).bind(STEP);
    let found: Vec<(i64, Cents)> = session.all(middle).await?;
    Ok(found.into_iter().map(|(_, cents)| cents).collect())
}

/// The one or two middle gross amounts of each month; months without transactions are left out.
async fn middles(
    session: &mut Session,
    college: CollegeId,
    WholeMonths { first, last }: WholeMonths,
) -> Result<HashMap<i64, Vec<Cents>>> {
    let middles = sql(MIDDLES).bind(college).bind(first.0).bind(last.0).bind(STEP);
    let found: Vec<(i64, Cents)> = session.all(middles).await?;
    let mut middles: HashMap<i64, Vec<Cents>> = HashMap::new();
    for (month, cents) in found {
        middles.entry(month).or_default().push(cents);
    }
    Ok(middles)
}
