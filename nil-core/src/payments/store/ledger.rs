//! The rows of the ledger.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sea_query::{
    Expr, ExprTrait as _, JoinType, LockType, Order, Query, SelectStatement, TableRef, ValueTuple,
};

use super::CHUNK;
use crate::error::Result;
use crate::kernel::{ByAge, Cents, FollowedPage, Limit, Listing, Time, TransferId};
use crate::payments::ledger::{LedgerEntry, Reason, Transfer};
use crate::storage::{Among as _, Found, Key, Session, contains, insert, sorted, sql};

/// Locks accounts in the order of their names; returns the balances of those that exist.
pub async fn lock(
    session: &mut Session,
    names: &BTreeSet<String>,
) -> Result<BTreeMap<String, Cents>> {
    let rows: Vec<(String, Cents)> = session
        .all(
            Query::select()
                .columns(["name", "balance_cents"])
                .from("ledger_account")
                .and_where(Expr::col("name").among(names.iter().map(String::as_str)))
                .order_by("name", Order::Asc)
                .lock(LockType::Update)
                .take(),
        )
        .await?;
    Ok(rows.into_iter().collect())
}

/// Creates missing accounts with a zero balance.
pub async fn make(session: &mut Session, names: &[&String]) -> Result<()> {
    let mut rows = insert("ledger_account").unless_exists(&["name"]);
    for name in names {
        rows = rows.set("name", name.as_str()).set("balance_cents", Cents::ZERO).row();
    }
    session.run(rows).await.map(|_| ())
}

/// Adds to balances; the accounts must exist and be locked.
pub async fn change_balances(
    session: &mut Session,
    changes: &BTreeMap<String, Cents>,
) -> Result<()> {
    let changes: Vec<(&String, &Cents)> =
        changes.iter().filter(|(_, amount)| **amount != Cents::ZERO).collect();
    for chunk in changes.chunks(CHUNK) {
        let values = chunk
            .iter()
            .map(|(name, amount)| ValueTuple::Two((*name).clone().into(), (**amount).into()))
            .collect();
        let statement = Query::update()
            .table("ledger_account")
            .value(
                "balance_cents",
                Expr::col(("ledger_account", "balance_cents")).add(Expr::col(("by", "column2"))),
            )
            .from(TableRef::ValuesList(values, "by".into()))
            .and_where(Expr::col(("ledger_account", "name")).equals(("by", "column1")))
            .take();
        session.run(statement).await?;
    }
    Ok(())
}

/// Writes the transfers that do not exist yet; returns their ids.
pub async fn add_transfers<'a>(
    session: &mut Session,
    at: Time,
    transfers: &'a [Transfer],
) -> Result<HashMap<(Reason, &'a str), TransferId>> {
    let mut written = HashMap::new();
    for chunk in transfers.chunks(CHUNK) {
        let mut rows = insert("ledger_transfer").unless_exists(&["reason", "refers_to"]);
        for transfer in chunk {
            rows = rows
                .set("reason", transfer.reason)
                .set("refers_to", transfer.refers_to.clone())
                .set("at", at)
                .row();
        }
        let rows: Vec<(TransferId, Reason, String)> =
            session.all(rows.returning(&["id", "reason", "refers_to"])).await?;
        let ids: HashMap<(Reason, String), TransferId> =
            rows.into_iter().map(|(id, reason, refers_to)| ((reason, refers_to), id)).collect();
        for transfer in chunk {
            let key = (transfer.reason, transfer.refers_to.clone());
            if let Some(id) = ids.get(&key) {
                written.insert((transfer.reason, transfer.refers_to.as_str()), *id);
            }
        }
    }
    Ok(written)
}

/// An entry to insert.
pub struct Entry {
    pub transfer_id: TransferId,
    pub account: String,
    pub amount: Cents,
    pub balance_after: Cents,
}

/// Writes entries, in this order.
pub async fn add_entries(session: &mut Session, entries: &[Entry]) -> Result<()> {
    for chunk in entries.chunks(4 * CHUNK) {
        let mut rows = insert("ledger_entry");
        for entry in chunk {
            rows = rows
                .set("transfer_id", entry.transfer_id)
                .set("account", entry.account.clone())
                .set("amount_cents", entry.amount)
                .set("balance_after_cents", entry.balance_after)
                .row();
        }
        session.run(rows).await?;
    }
    Ok(())
}

/// How many of the newest transfers do not sum to zero, or have no entries.
pub async fn unbalanced_lately(session: &mut Session) -> Result<i64> {
    session
        .value(sql("SELECT COUNT(*) FROM (SELECT t.id FROM ledger_transfer t \
             LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
             WHERE t.id > (SELECT COALESCE(MAX(id), 0) - 500 FROM ledger_transfer) GROUP BY t.id \
             HAVING COALESCE(SUM(e.amount_cents), 1) <> 0) u"))
        .await
}

/// The balances of these accounts; those that were never used are left out.
pub async fn balances(
    session: &mut Session,
    accounts: &[String],
) -> Result<HashMap<String, Cents>> {
    let rows: Vec<(String, Cents)> = session
        .all(
            Query::select()
                .columns(["name", "balance_cents"])
                .from("ledger_account")
                .and_where(Expr::col("name").among(accounts.iter().map(String::as_str)))
                .take(),
        )
        .await?;
    Ok(rows.into_iter().collect())
}

/// A page of the entries of some accounts.
pub async fn entries(
    session: &mut Session,
    accounts: &[String],
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<LedgerEntry>> {
    let mut rows = shown(accounts);
    let texts = ["reason", "refers_to"].map(|text| Expr::col(("t", text)));
    rows.cond_where(contains(texts, sift.words()));
    let id = Key::of(Expr::col(("e", "id")), sift.order());
    if sift.words().is_some() {
        return session.follow(sorted(rows, [id]), place).await;
    }
    // Without words no transfer need be read to count.
    let count = of_accounts(accounts).expr(Expr::cust("COUNT(*)")).take();
    session.follow(Found::counted_by(rows, count).sorted([id]), place).await
}

/// The newest entries of these accounts, at most `limit`.
pub async fn newest(
    session: &mut Session,
    accounts: &[String],
    limit: Limit,
) -> Result<Vec<LedgerEntry>> {
    session.all(newest_first(accounts).limit(limit.get().unsigned_abs()).take()).await
}

fn of_accounts(accounts: &[String]) -> SelectStatement {
    Query::select()
        .from_as("ledger_entry", "e")
        .and_where(Expr::col(("e", "account")).among(accounts.iter().map(String::as_str)))
        .take()
}

fn newest_first(accounts: &[String]) -> SelectStatement {
    shown(accounts).order_by(("e", "id"), Order::Desc).take()
}

fn shown(accounts: &[String]) -> SelectStatement {
    let on = Expr::col(("t", "id")).equals(("e", "transfer_id"));
    of_accounts(accounts)
        .expr(Expr::cust(
            "e.id, e.transfer_id, e.account, e.amount_cents, e.balance_after_cents, t.reason, \
             t.refers_to, t.at",
        ))
        .join_as(JoinType::InnerJoin, "ledger_transfer", "t", on)
        .take()
}
