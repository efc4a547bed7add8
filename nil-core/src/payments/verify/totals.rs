//! The totals that are kept for institutions, against the transactions that they are made of. Left
//! out are institutions with changes that are not added yet, or whose months are to be divided anew
//! (decision 16).

use std::collections::HashMap;

use chrono::{Datelike as _, Months};
use chrono_tz::{IANA_TZDB_VERSION, Tz};

use super::rule::Check;
use crate::error::Result;
use crate::kernel::{Cents, CollegeId, Date, Time, day_in, start_of_day};
use crate::storage::{FromRow, Session, sql};

const TOTALS: &str = "an institution's totals are the sums of its transactions";
const AMOUNTS: &str = "an institution's counts of amounts are those of its transactions";
/// How many transactions are read at a time.
const PAGE: i64 = 10_000;

pub(super) async fn checks(session: &mut Session) -> Result<[Check; 2]> {
    let mut problems = names(session, SUMS).await?;
    problems.extend(months(session).await?);
    problems.truncate(100);
    let examined = "SELECT COUNT(*) FROM college_total";
    let totals =
        Check { name: TOTALS.into(), examined: session.value(sql(examined)).await?, problems };
    let problems = names(session, COUNTS).await?;
    let examined = "SELECT COUNT(*) FROM college_amount";
    let amounts =
        Check { name: AMOUNTS.into(), examined: session.value(sql(examined)).await?, problems };
    Ok([totals, amounts])
}

async fn names(session: &mut Session, find: &'static str) -> Result<Vec<String>> {
    let found: Vec<(String,)> = session.all(sql(find).bind(IANA_TZDB_VERSION)).await?;
    Ok(found.into_iter().map(|(name,)| name).collect())
}

/// By dimension and key, over all months.
const SUMS: &str = "WITH standing AS (SELECT k.college_id FROM college_kept k WHERE k.clocks = $1 \
    AND NOT EXISTS (SELECT 1 FROM college_transaction_change x WHERE x.college_id = k.college_id)) \
    SELECT 'college:' || d.college_id || ' ' || d.dimension || ' ' || d.key FROM ( \
        SELECT college_id, dimension, key, count AS number, gross_cents, fee_cents, net_cents, \
            refunded_cents FROM college_total \
        UNION ALL SELECT college_id, 'all', '', -1, -gross_cents, -fee_cents, -net_cents, \
            -refunded_cents FROM college_transaction WHERE counted \
        UNION ALL SELECT college_id, 'source', source, -1, -gross_cents, -fee_cents, -net_cents, \
            -refunded_cents FROM college_transaction WHERE counted \
        UNION ALL SELECT college_id, 'sport', COALESCE(CAST(sport_id AS TEXT), ''), -1, \
            -gross_cents, -fee_cents, -net_cents, -refunded_cents \
            FROM college_transaction WHERE counted \
        UNION ALL SELECT college_id, 'category', CAST(category_id AS TEXT), -1, -gross_cents, \
            -fee_cents, -net_cents, -refunded_cents FROM college_transaction WHERE counted \
        UNION ALL SELECT college_id, 'payment_type', payment_type, -1, -gross_cents, -fee_cents, \
            -net_cents, -refunded_cents FROM college_transaction WHERE counted) d \
    JOIN standing s ON s.college_id = d.college_id \
    GROUP BY d.college_id, d.dimension, d.key \
    HAVING SUM(d.number) <> 0 OR SUM(d.gross_cents) <> 0 OR SUM(d.fee_cents) <> 0 \
    OR SUM(d.net_cents) <> 0 OR SUM(d.refunded_cents) <> 0 LIMIT 100";

