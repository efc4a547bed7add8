//! The outbox: messages are rows of the transaction that causes them.
//!
//! A message to a user is written as an `event` row; the worker expands it into one row per channel, using the
//! templates. A mail with a secret (a code, a link) is written ready to send. Its body is sealed, and erased when the
//! secret expires.

use serde::Serialize;
use serde_json::{Map, Value, json};
use sqlx::FromRow;

use super::{Activity, Event};
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{OutboxId, PortalUserId, Time, UserId};
use crate::platform::Platform;
pub use crate::ports::courier::Channel;
use crate::storage::{Session, insert, sql};

vocabulary! {
    /// The state of a message.
    OutboxStatus {
        /// Waiting for the worker.
        Pending = "pending",
        /// Delivered.
        Sent = "sent",
        /// Expanded into one row per channel.
        Expanded = "expanded",
        /// Given up after too many attempts.
        Dead = "dead",
    }
}

/// The recipient of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// A user of the Core interface.
    User(UserId),
    /// A portal user.
    Portal(PortalUserId),
    /// A person without an account, by mail: a guardian.
    Email(String),
}

impl Recipient {
    /// The recipient's key in rows of the outbox and of preferences.
    pub(super) fn name(&self) -> String {
        match self {
            Self::User(id) => format!("user:{id}"),
            Self::Portal(id) => format!("portal_user:{id}"),
            Self::Email(_) => "guest".into(),
        }
    }

    /// The recipient with this key.
    pub(super) fn named(name: &str, address: Option<&str>) -> Option<Self> {
        match name.split_once(':') {
            Some(("user", id)) => UserId::new(id.parse().ok()?).map(Self::User),
            Some(("portal_user", id)) => PortalUserId::new(id.parse().ok()?).map(Self::Portal),
            _ => address.map(|address| Self::Email(address.to_owned())),
        }
    }

    /// Whether the recipient has no account.
    pub(super) const fn is_guest(&self) -> bool {
        matches!(self, Self::Email(_))
    }
}

/// A message to send after the transaction commits.
#[derive(Clone, Debug)]
pub struct Message {
    to: Recipient,
    event: Event,
    data: Map<String, Value>,
    secret: Option<Mail>,
}

/// A mail that is composed at once, because it contains a secret.
#[derive(Clone, Debug)]
struct Mail {
    address: String,
    until: Time,
}

impl Message {
    /// A message about an event.
    #[must_use]
    pub fn new(event: Event, to: Recipient) -> Self {
        Self { to, event, data: Map::new(), secret: None }
    }

    /// Sets a value for the template; in-app clients see it too.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    /// The user's feed that this message changes.
    pub(crate) fn touches(&self) -> Option<(UserId, Activity)> {
        match (&self.to, Activity::of(self.event)) {
            (Recipient::User(user), Some(activity)) => Some((*user, activity)),
            _ => None,
        }
    }

    /// Sends it as a mail with a secret in its body, which is erased at `until`.
    #[must_use]
    pub fn sealed_mail(mut self, address: impl Into<String>, until: Time) -> Self {
        self.secret = Some(Mail { address: address.into(), until });
        self
    }
}

/// Writes the messages of one transaction; returns whether the worker has something to do.
pub(crate) async fn write(
    session: &mut Session,
    platform: &Platform,
    now: Time,
    messages: &[Message],
) -> Result<bool> {
    let events: Vec<&Message> = messages.iter().filter(|m| m.secret.is_none()).collect();
    // In pieces, because a statement can bind only so many values.
    for some in events.chunks(500) {
        let mut rows = insert("outbox");
        for message in some {
            rows = rows
                .set("channel", Channel::Event)
                .set("recipient", message.to.name())
                .set(
                    "address",
                    match &message.to {
                        Recipient::Email(address) => Some(address.clone()),
                        _ => None,
                    },
                )
                .set("event", message.event)
                .set("data", json!(message.data))
                .set("status", OutboxStatus::Pending)
                .set("attempts", 0_i64)
                .set("next_at", now)
                .set("created_at", now)
                .row();
        }
        session.run(rows).await?;
    }
    for message in messages {
        if let Some(mail) = &message.secret {
            write_sealed(session, platform, now, message, mail).await?;
        }
    }
    Ok(!messages.is_empty())
}

