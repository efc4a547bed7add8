//! The outbox as operators see it (`nil outbox`): lists messages, shows one, and retries one that
//! was given up.

use serde::Serialize;
use serde_json::Value;

use crate::error::Result;
pub use crate::feed::withdraw;
pub use crate::feed::{Message, OutboxStatus, Recipient};
use crate::kernel::{OutboxId, Time};
use crate::platform::Platform;
pub use crate::ports::courier::Channel;
use crate::storage::{FromRow, sql};

/// A row as `nil outbox` shows it.
#[derive(Clone, Debug, Serialize)]
pub struct OutboxRow {
    /// Its id.
    pub id: OutboxId,
    /// The channel.
    pub channel: Channel,
    /// The address, phone number or user.
    pub to: String,
    /// The event.
    pub event: String,
    /// The subject, if the channel has one.
    pub subject: Option<String>,
    /// The text; empty once a secret in it has expired.
    pub body: Option<String>,
    /// The event's values.
    pub data: Value,
    /// Its state.
    pub status: OutboxStatus,
    /// Why it waits or was given up, if known.
    pub why: Option<String>,
    /// The number of delivery attempts.
    pub attempts: i64,
    /// When it was written.
    pub created_at: Time,
}

#[derive(FromRow)]
struct Stored {
    id: OutboxId,
    channel: Channel,
    recipient: String,
    address: Option<String>,
    event: String,
    subject: Option<String>,
    body: Option<String>,
    sealed: Option<Vec<u8>>,
    data: Value,
    status: OutboxStatus,
    error: Option<String>,
    attempts: i64,
    created_at: Time,
}

impl Stored {
    fn shown(self, platform: &Platform) -> OutboxRow {
        let opened = self.sealed.map(|sealed| {
            let body = platform.vault().open("outbox", &sealed).ok()?;
            Some(String::from_utf8_lossy(&body).into_owned())
        });
        let is_letter = self.channel != Channel::Event;
        let waits = self.status == OutboxStatus::Pending && is_letter;
        let why = match &opened {
            Some(None) => Some("it was sealed with another secret key".to_owned()),
            _ if waits && platform.config().courier_for(self.channel).is_none() => {
                let why = match self.channel {
                    Channel::Sms => "it waits: no courier for text messages is configured",
                    _ => "it waits: no mail server is configured",
                };
                Some(why.to_owned())
            }
            _ => self.error,
        };
        OutboxRow {
            id: self.id,
            channel: self.channel,
            to: self.address.unwrap_or(self.recipient),
            event: self.event,
            subject: self.subject,
            body: opened.unwrap_or(self.body),
            data: self.data,
            status: self.status,
            why,
            attempts: self.attempts,
            created_at: self.created_at,
        }
    }
}

/// The last `limit` rows, newest first. For operators.
pub async fn list(platform: &Platform, limit: i64) -> Result<Vec<OutboxRow>> {
    list_before(platform, i64::MAX, limit).await
}

/// The last `limit` rows before the one with this id, newest first. For operators.
pub async fn list_before(platform: &Platform, id: i64, limit: i64) -> Result<Vec<OutboxRow>> {
    let mut session = platform.db().read().await?;
    let rows: Vec<Stored> = session
        .all(
            sql("SELECT id, channel, recipient, address, event, subject, body, sealed, data, \
                 status, error, attempts, created_at FROM outbox WHERE id < $1 \
                 ORDER BY id DESC LIMIT $2")
            .bind(id)
            .bind(limit),
        )
        .await?;
    Ok(rows.into_iter().map(|row| row.shown(platform)).collect())
}

/// The row, if there is one. For operators.
pub async fn find(platform: &Platform, id: OutboxId) -> Result<Option<OutboxRow>> {
    let mut session = platform.db().read().await?;
    let row: Option<Stored> = session
        .first(
            sql("SELECT id, channel, recipient, address, event, subject, body, sealed, data, \
                 status, error, attempts, created_at FROM outbox WHERE id = $1")
            .bind(id),
        )
        .await?;
    Ok(row.map(|row| row.shown(platform)))
}

/// Retries a row that was given up; returns whether there was one.
pub async fn retry(platform: &Platform, id: OutboxId) -> Result<bool> {
    let mut session = platform.db().begin().await?;
    let revived = session
        .run(
            sql("UPDATE outbox SET status = 'pending', attempts = 0, next_at = $2 \
                 WHERE id = $1 AND status = 'dead'")
            .bind(id)
            .bind(platform.now()),
        )
        .await?;
    session.commit().await?;
    platform.wake_worker();
    Ok(revived > 0)
}
