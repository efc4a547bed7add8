//! The rows of addresses that take no more messages, and of reports about messages.

use std::collections::BTreeSet;

use sea_query::{Expr, ExprTrait as _, LockType, Query};

use super::super::undeliverable::{ListUndeliverable, Undeliverable, WhyUndeliverable, compared};
use crate::error::Result;
use crate::kernel::{ByAge, FollowedPage, Listing, OutboxId, Time, UndeliverableId};
use crate::ports::courier::Channel;
use crate::storage::{
    Among as _, Key, Narrow as _, Selected as _, Session, contains, insert, sorted, sql,
};

const TABLE: &str = "undeliverable";

/// Notes that an address takes no more messages; the first reason stays. None if it was known.
pub async fn note(
    session: &mut Session,
    (channel, address): (Channel, &str),
    why: WhyUndeliverable,
    now: Time,
) -> Result<Option<UndeliverableId>> {
    let row = insert(TABLE)
        .set("channel", channel)
        .set("address", compared(address))
        .set("why", why)
        .set("since", now)
        .unless_exists(&["channel", "address"]);
    let added: Option<(UndeliverableId,)> = session.first(row.returning(&["id"])).await?;
    Ok(added.map(|(id,)| id))
}

/// Those of these addresses of a channel that take no more messages, in small letters.
pub async fn among(
    session: &mut Session,
    channel: Channel,
    addresses: impl Iterator<Item = &str>,
) -> Result<BTreeSet<String>> {
    let addresses: BTreeSet<String> = addresses.map(compared).collect();
    if addresses.is_empty() {
        return Ok(addresses);
    }
    let mut rows = Query::select();
    rows.column("address")
        .from(TABLE)
        .and_where(Expr::col("channel").eq(channel.as_str()))
        .and_where(Expr::col("address").among(addresses.iter().map(String::as_str)));
    let rows: Vec<(String,)> = session.all(rows).await?;
    Ok(rows.into_iter().map(|(address,)| address).collect())
}

/// Lets messages go to an address again; whether they did not.
pub async fn lift(session: &mut Session, channel: Channel, address: &str) -> Result<bool> {
    let gone = sql("DELETE FROM undeliverable WHERE channel = $1 AND address = $2")
        .bind(channel)
        .bind(compared(address));
    Ok(session.run(gone).await? > 0)
}

/// An address, locked until the transaction ends. 404 for an unknown one.
pub async fn locked(session: &mut Session, id: UndeliverableId) -> Result<Undeliverable> {
    let mut row = Query::select();
    row.columns(Undeliverable::COLUMNS.iter().copied())
        .from(TABLE)
        .only("id", Some(id))
        .lock(LockType::NoKeyUpdate);
    session.one(row).await
}

/// The addresses that match.
pub async fn page(
    session: &mut Session,
    wanted: &ListUndeliverable,
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<Undeliverable>> {
    let mut rows = Query::select();
    rows.columns(Undeliverable::COLUMNS.iter().copied())
        .from(TABLE)
        .only("why", wanted.why)
        .cond_where(contains([Expr::col("address")], sift.words()));
    session.follow(sorted(rows, [Key::of(Expr::col("id"), sift.order())]), place).await
}

/// Notes that a report has been heard; `false` if it had been before.
pub async fn heard(session: &mut Session, id: &str, now: Time) -> Result<bool> {
    let row = insert("delivery_report").set("id", id).set("received_at", now);
    Ok(session.run(row.unless_exists(&["id"])).await? > 0)
}

/// The number to which a text message went; none if there is no such message.
pub async fn number_of(session: &mut Session, id: OutboxId) -> Result<Option<String>> {
    let row: Option<(Option<String>,)> = session
        .first(sql("SELECT address FROM outbox WHERE id = $1 AND channel = 'sms'").bind(id))
        .await?;
    Ok(row.and_then(|(address,)| address))
}
