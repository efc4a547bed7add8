//! The outbox as the worker processes it.

use std::collections::BTreeSet;

use sea_query::{Expr, ExprTrait as _, LockBehavior, LockType, Order, Query};
use serde_json::Value;

use super::super::Event;
use super::super::outbox::{Channel, OutboxStatus};
use crate::error::Result;
use crate::kernel::{OutboxId, Time};
use crate::storage::{Among as _, FromRow, Session, Update, insert, sql, update};

/// A row that is due.
#[derive(Clone, Debug, FromRow)]
pub struct Due {
    pub id: OutboxId,
    pub channel: Channel,
    pub recipient: String,
    pub address: Option<String>,
    pub event: String,
    pub subject: Option<String>,
    pub body: Option<String>,
    pub sealed: Option<Vec<u8>>,
    pub data: Value,
    pub attempts: i64,
    /// Why the last attempt failed; none while one is under way.
    pub error: Option<String>,
    pub expires_at: Option<Time>,
    pub about: Option<String>,
}

impl Due {
    /// Whether it was claimed for the courier and its claimant never said what came of it.
    pub fn lost_its_outcome(&self) -> bool {
        self.attempts > 0 && self.error.is_none()
    }
}

const BATCH: &str = "SELECT id, channel, recipient, address, event, subject, body, sealed, data, \
    attempts, error, expires_at, about FROM outbox \
    WHERE status = 'pending' AND channel = $1 AND next_at <= $2 \
    ORDER BY next_at, id LIMIT 50";
const ONE: &str = "SELECT id, channel, recipient, address, event, subject, body, sealed, data, \
    attempts, error, expires_at, about FROM outbox WHERE id = $1 AND status = 'pending'";

/// Whether anything of a channel is due: the query of an idle worker.
pub async fn any_due(session: &mut Session, channel: Channel, now: Time) -> Result<bool> {
    session
        .exists(
            sql("SELECT id FROM outbox WHERE status = 'pending' AND channel = $1 \
                 AND next_at <= $2 ORDER BY next_at LIMIT 1")
            .bind(channel)
            .bind(now),
        )
        .await
}

/// The sender that operators gave the site, as `Name <address>`.
pub async fn sender(session: &mut Session) -> Result<Option<String>> {
    session
        .value(sql("SELECT CASE WHEN sender_name IS NULL THEN sender_email \
             ELSE sender_name || ' <' || sender_email || '>' END FROM site WHERE id = 1"))
        .await
}

/// Messages that wait and have been tried equally often.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Waiting {
    pub attempts: i64,
    /// Whether the last attempt has no outcome yet.
    pub under_way: bool,
    pub count: i64,
    /// The earliest time of their next attempts.
    pub next_at: Time,
}

/// The messages of a channel that wait, by how often they were tried; up to 10,001 in all, those
/// that are due first.
pub async fn waiting(session: &mut Session, channel: Channel) -> Result<Vec<Waiting>> {
    session
        .all(
            sql("SELECT attempts, under_way, COUNT(*) AS count, MIN(next_at) AS next_at FROM \
                 (SELECT attempts, attempts > 0 AND error IS NULL AS under_way, next_at FROM outbox \
                 WHERE status = 'pending' AND channel = $1 ORDER BY next_at LIMIT 10001) waiting \
                 GROUP BY attempts, under_way")
            .bind(channel),
        )
        .await
}

/// Up to fifty rows of a channel that are due, locked; rows locked by another worker are skipped.
pub async fn due(session: &mut Session, channel: Channel, now: Time) -> Result<Vec<Due>> {
    session.all(sql(BATCH).locking("FOR UPDATE SKIP LOCKED").bind(channel).bind(now)).await
}

/// The row if it is still pending, locked.
pub async fn due_one(session: &mut Session, id: OutboxId) -> Result<Option<Due>> {
    session.first(sql(ONE).locking("FOR UPDATE").bind(id)).await
}

/// Up to fifty events that are due, not locked.
pub async fn due_events(session: &mut Session, now: Time) -> Result<Vec<Due>> {
    session.all(sql(BATCH).bind(Channel::Event).bind(now)).await
}

/// The event if it is still pending, not locked.
pub async fn due_event(session: &mut Session, id: OutboxId) -> Result<Option<Due>> {
    session.first(sql(ONE).bind(id)).await
}

