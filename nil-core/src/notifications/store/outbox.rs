//! The outbox as the worker works it off.

use sea_query::{Expr, ExprTrait as _};
use serde_json::Value;
use sqlx::FromRow;

use super::super::Event;
use super::super::outbox::{Channel, OutboxStatus};
use crate::error::Result;
use crate::kernel::{OutboxId, Time};
use crate::storage::{Session, Update, insert, sql, update};

/// A row whose time has come.
#[derive(Clone, Debug, FromRow)]
pub(in crate::notifications) struct Due {
    pub(in crate::notifications) id: OutboxId,
    pub(in crate::notifications) channel: Channel,
    pub(in crate::notifications) recipient: String,
    pub(in crate::notifications) address: Option<String>,
    pub(in crate::notifications) event: String,
    pub(in crate::notifications) subject: Option<String>,
    pub(in crate::notifications) body: Option<String>,
    pub(in crate::notifications) sealed: Option<Vec<u8>>,
    pub(in crate::notifications) data: Value,
    pub(in crate::notifications) attempts: i64,
    pub(in crate::notifications) expires_at: Option<Time>,
}

const DUE: &str = "SELECT id, channel, recipient, address, event, subject, body, sealed, data, \
    attempts, expires_at FROM outbox \
    WHERE status = 'pending' AND next_at <= $1 ORDER BY next_at, id LIMIT 50";
const DUE_LOCKED: &str = "SELECT id, channel, recipient, address, event, subject, body, sealed, \
    data, attempts, expires_at FROM outbox \
    WHERE status = 'pending' AND next_at <= $1 ORDER BY next_at, id LIMIT 50 \
    FOR UPDATE SKIP LOCKED";

/// Whether anything is due: what an idle worker asks.
pub(in crate::notifications) async fn any_due(session: &mut Session, now: Time) -> Result<bool> {
    let found: Option<(OutboxId,)> = session
        .first(
            sql("SELECT id FROM outbox WHERE status = 'pending' AND next_at <= $1 LIMIT 1")
                .bind(now),
        )
        .await?;
    Ok(found.is_some())
}

/// Up to fifty rows that are due, locked: what another worker holds is passed over.
pub(in crate::notifications) async fn due(session: &mut Session, now: Time) -> Result<Vec<Due>> {
    session.all(sql(DUE).locking(DUE_LOCKED).bind(now)).await
}

/// Ends rows that are still pending, all the same way.
pub(in crate::notifications) async fn end(
    session: &mut Session,
    ids: &[OutboxId],
    status: OutboxStatus,
    why: Option<&str>,
) -> Result<()> {
    let row = update("outbox")
        .set("status", status)
        .set("error", why.map(ToOwned::to_owned))
        .add("attempts", 1_i64);
    change_waiting(session, ids, row).await
}

/// Changes those of the rows that still wait.
async fn change_waiting(session: &mut Session, ids: &[OutboxId], row: Update) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let row = row
        .when("status", OutboxStatus::Pending)
        .and(Expr::col("id").is_in(ids.iter().map(|id| id.get())));
    session.run(row).await.map(|_| ())
}

/// Leaves rows alone until then.
pub(in crate::notifications) async fn postpone(
    session: &mut Session,
    ids: &[OutboxId],
    until: Time,
) -> Result<()> {
    let row = update("outbox").set("next_at", until);
    change_waiting(session, ids, row).await
}

/// Takes rows for handing over: an attempt is counted, and until then they are nobody else's.
pub(in crate::notifications) async fn claim(
    session: &mut Session,
    ids: &[OutboxId],
    until: Time,
) -> Result<()> {
    let row = update("outbox")
        .set("next_at", until)
        .add("attempts", 1_i64);
    change_waiting(session, ids, row).await
}

/// Writes down what became of a claimed row; a claim that another worker has taken over meanwhile
/// (`attempts` tells) is left to that one.
pub(in crate::notifications) async fn settle(
    session: &mut Session,
    id: OutboxId,
    attempt: i64,
    status: OutboxStatus,
    why: Option<String>,
    next_at: Time,
) -> Result<()> {
    let row = update("outbox")
        .set("status", status)
        .set("error", why)
        .set("next_at", next_at)
        .when("id", id)
        .when("status", OutboxStatus::Pending)
        .when("attempts", attempt);
    session.run(row).await.map(|_| ())
}

/// A message on one channel.
#[derive(Clone, Debug)]
pub(in crate::notifications) struct New {
    pub(in crate::notifications) channel: Channel,
    pub(in crate::notifications) recipient: String,
    pub(in crate::notifications) address: String,
    pub(in crate::notifications) event: Event,
    pub(in crate::notifications) subject: Option<String>,
    pub(in crate::notifications) body: String,
    pub(in crate::notifications) data: Value,
    pub(in crate::notifications) status: OutboxStatus,
}

/// Adds messages, in their order.
pub(in crate::notifications) async fn add_all(
    session: &mut Session,
    all: &[New],
    now: Time,
) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let mut rows = insert("outbox");
    for one in all {
        rows = rows
            .set("channel", one.channel)
            .set("recipient", one.recipient.clone())
            .set("address", one.address.clone())
            .set("event", one.event)
            .set("subject", one.subject.clone())
            .set("body", one.body.clone())
            .set("data", one.data.clone())
            .set("status", one.status)
            .set("attempts", 0_i64)
            .set("next_at", now)
            .set("created_at", now)
            .row();
    }
    session.run(rows).await.map(|_| ())
}
