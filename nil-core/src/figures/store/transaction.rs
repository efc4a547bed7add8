//! Transactions, with names from other tables.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, SelectStatement};

use super::filter::{late, listed, own};
use crate::error::Result;
use crate::figures::filter::Wanted;
use crate::figures::transaction::{Transaction, TransactionSort, TransactionSource};
use crate::kernel::{DisclosedJobId, FollowedPage, JobId, Listing};
use crate::storage::{Found, Key, Narrow as _, Session, contains};

const NUMBER: &str = "COALESCE(p.number, 'DISCLOSED-' || t.record_id)";
const PAYER: &str = "COALESCE(b.company_name, d.payer_name)";

/// The columns that a transaction has in its own row, in lists and in exports.
pub const OWN: [&str; 16] = [
    "source",
    "athlete_id",
    "gender",
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
];

/// The names of a transaction from [`joined`] tables.
pub const NAMES: [(&str, &str); 6] = [
    (NUMBER, "number"),
    ("a.display_name", "athlete"),
    ("s.name", "sport"),
    (PAYER, "payer"),
    ("k.name", "category"),
    ("COALESCE(p.currency, 'usd')", "currency"),
];

/// Joins the tables with a transaction's names.
pub fn joined(mut query: SelectStatement) -> SelectStatement {
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
    for column in OWN.into_iter().chain(["sport_id", "category_id"]) {
        query.expr_as(own(column), column);
    }
    for (expression, name) in [
        ("t.record_id", "id"),
        ("p.partner_id", "partner_id"),
        ("c.job_id", "job_id"),
        ("p.id", "payment_id"),
        ("d.id", "disclosed_job_id"),
        ("COALESCE(p.created_at, d.created_at)", "created_at"),
        ("COALESCE(p.updated_at, d.updated_at)", "updated_at"),
    ]
    .into_iter()
    .chain(NAMES)
    {
        query.expr_as(Expr::cust(expression), name);
    }
    query.expr_as(late(wanted.now), "late");
    query
}

/// The unique sort key of transactions.
pub const KEYS: [(&str, &str); 3] = [("t", "occurred_at"), ("t", "source"), ("t", "record_id")];

/// A page of transactions.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    sort: TransactionSort,
    place: FollowedPage,
) -> Result<Listing<Transaction>> {
    // With the names joined anyway, they are searched there.
    let mut wanted = wanted.clone();
    let words = wanted.words.take();
    let naming = contains([NUMBER, "a.display_name", PAYER].map(Expr::cust), words.as_deref());
    let mut count = listed(&wanted);
    if !naming.is_empty() {
        count = joined(count);
    }
    count.expr(Expr::cust("COUNT(*)")).cond_where(naming.clone());
    let mut rows = records(&wanted, listed(&wanted));
    rows.cond_where(naming);
    let (amount, order) = match sort {
        TransactionSort::Oldest => (None, Order::Asc),
        TransactionSort::Newest => (None, Order::Desc),
        TransactionSort::Greatest => (Some(Key::down(own("gross_cents"))), Order::Desc),
        TransactionSort::Least => (Some(Key::up(own("gross_cents"))), Order::Desc),
    };
    let keys = KEYS.map(|key| Key::of(Expr::col(key), order.clone()));
    let found = Found::counted_by(rows, count);
    session.follow(found.sorted(amount.into_iter().chain(keys)), place).await
}

/// The payments under an athlete's contracts for a job, or the one disclosed job; newest first.
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
    query.behind(KEYS, Order::Desc, None);
    session.all(query).await
}

/// A deal of an athlete.
#[derive(Clone, Copy, Debug)]
pub enum Deal {
    /// For a job of the platform.
    Job(JobId),
    /// Made elsewhere.
    Disclosed(DisclosedJobId),
}
