//! Accounts with their records, as operators list them.

use sea_query::{Expr, Func, Order, Query, SelectStatement, Value};

use crate::accounts::listed::{ExportAccounts, ListAccounts, Listed};
use crate::error::Result;
use crate::kernel::{FollowedPage, Identity, Listing, NameSort};
use crate::storage::{Key, Narrow as _, Session, contains, sorted};

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
    place: FollowedPage,
) -> Result<Listing<R>> {
    let name = Func::lower(Expr::col(("r", R::NAME)));
    let id = Expr::col(("r", "id"));
    let keys = match wanted.sort.unwrap_or(NameSort::Newest) {
        NameSort::Newest => vec![Key::down(id)],
        NameSort::Oldest => vec![Key::up(id)],
        NameSort::NameUp => vec![Key::up(name), Key::up(id)],
        NameSort::NameDown => vec![Key::down(name), Key::down(id)],
    };
    let mut rows = rows::<R>(wanted.status.one(), wanted.q.as_deref());
    rows.only(("r", "id"), wanted.id.one()?.map(Identity::number));
    session.follow(sorted(rows, keys), place).await
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