/// Locks those of the rows that are still pending; rows locked by another worker are skipped.
pub async fn lock(session: &mut Session, ids: &[OutboxId]) -> Result<BTreeSet<OutboxId>> {
    let mut rows = Query::select();
    rows.column("id")
        .from("outbox")
        .and_where(Expr::col("status").eq(OutboxStatus::Pending.as_str()))
        .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
        .order_by("id", Order::Asc)
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    let rows: Vec<(OutboxId,)> = session.all(rows).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Up to five hundred rows of a channel that were due at that instant, not locked.
pub async fn due_ids(session: &mut Session, channel: Channel, at: Time) -> Result<Vec<OutboxId>> {
    let rows: Vec<(OutboxId,)> = session
        .all(
            sql("SELECT id FROM outbox WHERE status = 'pending' AND channel = $1 \
                 AND next_at <= $2 ORDER BY next_at, id LIMIT 500")
            .bind(channel)
            .bind(at),
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Up to five hundred rows with an expired secret.
pub async fn expired_secrets(session: &mut Session, now: Time) -> Result<Vec<OutboxId>> {
    let rows: Vec<(OutboxId,)> = session
        .all(
            sql("SELECT id FROM outbox WHERE sealed IS NOT NULL AND expires_at <= $1 \
                 ORDER BY expires_at LIMIT 500")
            .bind(now),
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Erases the content of these rows.
pub async fn erase(session: &mut Session, ids: &[OutboxId]) -> Result<()> {
    let row = update("outbox")
        .set("sealed", None::<Vec<u8>>)
        .set("body", None::<String>)
        .and(Expr::col("id").among(ids.iter().map(|id| id.get())));
    session.run(row).await.map(|_| ())
}

/// Ends those of the rows that are pending and due: a row claimed for the courier is ended by its
/// claimant.
pub async fn end_due(
    session: &mut Session,
    ids: &[OutboxId],
    now: Time,
    status: OutboxStatus,
    why: Option<&str>,
) -> Result<()> {
    let row = ended(status, why).and(Expr::col("next_at").lte(now));
    change_waiting(session, ids, row).await
}

fn ended(status: OutboxStatus, why: Option<&str>) -> Update {
    update("outbox").set("status", status).set("error", why.map(ToOwned::to_owned))
}

/// Ends rows that are still pending, all with the same result.
pub async fn end(
    session: &mut Session,
    ids: &[OutboxId],
    status: OutboxStatus,
    why: Option<&str>,
) -> Result<()> {
    let row = ended(status, why).add("attempts", 1_i64);
    change_waiting(session, ids, row).await
}

/// Changes those of the rows that are still pending.
async fn change_waiting(session: &mut Session, ids: &[OutboxId], row: Update) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let row = row
        .when("status", OutboxStatus::Pending)
        .and(Expr::col("id").among(ids.iter().map(|id| id.get())));
    session.run(row).await.map(|_| ())
}

/// Postpones rows until that instant.
pub async fn postpone(
    session: &mut Session,
    ids: &[OutboxId],
    until: Time,
    now: Time,
) -> Result<()> {
    let row = update("outbox").set("next_at", until).set("waits_since", now);
    change_waiting(session, ids, row).await
}

/// Claims rows for delivery: counts an attempt, clears the reason of the one before, and reserves
/// them until that instant.
pub async fn claim(session: &mut Session, ids: &[OutboxId], until: Time, now: Time) -> Result<()> {
    let row = update("outbox")
        .set("next_at", until)
        .set("waits_since", now)
        .set("error", None::<String>)
        .add("attempts", 1_i64);
    change_waiting(session, ids, row).await
}

/// Stores the result of a claimed row; if another worker has claimed it meanwhile (`attempts`
/// tells), that worker's result counts. A row that was withdrawn meanwhile is not tried again, but
/// if it was sent, it was sent.
pub async fn settle(
    session: &mut Session,
    id: OutboxId,
    attempt: i64,
    status: OutboxStatus,
    why: Option<String>,
    (next_at, now): (Time, Time),
) -> Result<()> {
    let row = update("outbox")
        .set("status", status)
        .set("error", why)
        .set("next_at", next_at)
        .set("waits_since", now)
        .when("id", id)
        .when("attempts", attempt);
    let row = match status {
        OutboxStatus::Sent => {
            let open = [OutboxStatus::Pending, OutboxStatus::Withdrawn];
            row.and(Expr::col("status").is_in(open.map(OutboxStatus::as_str)))
        }
        _ => row.when("status", OutboxStatus::Pending),
    };
    session.run(row).await.map(|_| ())
}

/// A message on one channel.
#[derive(Clone, Debug)]
pub struct New {
    pub channel: Channel,
    pub recipient: String,
    pub address: String,
    pub event: Event,
    pub subject: Option<String>,
    /// The text; none if it is sealed.
    pub body: Option<String>,
    pub sealed: Option<Vec<u8>>,
    pub data: Value,
    pub status: OutboxStatus,
    pub about: Option<String>,
    pub expires_at: Option<Time>,
    /// Why the first text stands in for the template.
    pub fell_back: Option<String>,
}

/// Adds messages, in their order.
pub async fn add_all(session: &mut Session, all: &[New], now: Time) -> Result<()> {
    let mut rows = insert("outbox");
    for one in all {
        rows = rows
            .set("channel", one.channel)
            .set("recipient", one.recipient.clone())
            .set("address", one.address.clone())
            .set("event", one.event)
            .set("subject", one.subject.clone())
            .set("body", one.body.clone())
            .set("sealed", one.sealed.clone())
            .set("data", one.data.clone())
            .set("status", one.status)
            .set("attempts", 0_i64)
            .set("next_at", now)
            .set("created_at", now)
            .set("about", one.about.clone())
            .set("expires_at", one.expires_at)
            .set("fell_back", one.fell_back.clone())
            .row();
    }
    session.add(rows).await
}
