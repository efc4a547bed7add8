//! Counts of applications and hires per step of a series.

use std::collections::HashMap;

use sea_query::{Cond, Expr, ExprTrait as _, IntoTableRef as _, JoinType, Query, SelectStatement};

use super::filter::{all_steps, in_step, persons};
use crate::error::Result;
use crate::figures::filter::Wanted;
use crate::figures::period::Step;
use crate::figures::transaction::TransactionSource;
use crate::storage::{Among as _, Session, contains, whose};

/// An invitation counts once it was accepted. An expired one counts if it led to a contract.
const APPLIED: &str = "(x.source <> 'invited' OR x.status NOT IN ('invited', 'declined', 'expired') \
    OR x.status = 'expired' AND x.id IN (SELECT hired.application_id FROM contract hired))";

/// Joins the job to `x`, whose athlete is joined as `a`, and applies the filter.
fn narrowed(query: &mut SelectStatement, wanted: &Wanted, amount: &'static str) {
    query
        .join_as(JoinType::InnerJoin, "job", "j", Expr::cust("j.id = x.job_id"))
        .cond_where(persons(wanted, "a", "id"));
    let mut all = Cond::all();
    if !wanted.categories.is_empty() {
        let categories = wanted.categories.iter().map(|id| id.get());
        all = all.add(Expr::col(("j", "category_id")).among(categories));
    }
    if !wanted.sources.is_empty() && !wanted.sources.contains(&TransactionSource::Platform) {
        all = all.add(Expr::cust("1 = 0"));
    }
    if let Some(least) = wanted.least {
        all = all.add(Expr::cust(amount).gte(least.get()));
    }
    if let Some(most) = wanted.most {
        all = all.add(Expr::cust(amount).lte(most.get()));
    }
    let brand = "(SELECT b.company_name FROM partner b WHERE b.id = j.partner_id)";
    all = all.add(contains(["a.display_name", brand].map(Expr::cust), wanted.words.as_deref()));
    query.cond_where(all);
}

fn by_step(query: &mut SelectStatement) {
    let place = || Expr::col(("step", "column1"));
    query.expr_as(place(), "place").add_group_by([place()]);
}

/// Counts the applications of the institution's athletes, and the athletes, per step.
pub async fn applied(
    session: &mut Session,
    wanted: &Wanted,
    steps: &[Step],
) -> Result<HashMap<i64, (i64, i64)>> {
    let mut query = Query::select();
    by_step(&mut query);
    // In this order: SQLite would go through all of the institution's athletes for each step.
    query
        .expr(Expr::cust("COUNT(*)"))
        .expr(Expr::cust("COUNT(DISTINCT x.athlete_id)"))
        .from_as("athlete", "a")
        .cross_join("application".into_table_ref().alias("x"))
        .and_where(Expr::cust("x.athlete_id = a.id"));
    narrowed(&mut query, wanted, "COALESCE(x.proposed_amount_cents, j.amount_cents)");
    query.cross_join(all_steps(steps));
    in_step(&mut query, Expr::col(("x", "created_at")));
    let college = whose(("a", "university_id"), !wanted.athletes.is_empty());
    query.and_where(college.eq(wanted.college.get())).and_where(Expr::cust(APPLIED));
    let found: Vec<(i64, i64, i64)> = session.all(query).await?;
    let keyed =
        found.into_iter().map(|(place, applications, athletes)| (place, (applications, athletes)));
    Ok(keyed.collect())
}

/// Counts the institution's athletes who were hired, per step.
pub async fn hired(
    session: &mut Session,
    wanted: &Wanted,
    steps: &[Step],
) -> Result<HashMap<i64, i64>> {
    let mut query = Query::select();
    by_step(&mut query);
    query
        .expr(Expr::cust("COUNT(*)"))
        .from(all_steps(steps))
        .cross_join("contract".into_table_ref().alias("x"))
        .join_as(JoinType::InnerJoin, "athlete", "a", Expr::cust("a.id = x.athlete_id"));
    in_step(&mut query, Expr::col(("x", "generated_at")));
    narrowed(&mut query, wanted, "x.agreed_amount_cents");
    query.and_where(Expr::col(("x", "college_id")).eq(wanted.college.get()));
    let found: Vec<(i64, i64)> = session.all(query).await?;
    Ok(found.into_iter().collect())
}
