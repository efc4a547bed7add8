//! Payments as compliance officers see them.

use sea_query::{Cond, Expr, ExprTrait as _, Func, JoinType, Order, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::{CollegeId, Paging};
use crate::payments::reviewing::{ListTransactions, Scope, Transaction, TransactionSource};
use crate::storage::{Session, sql};

/// The time zone of an institution.
pub(in crate::payments) async fn time_zone(
    session: &mut Session,
    college: CollegeId,
) -> Result<String> {
    session
        .value(sql("SELECT time_zone FROM college WHERE id = $1").bind(college))
        .await
}

const RECORD: &str = "p.id, p.number, 'platform' AS source, p.athlete_id, \
    a.display_name AS athlete, s.name AS sport, a.gender, p.partner_id, b.company_name AS payer, \
    k.name AS category, j.compensation AS payment_type, p.amount_cents AS gross_cents, \
    p.fee_cents, p.amount_cents - p.agent_commission_cents AS net_cents, p.refunded_cents, \
    p.currency, p.status, COALESCE(p.paid_at, p.created_at) AS occurred_at, p.contract_id, \
    a.date_of_birth, p.created_at, p.updated_at";

fn joined(mut query: SelectStatement, scope: &Scope, wanted: &ListTransactions) -> SelectStatement {
    query.from_as("payment", "p");
    for (kind, table, alias, of) in [
        (JoinType::InnerJoin, "athlete", "a", ("p", "athlete_id")),
        (JoinType::LeftJoin, "sport", "s", ("a", "sport_id")),
        (JoinType::InnerJoin, "partner", "b", ("p", "partner_id")),
        (JoinType::InnerJoin, "contract", "c", ("p", "contract_id")),
        (JoinType::InnerJoin, "job", "j", ("c", "job_id")),
        (
            JoinType::InnerJoin,
            "job_category",
            "k",
            ("j", "category_id"),
        ),
    ] {
        query.join_as(kind, table, alias, Expr::col((alias, "id")).equals(of));
    }
    query.and_where(Expr::col(("p", "college_id")).eq(scope.college.get()));
    if !scope.sports.is_empty() {
        let sports = scope.sports.iter().map(|sport| sport.get());
        query.and_where(Expr::col(("a", "sport_id")).is_in(sports));
    }
    let occurred = || Expr::cust("COALESCE(p.paid_at, p.created_at)");
    if let Some(from) = scope.from {
        query.and_where(occurred().gte(from));
    }
    if let Some(until) = scope.until {
        query.and_where(occurred().lt(until));
    }
    narrow(&mut query, wanted);
    query
}

fn narrow(query: &mut SelectStatement, wanted: &ListTransactions) {
    let mut among = |column: (&'static str, &'static str), values: Vec<sea_query::Value>| {
        if !values.is_empty() {
            query.and_where(Expr::col(column).is_in(values));
        }
    };
    let sports = wanted.sport_ids.as_deref().unwrap_or_default();
    among(
        ("a", "sport_id"),
        sports.iter().map(|id| (*id).into()).collect(),
    );
    let genders = wanted.genders.as_deref().unwrap_or_default();
    among(
        ("a", "gender"),
        genders.iter().map(|word| word.clone().into()).collect(),
    );
    let athletes = wanted.athlete_ids.as_deref().unwrap_or_default();
    among(
        ("p", "athlete_id"),
        athletes.iter().map(|id| (*id).into()).collect(),
    );
    let categories = wanted.category_ids.as_deref().unwrap_or_default();
    among(
        ("j", "category_id"),
        categories.iter().map(|id| (*id).into()).collect(),
    );
    let statuses = wanted.statuses.as_deref().unwrap_or_default();
    among(
        ("p", "status"),
        statuses.iter().map(|word| (*word).into()).collect(),
    );
    let sources = wanted.sources.as_deref().unwrap_or_default();
    if !sources.is_empty() && !sources.contains(&TransactionSource::Platform) {
        query.and_where(Expr::cust("1 = 0"));
    }
    if let Some(least) = wanted.min_cents {
        query.and_where(Expr::col(("p", "amount_cents")).gte(least.get()));
    }
    if let Some(most) = wanted.max_cents {
        query.and_where(Expr::col(("p", "amount_cents")).lte(most.get()));
    }
    if let Some(q) = wanted.q.as_deref().filter(|q| !q.trim().is_empty()) {
        let pattern = format!("%{}%", q.trim().to_lowercase().replace(['%', '_'], " "));
        let mut any = Cond::any();
        for column in [
            ("p", "number"),
            ("a", "display_name"),
            ("b", "company_name"),
        ] {
            any = any.add(Expr::expr(Func::lower(Expr::col(column))).like(pattern.clone()));
        }
        query.cond_where(any);
    }
}

/// A page of transactions, newest first, and how many there are.
pub(in crate::payments) async fn page(
    session: &mut Session,
    scope: &Scope,
    wanted: &ListTransactions,
    paging: Paging,
) -> Result<(Vec<Transaction>, i64)> {
    let count = Query::select().expr(Expr::cust("COUNT(*)")).to_owned();
    let total = session.value(joined(count, scope, wanted)).await?;
    let mut page = joined(
        Query::select().expr(Expr::cust(RECORD)).to_owned(),
        scope,
        wanted,
    );
    page.order_by(("p", "id"), Order::Desc)
        .limit(paging.limit().unsigned_abs())
        .offset(paging.offset().unsigned_abs());
    Ok((session.all(page).await?, total))
}
