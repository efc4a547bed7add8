//! The worker's part in messages: events become one message per channel, messages are handed over,
//! secrets are erased when their time is over.

use chrono::TimeDelta;
use serde_json::{Map, Value};
use sqlx::FromRow;

use super::Event;
use super::outbox::{Channel, OutboxStatus, one_line, render, template};
use crate::error::Result;
use crate::kernel::{OutboxId, Time};
use crate::platform::Platform;
use crate::storage::{Insert, Session, insert, sql};

/// Works off every message that is due now; answers how many.
pub(crate) async fn work_off(platform: &Platform) -> Result<usize> {
    let mut all = 0;
    loop {
        let worked = one_batch(platform).await?;
        all += worked;
        if worked == 0 {
            return Ok(all);
        }
    }
}

#[derive(FromRow)]
struct Due {
    id: OutboxId,
    channel: Channel,
    recipient: String,
    address: Option<String>,
    event: String,
    data: Value,
}

const DUE: &str = "SELECT id, channel, recipient, address, event, data FROM outbox \
    WHERE status = 'pending' AND next_at <= $1 ORDER BY next_at, id LIMIT 50";
const DUE_LOCKED: &str = "SELECT id, channel, recipient, address, event, data FROM outbox \
    WHERE status = 'pending' AND next_at <= $1 ORDER BY next_at, id LIMIT 50 \
    FOR UPDATE SKIP LOCKED";

/// One batch in one transaction: rows are locked, so that two workers never do the same one.
async fn one_batch(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let mut session = platform.db().begin().await?;
    let due: Vec<Due> = session.all(sql(DUE).locking(DUE_LOCKED).bind(now)).await?;
    if due.is_empty() {
        return Ok(0);
    }
    for row in &due {
        let status = match row.channel {
            Channel::Event => {
                expand(&mut session, now, row).await?;
                OutboxStatus::Expanded
            }
            // The embedded channels keep the message where `nil outbox` shows it: handed over.
            Channel::Email | Channel::Sms | Channel::InApp => OutboxStatus::Sent,
        };
        session
            .run(
                sql("UPDATE outbox SET status = $2, attempts = attempts + 1 \
                     WHERE id = $1 AND status = 'pending'")
                .bind(row.id)
                .bind(status),
            )
            .await?;
    }
    session.commit().await?;
    Ok(due.len())
}

#[derive(FromRow)]
struct Person {
    first_name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
}

/// Writes one row per channel that has an enabled template.
async fn expand(session: &mut Session, now: Time, row: &Due) -> Result<()> {
    let Ok(event) = row.event.parse::<Event>() else {
        return Ok(());
    };
    let person = match row.recipient.split_once(':') {
        Some(("user", id)) => {
            let id: i64 = id.parse().unwrap_or_default();
            session
                .first::<Person>(
                    sql("SELECT first_name, email, phone FROM app_user WHERE id = $1").bind(id),
                )
                .await?
        }
        Some(("portal_user", id)) => {
            let id: i64 = id.parse().unwrap_or_default();
            session
                .first::<Person>(
                    sql(
                        "SELECT name AS first_name, email, CAST(NULL AS TEXT) AS phone \
                         FROM portal_user WHERE id = $1",
                    )
                    .bind(id),
                )
                .await?
        }
        _ => None,
    };
    let person = person.unwrap_or(Person {
        first_name: None,
        email: row.address.clone(),
        phone: None,
    });
    let site: String = session
        .value(sql("SELECT name FROM site WHERE id = 1"))
        .await?;
    // What is always known, under what the event itself says.
    let mut values = Map::new();
    values.insert(
        "first_name".into(),
        person.first_name.unwrap_or_else(|| "there".into()).into(),
    );
    values.insert("site_name".into(), site.into());
    values.extend(row.data.as_object().cloned().unwrap_or_default());
    for channel in [Channel::Email, Channel::Sms, Channel::InApp] {
        let address = match channel {
            Channel::Email => person.email.clone(),
            Channel::Sms => person.phone.clone(),
            _ => Some(row.recipient.clone()),
        };
        let (Some(address), Some((subject, body))) =
            (address, template(session, event, channel).await?)
        else {
            continue;
        };
        let message: Insert = insert("outbox")
            .set("channel", channel)
            .set("recipient", row.recipient.clone())
            .set("address", address)
            .set("event", event)
            .set(
                "subject",
                subject.map(|subject| one_line(&render(&subject, &values))),
            )
            .set("body", render(&body, &values))
            .set("data", row.data.clone())
            .set("status", OutboxStatus::Pending)
            .set("attempts", 0_i64)
            .set("next_at", now)
            .set("created_at", now);
        session.run(message).await?;
    }
    Ok(())
}

/// Erases secrets whose time is over, and keys and sessions that have ended.
pub(crate) async fn erase_expired(platform: &Platform) -> Result<()> {
    let now = platform.now();
    let mut session = platform.db().begin().await?;
    session
        .run(
            sql("UPDATE outbox SET sealed = NULL, body = NULL \
                 WHERE sealed IS NOT NULL AND expires_at <= $1")
            .bind(now),
        )
        .await?;
    for text in [
        "DELETE FROM idempotency WHERE expires_at <= $1",
        "DELETE FROM session WHERE expires_at <= $1",
        "DELETE FROM link_token WHERE expires_at <= $1",
        "DELETE FROM one_time_code WHERE expires_at <= $1",
    ] {
        session.run(sql(text).bind(now)).await?;
    }
    session
        .run(sql("DELETE FROM login_failure WHERE at <= $1").bind(now - TimeDelta::hours(1)))
        .await?;
    session.commit().await
}
