//! What is left to pay of earnings under contracts: one query for deliverables and for commission.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::kernel::ContractId;
use crate::storage::Among as _;

/// A kind of earnings under contracts, and the table of what payments settled of it.
pub(super) struct Earnings {
    /// The table of the earnings.
    pub(super) table: &'static str,
    /// Its amount column.
    pub(super) amount: &'static str,
    /// The table of the settled shares.
    pub(super) shares: &'static str,
    /// Its column that refers to the earning.
    pub(super) named: &'static str,
}

/// A query of contract, id and unsettled cents of the earnings under contracts; the table's alias
/// is `w`.
pub(super) fn left_to_pay(what: &Earnings, contracts: &[ContractId]) -> SelectStatement {
    Query::select()
        .expr(Expr::cust(format!(
            "w.contract_id, w.id, w.{} - CAST(COALESCE(SUM( \
             CASE WHEN p.status <> 'failed' THEN s.amount_cents ELSE 0 END), 0) AS BIGINT) \
             AS left_cents",
            what.amount
        )))
        .from_as(what.table, "w")
        .join_as(
            JoinType::LeftJoin,
            what.shares,
            "s",
            Expr::col(("s", what.named)).equals(("w", "id")),
        )
        .join_as(
            JoinType::LeftJoin,
            "payment",
            "p",
            Expr::col(("p", "id")).equals(("s", "payment_id")),
        )
        .and_where(Expr::col(("w", "contract_id")).among(contracts.iter().map(|id| id.get())))
        .group_by_col(("w", "id"))
        .take()
}