async fn write_sealed(
    session: &mut Session,
    platform: &Platform,
    now: Time,
    message: &Message,
    mail: &Mail,
) -> Result<()> {
    let texts = template(session, message.event, Channel::Email).await?;
    let (subject, body) = texts.unwrap_or_else(|| (None, plain(&message.data)));
    let values = known(session, platform, &message.data).await?;
    let body = render(&body, &values);
    // Secret values stay out of `data`, which is not sealed.
    let sealed = platform.vault().seal("outbox", body.as_bytes())?;
    session
        .run(
            insert("outbox")
                .set("channel", Channel::Email)
                .set("recipient", message.to.name())
                .set("address", mail.address.clone())
                .set("event", message.event)
                .set("subject", subject.map(|subject| one_line(&render(&subject, &values))))
                .set("sealed", sealed)
                .set("data", json!({}))
                .set("status", OutboxStatus::Pending)
                .set("attempts", 0_i64)
                .set("next_at", now)
                .set("created_at", now)
                .set("expires_at", mail.until),
        )
        .await
        .map(|_| ())
}

/// The event's values, together with the values that every template can use.
async fn known(
    session: &mut Session,
    platform: &Platform,
    data: &Map<String, Value>,
) -> Result<Map<String, Value>> {
    let site: String = session.value(sql("SELECT name FROM site WHERE id = 1")).await?;
    let mut values = Map::new();
    values.insert("first_name".into(), "there".into());
    values.insert("site_name".into(), site.into());
    values.insert("url".into(), platform.config().public_url.clone().into());
    values.extend(data.clone());
    Ok(values)
}

/// The enabled template of an event on a channel: subject and body.
pub(crate) async fn template(
    session: &mut Session,
    event: Event,
    channel: Channel,
) -> Result<Option<(Option<String>, String)>> {
    session
        .first(
            sql("SELECT subject, body FROM template \
                 WHERE event = $1 AND channel = $2 AND enabled")
            .bind(event)
            .bind(channel),
        )
        .await
}

/// Replaces the names in a template by values. A value is never read as a template itself; a name without a value
/// becomes empty.
pub(crate) fn render(template: &str, data: &Map<String, Value>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            out.push_str("{{");
            rest = after;
            continue;
        };
        match data.get(name.trim()) {
            Some(Value::String(text)) => out.push_str(text),
            Some(Value::Null) | None => {}
            Some(other) => out.push_str(&other.to_string()),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A subject line: a line break in a value must not start another header.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn plain(data: &Map<String, Value>) -> String {
    let mut text = String::new();
    for name in data.keys() {
        for part in [name, ": {{", name, "}}\n"] {
            text.push_str(part);
        }
    }
    text
}

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
            _ if waits && platform.config().courier.is_none() => {
                Some("it waits: no courier is configured".to_owned())
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
    let mut session = platform.db().read().await?;
    let rows: Vec<Stored> = session
        .all(
            sql("SELECT id, channel, recipient, address, event, subject, body, sealed, data, \
                 status, error, attempts, created_at FROM outbox ORDER BY id DESC LIMIT $1")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_in_and_never_read_as_templates() {
        let Value::Object(data) = json!({ "name": "{{code}}", "code": "482913" }) else { panic!() };
        assert_eq!(render("Hi {{name}}, {{ code }}{{gone}}!", &data), "Hi {{code}}, 482913!");
        assert_eq!(render("{{open", &data), "{{open");
        assert_eq!(one_line("Hi\r\nBcc: all"), "Hi  Bcc: all");
    }
}
