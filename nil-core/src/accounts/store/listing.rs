//! Accounts with their records, as operators list them.

use sea_query::{Expr, Func, Order, Query, SelectStatement, Value};

use crate::accounts::listing::{AccountSort, ExportAccounts, ListAccounts, Listed};
use crate::error::Result;
use crate::kernel::{Identity, Listing, Paging};
use crate::storage::{Narrow as _, Session, contains};

fn rows<R: Listed>(status: Option<impl Into<Value>>, q: Option<&str>) -> SelectStatement {
    let texts = [("r", R::NAME), (R::HOLDER, "email")];
    let mut rows = Query::select();
    rows.expr(Expr::cust(R::COLUMNS)).from_as(R::TABLE, "r");
    for (join, table, alias, on) in R::BESIDE {
        rows.join_as(*join, *table, *alias, Expr::cust(*on));
    }
    rows.only((R::HOLDER, "status"), status).cond_where(contains(texts.map(Expr::col), q));
    rows
}

/// A page of rows.
pub async fn page<R: Listed>(
    session: &mut Session,
    wanted: &ListAccounts<R::Status, R::Id>,
    paging: Paging,
) -> Result<Listing<R>> {
    let name = Func::lower(Expr::col(("r", R::NAME))).into();
    let id = Expr::col(("r", "id"));
    let (key, order) = match wanted.sort.unwrap_or(AccountSort::Newest) {
        AccountSort::Newest => (id, Order::Desc),
        AccountSort::Oldest => (id, Order::Asc),
        AccountSort::NameUp => (name, Order::Asc),
        AccountSort::NameDown => (name, Order::Desc),
    };
    let mut rows = rows::<R>(wanted.status.one(), wanted.q.as_deref());
    rows.only(("r", "id"), wanted.id.one()?.map(Identity::number))
        .order_by_expr(key, order.clone())
        .order_by(("r", "id"), order);
    session.page(rows, paging).await
}

/// The next rows in the order of their ids; empty after the last one.
pub async fn after<R: Listed<Status = crate::accounts::UserStatus>>(
    session: &mut Session,
    wanted: &ExportAccounts,
    last: Option<R::Id>,
    most: u64,
) -> Result<Vec<R>> {
    let mut rows = rows::<R>(wanted.status, wanted.q.as_deref());
    let last = last.map(|last| [last.number().into()]);
    rows.behind([("r", "id")], Order::Asc, last).limit(most);
    session.all(rows).await
}