/// By grain and amount: of all time (month 0), and as the sum of the months.
const COUNTS: &str = "WITH standing AS (SELECT k.college_id FROM college_kept k WHERE k.clocks = $1 \
    AND NOT EXISTS (SELECT 1 FROM college_transaction_change x WHERE x.college_id = k.college_id)) \
    SELECT 'college:' || d.college_id || ' ' || d.grain || ' ' || d.amount FROM ( \
        SELECT college_id, grain, amount, CASE WHEN month = 0 THEN count ELSE 0 END AS ever, \
            CASE WHEN month = 0 THEN 0 ELSE count END AS monthly FROM college_amount \
        UNION ALL SELECT college_id, 'fine', gross_cents, -1, -1 \
            FROM college_transaction WHERE counted \
        UNION ALL SELECT college_id, 'medium', gross_cents / 128, -1, -1 \
            FROM college_transaction WHERE counted \
        UNION ALL SELECT college_id, 'coarse', gross_cents / 16384, -1, -1 \
            FROM college_transaction WHERE counted) d \
    JOIN standing s ON s.college_id = d.college_id GROUP BY d.college_id, d.grain, d.amount \
    HAVING SUM(d.ever) <> 0 OR SUM(d.monthly) <> 0 LIMIT 100";

#[derive(FromRow)]
struct Dated {
    source: String,
    record_id: i64,
    college_id: CollegeId,
    time_zone: String,
    occurred_at: Time,
    gross_cents: Cents,
    net_cents: Cents,
}

/// The institutions' months in which the number or the sums of transactions are wrong. Months are
/// the institution's, and the database knows no time zones.
async fn months(session: &mut Session) -> Result<Vec<String>> {
    let kept: Vec<(CollegeId, i64, i64, Cents, Cents)> = session
        .all(
            sql("SELECT t.college_id, t.month, t.count, t.gross_cents, t.net_cents \
                 FROM college_total t JOIN college_kept k ON k.college_id = t.college_id \
                 WHERE t.dimension = 'all' AND k.clocks = $1 AND NOT EXISTS (SELECT 1 \
                     FROM college_transaction_change x WHERE x.college_id = k.college_id)")
            .bind(IANA_TZDB_VERSION),
        )
        .await?;
    let mut left: HashMap<(CollegeId, i64), (i64, Cents, Cents)> = kept
        .into_iter()
        .map(|(college, month, count, gross, net)| ((college, month), (count, gross, net)))
        .collect();
    let mut after = (String::new(), 0_i64);
    loop {
        let page: Vec<Dated> = session
            .all(
                sql("SELECT t.source, t.record_id, t.college_id, c.time_zone, t.occurred_at, \
                     t.gross_cents, t.net_cents FROM college_transaction t \
                     JOIN college c ON c.id = t.college_id \
                     JOIN college_kept k ON k.college_id = t.college_id \
                     WHERE t.counted AND (t.source, t.record_id) > ($1, $2) AND k.clocks = $3 \
                     AND NOT EXISTS (SELECT 1 FROM college_transaction_change x \
                         WHERE x.college_id = k.college_id) \
                     ORDER BY t.source, t.record_id LIMIT $4")
                .bind(after.0.clone())
                .bind(after.1)
                .bind(IANA_TZDB_VERSION)
                .bind(PAGE),
            )
            .await?;
        let Some(last) = page.last() else { break };
        after = (last.source.clone(), last.record_id);
        for row in &page {
            let zone = row.time_zone.parse().unwrap_or(chrono_tz::UTC);
            let month = month_of(row.occurred_at, zone);
            let (count, gross, net) = left.entry((row.college_id, month)).or_default();
            *count -= 1;
            *gross = *gross - row.gross_cents;
            *net = *net - row.net_cents;
        }
    }
    let mut wrong: Vec<_> = left.into_iter().filter(|(_, sums)| *sums != <_>::default()).collect();
    wrong.sort_unstable_by_key(|(place, _)| *place);
    let named = wrong.into_iter().take(100).map(|((college, month), _)| {
        format!("college:{college} in {}-{:02}", month.div_euclid(12), month.rem_euclid(12) + 1)
    });
    Ok(named.collect())
}

/// Twelve times the year, and the number of months before it in that year: the month whose first
/// day has begun.
fn month_of(at: Time, zone: Tz) -> i64 {
    let number = |day: Date| i64::from(day.year()) * 12 + i64::from(day.month0());
    let day = day_in(at, zone);
    let first = day.with_day(1).unwrap_or(day);
    let next = first.checked_add_months(Months::new(1));
    if at < start_of_day(first, zone) {
        number(first) - 1
    } else if next.is_some_and(|next| at >= start_of_day(next, zone)) {
        number(first) + 1
    } else {
        number(first)
    }
}
