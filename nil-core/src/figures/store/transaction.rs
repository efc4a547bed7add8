//! Transactions, with the names that belong to them.

use sea_query::{Cond, Expr, ExprTrait as _, Func, JoinType, Order, SelectStatement};

use super::filter::{late, listed, own};
use crate::error::Result;
use crate::figures::browsing::TransactionSort;
use crate::figures::filter::Wanted;
use crate::figures::transaction::{Transaction, TransactionSource};
use crate::kernel::{DisclosedJobId, JobId, Paging};
use crate::storage::Session;

/// How many rows an export reads at once.
const AT_ONCE: u64 = 500;

const NUMBER: &str = "COALESCE(p.number, 'DISCLOSED-' || t.record_id)";
const PAYER: &str = "COALESCE(b.company_name, d.payer_name)";

/// Joins what a transaction's names stand in.
fn joined(mut query: SelectStatement) -> SelectStatement {
    for (kind, table, alias, of) in [
        (JoinType::InnerJoin, "athlete", "a", "athlete_id"),
        (JoinType::LeftJoin, "sport", "s", "sport_id"),
        (JoinType::InnerJoin, "job_category", "k", "category_id"),
        (JoinType::LeftJoin, "contract", "c", "contract_id"),
    ] {
        query.join_as(kind, table, alias, Expr::col((alias, "id")).eq(own(of)));
    }
    for (table, alias, source) in [
        ("payment", "p", TransactionSource::Platform),
        ("disclosed_job", "d", TransactionSource::Disclosed),
    ] {
        let of = own("source").eq(source.as_str());
        let of = of.and(Expr::col((alias, "id")).eq(own("record_id")));
        query.join_as(JoinType::LeftJoin, table, alias, of);
    }
    let payer = Expr::col(("b", "id")).equals(("p", "partner_id"));
    query.join_as(JoinType::LeftJoin, "partner", "b", payer);
    query
}

fn records(wanted: &Wanted, query: SelectStatement) -> SelectStatement {
    let mut query = joined(query);
    for column in [
        "source",
        "athlete_id",
        "sport_id",
        "gender",
        "category_id",
        "payment_type",
        "gross_cents",
        "fee_cents",
        "net_cents",
        "refunded_cents",
        "status",
        "occurred_at",
        "contract_id",
        "over_threshold",
        "prohibited_category",
        "conflict_sponsor",
        "associated_entity",
        "minor",
    ] {
        query.expr_as(own(column), column);
    }
    for (expression, name) in [
        ("t.record_id", "id"),
        (NUMBER, "number"),
        ("a.display_name", "athlete"),
        ("s.name", "sport"),
        ("p.partner_id", "partner_id"),
        (PAYER, "payer"),
        ("k.name", "category"),
        ("COALESCE(p.currency, 'usd')", "currency"),
        ("c.job_id", "job_id"),
        ("p.id", "payment_id"),
        ("d.id", "disclosed_job_id"),
        ("COALESCE(p.created_at, d.created_at)", "created_at"),
        ("COALESCE(p.updated_at, d.updated_at)", "updated_at"),
    ] {
        query.expr_as(Expr::cust(expression), name);
    }
    query.expr_as(late(wanted.now), "late");
    query
}

fn newest_first(query: &mut SelectStatement) {
    for column in ["occurred_at", "source", "record_id"] {
        query.order_by(("t", column), Order::Desc);
    }
}

/// A page of transactions, and how many there are.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    words: &str,
    sort: TransactionSort,
    paging: Paging,
) -> Result<(Vec<Transaction>, i64)> {
    let mut count = listed(wanted);
    count.expr(Expr::cust("COUNT(*)"));
    let mut page = records(wanted, listed(wanted));
    if !words.is_empty() {
        count = joined(count);
        for query in [&mut count, &mut page] {
            query.cond_where(naming(words));
        }
    }
    match sort {
        TransactionSort::Newest => {}
        TransactionSort::Oldest => {
            for column in ["occurred_at", "source", "record_id"] {
                page.order_by(("t", column), Order::Asc);
            }
        }
        TransactionSort::Greatest => {
            page.order_by(("t", "gross_cents"), Order::Desc);
        }
        TransactionSort::Least => {
            page.order_by(("t", "gross_cents"), Order::Asc);
        }
    }
    newest_first(&mut page);
    page.limit(paging.limit().unsigned_abs()).offset(paging.offset().unsigned_abs());
    let total = session.value(count).await?;
    Ok((session.all(page).await?, total))
}

/// Only where the number or a name holds these words.
fn naming(words: &str) -> Cond {
    let pattern = format!("%{}%", words.to_lowercase().replace(['%', '_'], " "));
    [NUMBER, "a.display_name", PAYER].into_iter().fold(Cond::any(), |any, text| {
        any.add(Expr::expr(Func::lower(Expr::cust(text))).like(pattern.clone()))
    })
}

/// The next transactions, newest first; none after the last one.
pub async fn after(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<&Transaction>,
) -> Result<Vec<Transaction>> {
    let mut query = records(wanted, listed(wanted));
    if let Some(last) = last {
        let at = || own("occurred_at");
        let source = || own("source");
        let earlier = own("record_id").lt(last.id);
        let same = source().eq(last.source.as_str()).and(earlier);
        let further = source().lt(last.source.as_str()).or(same);
        // The first condition alone lets the index find the place.
        query
            .and_where(at().lte(last.occurred_at))
            .and_where(at().lt(last.occurred_at).or(further));
    }
    newest_first(&mut query);
    query.limit(AT_ONCE);
    session.all(query).await
}

/// What was paid under an athlete's contracts for a job, or the one disclosed job; newest first.
pub async fn of_deal(
    session: &mut Session,
    wanted: &Wanted,
    deal: Deal,
) -> Result<Vec<Transaction>> {
    let mut query = records(wanted, listed(wanted));
    match deal {
        Deal::Job(job) => query.and_where(Expr::col(("c", "job_id")).eq(job.get())),
        Deal::Disclosed(id) => query.and_where(Expr::col(("d", "id")).eq(id.get())),
    };
    newest_first(&mut query);
    session.all(query).await
}

/// Which deal of an athlete.
#[derive(Clone, Copy, Debug)]
pub enum Deal {
    /// For a job of the platform.
    Job(JobId),
    /// Made elsewhere.
    Disclosed(DisclosedJobId),
}
