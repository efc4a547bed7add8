//! Deals of an institution, as they are compared with others.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::auth::PortalUser;
use crate::compensation::{Person, Work};
use crate::error::Result;
use crate::jobs::{Compensation, MediaPlatform};
use crate::kernel::{CategoryId, Cents, ContractId, DisclosedJobId};
use crate::storage::{FromRow, Narrow as _, Session};

/// A deal to compare.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Deal {
    category_id: CategoryId,
    platform: Option<MediaPlatform>,
    pieces: Option<i64>,
    compensation: Compensation,
    amount_cents: Cents,
    #[row(flatten)]
    pub person: Person,
}

impl Deal {
    pub fn work(&self) -> Work {
        Work { category: self.category_id, platform: self.platform, pieces: self.pieces }
    }

    /// Its amount; none for a share of sales.
    pub fn amount(&self) -> Option<Cents> {
        let comparable = !self.compensation.is_share_of_sales() && self.amount_cents.is_positive();
        comparable.then_some(self.amount_cents)
    }
}

/// Deals `x` of the caller's institution and sports, with the facts of the athlete.
fn own(table: &'static str, caller: &PortalUser) -> SelectStatement {
    let mut query = Query::select();
    query
        .from_as(table, "x")
        .join_as(JoinType::InnerJoin, "athlete", "a", Expr::cust("a.id = x.athlete_id"))
        .join_as(JoinType::InnerJoin, "college", "u", Expr::cust("u.id = x.college_id"))
        .and_where(Expr::col(("x", "college_id")).eq(caller.college_id.get()))
        .only_among(("a", "sport_id"), caller.sports.iter().copied());
    for (expression, name) in [
        ("u.division", "division"),
        ("a.sport_id", "sport_id"),
        (
            "CAST(COALESCE((SELECT SUM(f.followers) FROM athlete_social f \
             WHERE f.athlete_id = x.athlete_id), 0) AS BIGINT)",
            "followers",
        ),
    ] {
        query.expr_as(Expr::cust(expression), name);
    }
    query
}

/// A contract of the institution. 404 for any other.
pub async fn contract(session: &mut Session, caller: &PortalUser, id: ContractId) -> Result<Deal> {
    let mut query = own("contract", caller);
    query
        .join_as(JoinType::InnerJoin, "job", "j", Expr::cust("j.id = x.job_id"))
        .and_where(Expr::col(("x", "id")).eq(id.get()));
    for (expression, name) in [
        ("j.category_id", "category_id"),
        ("j.compensation", "compensation"),
        ("x.agreed_amount_cents + COALESCE(j.product_value_cents, 0)", "amount_cents"),
        (
            "(SELECT CASE WHEN COUNT(DISTINCT m.platform) = 1 THEN MIN(m.platform) END \
             FROM milestone m WHERE m.job_id = x.job_id)",
            "platform",
        ),
        (
            "(SELECT CAST(SUM(m.quantity) AS BIGINT) FROM milestone m WHERE m.job_id = x.job_id)",
            "pieces",
        ),
    ] {
        query.expr_as(Expr::cust(expression), name);
    }
    session.one(query).await
}

/// A disclosed job of the institution that was handed in. 404 for any other.
pub async fn disclosed(
    session: &mut Session,
    caller: &PortalUser,
    id: DisclosedJobId,
) -> Result<Deal> {
    let mut query = own("disclosed_job", caller);
    query
        .and_where(Expr::col(("x", "id")).eq(id.get()))
        .and_where(Expr::cust("x.first_submitted_at IS NOT NULL"));
    for (expression, name) in [
        ("x.category_id", "category_id"),
        ("x.compensation", "compensation"),
        ("x.amount_cents", "amount_cents"),
        ("CAST(NULL AS TEXT)", "platform"),
        ("CAST(NULL AS BIGINT)", "pieces"),
    ] {
        query.expr_as(Expr::cust(expression), name);
    }
    session.one(query).await
}
