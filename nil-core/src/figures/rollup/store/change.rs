//! Noted changes of transactions, and the rollup that they are added to.

use std::collections::BTreeSet;

use sea_query::{Expr, ExprTrait as _, Query, UnionType};
use serde_json::{Value, json};

use crate::error::Result;
use crate::figures::rollup::change::{Added, Change};
use crate::figures::store::filter::own;
use crate::kernel::CollegeId;
use crate::storage::{Among as _, Session, sql};

/// Locks an institution's totals until the transaction ends. Returns the edition of the clocks by
/// which they were divided into months; `None` if there is no such institution.
pub async fn lock(session: &mut Session, college: CollegeId) -> Result<Option<String>> {
    let held = sql("SELECT clocks FROM college_kept WHERE college_id = $1").bind(college);
    let held: Option<(String,)> = session.first(held.locking("FOR UPDATE")).await?;
    Ok(held.map(|(clocks,)| clocks))
}

/// Empties an institution's totals, and notes all its transactions to be added. One statement takes
/// out the changes noted before and notes the transactions: a change that is committed in between
/// is in neither or in both.
pub async fn begin_anew(session: &mut Session, college: CollegeId, clocks: &str) -> Result<()> {
    // Millions of transactions take longer than a statement usually may.
    session.take_all_the_time().await?;
    for table in [
        "DELETE FROM college_total WHERE college_id = $1",
        "DELETE FROM college_athletes WHERE college_id = $1",
        "DELETE FROM college_amount WHERE college_id = $1",
    ] {
        session.run(sql(table).bind(college)).await?;
    }
    session
        .run(
            sql("INSERT INTO college_transaction_change (college_id, athlete_id, sign, \
                 occurred_at, source, sport_id, category_id, payment_type, gross_cents, fee_cents, \
                 net_cents, refunded_cents) \
                 SELECT t.college_id, t.athlete_id, 1, t.occurred_at, t.source, t.sport_id, \
                 t.category_id, t.payment_type, t.gross_cents, t.fee_cents, t.net_cents, \
                 t.refunded_cents FROM college_transaction t WHERE t.college_id = $1 AND t.counted \
                 UNION ALL \
                 SELECT n.college_id, n.athlete_id, -n.sign, n.occurred_at, n.source, n.sport_id, \
                 n.category_id, n.payment_type, n.gross_cents, n.fee_cents, n.net_cents, \
                 n.refunded_cents FROM college_transaction_change n WHERE n.college_id = $1")
            .bind(college),
        )
        .await?;
    let kept = "UPDATE college_kept SET clocks = $2 WHERE college_id = $1";
    session.change(sql(kept).bind(college).bind(clocks)).await
}

/// The noted changes of this many athletes, with the transactions of these athletes that count now:
/// seen at one instant, because it is one statement. Empty if no change is noted.
pub async fn noted(
    session: &mut Session,
    college: CollegeId,
    athletes: i64,
) -> Result<Vec<Change>> {
    let chosen: Vec<(i64,)> = session
        .all(
            sql("SELECT DISTINCT athlete_id FROM college_transaction_change \
                 WHERE college_id = $1 ORDER BY athlete_id LIMIT $2")
            .bind(college)
            .bind(athletes),
        )
        .await?;
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let rows = |table: &'static str, id: Expr, sign: Expr| {
        let mut query = Query::select();
        query
            .from_as(table, "t")
            .expr_as(id, "id")
            .expr_as(sign.clone(), "count")
            .and_where(own("college_id").eq(college.get()))
            .and_where(own("athlete_id").among(chosen.iter().map(|(id,)| *id)));
        for column in
            ["athlete_id", "occurred_at", "source", "sport_id", "category_id", "payment_type"]
        {
            query.expr_as(own(column), column);
        }
        for column in ["gross_cents", "fee_cents", "net_cents", "refunded_cents"] {
            query.expr_as(sign.clone().mul(own(column)), column);
        }
        query
    };
    let (none, one) = (Expr::cust("CAST(NULL AS BIGINT)"), Expr::cust("CAST(1 AS BIGINT)"));
    let mut now = rows("college_transaction", none, one);
    now.and_where(own("counted"));
    let mut noted = rows("college_transaction_change", own("id"), own("sign"));
    session.all(noted.union(UnionType::All, now).take()).await
}

/// The statements of one table for both engines: the insert, the columns that SQLite and PostgreSQL
/// read from each row of the list, and how a row that is there grows.
macro_rules! adding {
    ($sqlite:ident, $postgres:ident: $insert:literal, $cells:literal, $typed:literal, $grow:literal) => {
        const $sqlite: &str =
            concat!($insert, " SELECT $1, ", $cells, " FROM json_each($2) WHERE true ", $grow);
        const $postgres: &str =
            concat!($insert, " SELECT $1, ", $typed, " FROM jsonb_array_elements($2) ", $grow);
    };
}

