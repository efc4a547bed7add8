//! Brands with their accounts, as operators list them.

use sea_query::{Expr, Func, JoinType, Order, Query, SelectStatement};

use crate::accounts::UserStatus;
use crate::accounts::partners::{ExportPartners, ListPartners, PartnerAccount, PartnerSort};
use crate::error::Result;
use crate::kernel::{Listing, Paging, PartnerId};
use crate::storage::{Narrow as _, Session, contains};

fn rows(status: Option<UserStatus>, q: Option<&str>) -> SelectStatement {
    let texts = [("p", "company_name"), ("u", "email")];
    let mut rows = Query::select();
    rows.expr(Expr::cust(
        "p.id, p.user_id, p.company_name, p.business_category_id, k.name AS business_category, \
         u.first_name, u.last_name, u.email, u.status, p.hq_city, p.hq_state, p.listed, \
         (SELECT COUNT(*) FROM job j WHERE j.partner_id = p.id) AS jobs, p.created_at, p.updated_at",
    ))
    .from_as("partner", "p")
    .join_as(JoinType::InnerJoin, "app_user", "u", Expr::cust("u.id = p.user_id"))
    .join_as(
        JoinType::LeftJoin,
        "business_category",
        "k",
        Expr::cust("k.id = p.business_category_id"),
    )
    .only(("u", "status"), status)
    .cond_where(contains(texts.map(Expr::col), q));
    rows
}

/// A page of brands.
pub async fn page(
    session: &mut Session,
    wanted: &ListPartners,
    paging: Paging,
) -> Result<Listing<PartnerAccount>> {
    let name = Func::lower(Expr::col(("p", "company_name"))).into();
    let id = Expr::col(("p", "id"));
    let (key, order) = match wanted.sort.unwrap_or(PartnerSort::Newest) {
        PartnerSort::Newest => (id, Order::Desc),
        PartnerSort::Oldest => (id, Order::Asc),
        PartnerSort::NameUp => (name, Order::Asc),
        PartnerSort::NameDown => (name, Order::Desc),
    };
    let mut rows = rows(wanted.status.one(), wanted.q.as_deref());
    rows.only(("p", "id"), wanted.id.one()?)
        .order_by_expr(key, order.clone())
        .order_by(("p", "id"), order);
    session.page(rows, paging).await
}

/// The next brands in the order of their ids; empty after the last one.
pub async fn after(
    session: &mut Session,
    wanted: &ExportPartners,
    last: Option<PartnerId>,
    most: u64,
) -> Result<Vec<PartnerAccount>> {
    let mut rows = rows(wanted.status, wanted.q.as_deref());
    rows.behind([("p", "id")], Order::Asc, last.map(|last| [last.into()])).limit(most);
    session.all(rows).await
}
