//! Accounts with their records, as operators list them.

use sea_query::{Cond, Expr, Func, Order, Query, SelectStatement, Value};

use crate::accounts::listed::{ExportAccounts, ListAccounts, Listed};
use crate::error::Result;
use crate::kernel::{FollowedPage, Identity, Listing, NameSort};
use crate::storage::{Found, Key, Narrow as _, Session, contains};

fn rows<R: Listed>(status: Option<impl Into<Value>>, q: Option<&str>) -> SelectStatement {
    let mut rows = Query::select();
    rows.expr(Expr::cust(R::COLUMNS)).from_as(R::TABLE, "r");
    for (join, table, alias, on) in R::BESIDE {
        rows.join_as(*join, *table, *alias, Expr::cust(*on));
    }
    rows.only((R::HOLDER, "status"), status).cond_where(naming::<R>(q));
    rows
}

fn naming<R: Listed>(q: Option<&str>) -> Cond {
    contains([("r", R::NAME), (R::HOLDER, "email")].map(Expr::col), q)
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
    let (status, q) = (wanted.status.one(), wanted.q.as_deref());
    let id = wanted.id.one()?.map(Identity::number);
    let mut rows = rows::<R>(status, q);
    rows.only(("r", "id"), id);
    let found = if status.is_none() && naming::<R>(q).is_empty() {
        // Every record has its account: what stands beside records changes nothing in their number.
        let mut count = Query::select().from_as(R::TABLE, "r").take();
        count.expr(Expr::cust("COUNT(*)")).only(("r", "id"), id);
        Found::counted_by(rows, count)
    } else {
        rows.into()
    };
    session.follow(found.sorted(keys), place).await
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
