//! Pages of contracts.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};

use super::contract::COLUMNS;
use crate::contracts::contract::{Contract, ContractStatus};
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Paging};
use crate::storage::{Among as _, Session};

/// Which contracts.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Of athletes whom this agent represents now.
    pub represented_by: AgentId,
    /// Of these athletes; none means all.
    pub athletes: Vec<AthleteId>,
    /// In these states; none means all.
    pub statuses: Vec<ContractStatus>,
}

/// A page of contracts, newest first.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    paging: Paging,
) -> Result<(Vec<Contract>, i64)> {
    let mut count = Query::select();
    count.expr(Expr::cust("COUNT(*)")).from("contract");
    let total = session.value(filtered(wanted, count)).await?;
    let mut rows = Query::select();
    rows.columns(COLUMNS.iter().copied()).from("contract");
    let mut rows = filtered(wanted, rows);
    rows.order_by("id", Order::Desc)
        .limit(paging.limit().unsigned_abs())
        .offset(paging.offset().unsigned_abs());
    Ok((session.all(rows).await?, total))
}

fn filtered(wanted: &Wanted, mut query: SelectStatement) -> SelectStatement {
    let represented = Query::select()
        .column("athlete_id")
        .from("representation")
        .and_where(Expr::col("agent_id").eq(wanted.represented_by.get()))
        .and_where(Expr::col("status").eq("active"))
        .to_owned();
    query.and_where(Expr::col("athlete_id").in_subquery(represented));
    if !wanted.athletes.is_empty() {
        let athletes = wanted.athletes.iter().map(|id| id.get());
        query.and_where(Expr::col("athlete_id").among(athletes));
    }
    if !wanted.statuses.is_empty() {
        let words = wanted.statuses.iter().map(|status| status.as_str());
        query.and_where(Expr::col("status").among(words));
    }
    query
}