adding!(TOTALS, TOTALS_ON_POSTGRES:
    "INSERT INTO college_total (college_id, dimension, month, key, athletes, count, gross_cents, \
     fee_cents, net_cents, refunded_cents)",
    "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, \
     value ->> 7, value ->> 8",
    "value ->> 0, (value ->> 1)::bigint, value ->> 2, (value ->> 3)::bigint, (value ->> 4)::bigint, \
     (value ->> 5)::bigint, (value ->> 6)::bigint, (value ->> 7)::bigint, (value ->> 8)::bigint",
    "ON CONFLICT (college_id, dimension, month, key) DO UPDATE SET \
     athletes = college_total.athletes + excluded.athletes, \
     count = college_total.count + excluded.count, \
     gross_cents = college_total.gross_cents + excluded.gross_cents, \
     fee_cents = college_total.fee_cents + excluded.fee_cents, \
     net_cents = college_total.net_cents + excluded.net_cents, \
     refunded_cents = college_total.refunded_cents + excluded.refunded_cents");
adding!(ATHLETES, ATHLETES_ON_POSTGRES:
    "INSERT INTO college_athletes (college_id, dimension, month, since, key, athletes)",
    "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4",
    "value ->> 0, (value ->> 1)::bigint, (value ->> 2)::bigint, value ->> 3, (value ->> 4)::bigint",
    "ON CONFLICT (college_id, dimension, month, since, key) DO UPDATE \
     SET athletes = college_athletes.athletes + excluded.athletes");
adding!(AMOUNTS, AMOUNTS_ON_POSTGRES:
    "INSERT INTO college_amount (college_id, grain, month, amount, count)",
    "value ->> 0, value ->> 1, value ->> 2, value ->> 3",
    "value ->> 0, (value ->> 1)::bigint, (value ->> 2)::bigint, (value ->> 3)::bigint",
    "ON CONFLICT (college_id, grain, month, amount) DO UPDATE \
     SET count = college_amount.count + excluded.count");

/// Adds to an institution's totals.
pub async fn add(session: &mut Session, college: CollegeId, added: Added) -> Result<()> {
    let totals = added.totals.into_iter().map(|((dimension, month, key), (athletes, sums))| {
        json!([
            dimension,
            month.0,
            key,
            athletes,
            sums.count,
            sums.gross_cents,
            sums.fee_cents,
            sums.net_cents,
            sums.refunded_cents
        ])
    });
    let athletes = added.athletes.into_iter().map(|((dimension, month, since, key), athletes)| {
        json!([dimension, month.0, since.0, key, athletes])
    });
    let amounts = added
        .amounts
        .into_iter()
        .map(|((grain, month, amount), count)| json!([grain, month.0, amount, count]));
    for (text, on_postgres, rows) in [
        (TOTALS, TOTALS_ON_POSTGRES, totals.collect::<Value>()),
        (ATHLETES, ATHLETES_ON_POSTGRES, athletes.collect()),
        (AMOUNTS, AMOUNTS_ON_POSTGRES, amounts.collect()),
    ] {
        if rows.as_array().is_some_and(|rows| !rows.is_empty()) {
            let rows = sql(text).on_postgres(on_postgres).bind(college).bind(rows);
            session.run(rows).await?;
        }
    }
    Ok(())
}

/// Removes changes that were added.
pub async fn forget(session: &mut Session, ids: Value) -> Result<()> {
    let text = "DELETE FROM college_transaction_change \
        WHERE id IN (SELECT value FROM json_each($1))";
    let on_postgres = "DELETE FROM college_transaction_change \
        WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text($1) AS ids (value))";
    session.run(sql(text).on_postgres(on_postgres).bind(ids)).await.map(|_| ())
}

/// Removes all changes noted for an institution that does not exist.
pub async fn forget_all(session: &mut Session, college: CollegeId) -> Result<()> {
    let text = "DELETE FROM college_transaction_change WHERE college_id = $1";
    session.run(sql(text).bind(college)).await.map(|_| ())
}

/// The institutions with noted changes, or whose totals were not divided by this edition of the
/// clocks.
pub async fn behind(session: &mut Session, clocks: &str) -> Result<Vec<CollegeId>> {
    let mut all = Vec::new();
    for stale in [
        "SELECT college_id FROM college_kept WHERE clocks < $1 ORDER BY clocks",
        "SELECT college_id FROM college_kept WHERE clocks > $1 ORDER BY clocks",
    ] {
        all.append(&mut session.all::<(CollegeId,)>(sql(stale).bind(clocks)).await?);
    }
    let noted = "SELECT college_id FROM college_transaction_change \
        ORDER BY college_id, athlete_id LIMIT 1";
    // Most of the time there is none, and that is all that is read.
    if session.exists(sql(noted)).await? {
        let noted = "SELECT DISTINCT college_id FROM college_transaction_change";
        all.append(&mut session.all(sql(noted)).await?);
    }
    let all: BTreeSet<_> = all.into_iter().map(|(college,)| college).collect();
    Ok(all.into_iter().collect())
}
