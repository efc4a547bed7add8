//! The outbox: messages are rows of the transaction that causes them.
//!
//! A message to a user is written as an `event` row; the worker expands it into one row per
//! channel, using the templates. The values of a mail with a secret (a code, a link) are sealed,
//! and erased when the mail is made of them or the secret expires; so is the body of the mail.

use sea_query::Expr;
use serde_json::{Map, Value, json};

use super::{Event, FeedKind};
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Identity, PortalUserId, Time, UserId};
use crate::keys::Vault;
use crate::ports::courier::Channel;
use crate::storage::{Among as _, Insert, Session, Written, insert, update};

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
        /// What it is about was withdrawn before it was sent.
        Withdrawn = "withdrawn",
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
    pub fn name(&self) -> String {
        match self {
            Self::User(id) => format!("user:{id}"),
            Self::Portal(id) => format!("portal_user:{id}"),
            Self::Email(_) => "guest".into(),
        }
    }

    /// The recipient with this key.
    pub fn named(name: &str, address: Option<&str>) -> Option<Self> {
        match name.split_once(':') {
            Some(("user", id)) => UserId::new(id.parse().ok()?).map(Self::User),
            Some(("portal_user", id)) => PortalUserId::new(id.parse().ok()?).map(Self::Portal),
            _ => address.map(|address| Self::Email(address.to_owned())),
        }
    }

    /// Whether the recipient has no account.
    pub const fn is_guest(&self) -> bool {
        matches!(self, Self::Email(_))
    }
}

/// A message to send after the transaction commits.
#[derive(Clone, Debug)]
pub struct Message {
    to: Recipient,
    event: Event,
    data: Map<String, Value>,
    about: Option<String>,
    secret: Option<Mail>,
    condition: Option<&'static str>,
}

/// The address of a mail with a secret, and when the secret expires.
#[derive(Clone, Debug)]
struct Mail {
    address: String,
    until: Time,
}

impl Message {
    /// A message about an event.
    #[must_use]
    pub fn new(event: Event, to: Recipient) -> Self {
        Self { to, event, data: Map::new(), about: None, secret: None, condition: None }
    }

    /// Sets a value for the template; in-app clients see it too.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    /// Says what it is about, so that it can be withdrawn with that.
    #[must_use]
    pub fn about(mut self, id: impl Identity) -> Self {
        self.about = Some(subject(id));
        self
    }

    /// Sends it only if this holds for what the same statement writes.
    #[must_use]
    pub fn only_if(mut self, condition: &'static str) -> Self {
        self.condition = Some(condition);
        self
    }

    /// The user's feed that this message changes.
    pub fn touches(&self) -> Option<(UserId, FeedKind)> {
        match (&self.to, FeedKind::of(self.event)) {
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

/// Writes the messages of one transaction; returns how many, for after the commit.
pub async fn write(
    session: &mut Session,
    vault: &Vault,
    now: Time,
    messages: &[Message],
) -> Result<Vec<Written>> {
    let mut written = Vec::new();
    let mut rows = insert("outbox");
    for message in messages {
        match message.condition {
            None => rows = row(rows, vault, message, now)?.row(),
            Some(condition) => {
                let row = row(insert("outbox"), vault, message, now)?.only_if(condition);
                written.push(session.add_later(row).await?);
            }
        }
    }
    written.push(session.add_later(rows).await?);
    Ok(written)
}

/// Adds the row of a message.
fn row(rows: Insert, vault: &Vault, message: &Message, now: Time) -> Result<Insert> {
    let data = json!(message.data);
    let (sealed, data, address) = match (&message.secret, &message.to) {
        (Some(mail), _) => {
            debug_assert!(message.event.carries_secret(), "{} carries no secret", message.event);
            // Secret values stay out of `data`, which is not sealed.
            let sealed = vault.seal("outbox", data.to_string().as_bytes())?;
            (Some(sealed), json!({}), Some(mail.address.clone()))
        }
        (None, Recipient::Email(address)) => (None, data, Some(address.clone())),
        (None, _) => (None, data, None),
    };
    Ok(rows
        .set("channel", Channel::Event)
        .set("recipient", message.to.name())
        .set("address", address)
        .set("event", message.event)
        .set("sealed", sealed)
        .set("data", data)
        .set("status", OutboxStatus::Pending)
        .set("attempts", 0_i64)
        .set("next_at", now)
        .set("created_at", now)
        .set("about", message.about.clone())
        .set("expires_at", message.secret.as_ref().map(|mail| mail.until)))
}

/// What a message is about, as its row says it.
fn subject<I: Identity>(id: I) -> String {
    format!("{}:{}", I::KIND, id.number())
}

/// Withdraws the messages about this record that still wait; returns their number. What was sent
/// stays sent. A message that the courier has in its hands is recorded as sent if it takes it.
///
/// First the events, then the messages that were made from them: this waits for a worker that is
/// expanding one of these events, and the second statement sees the messages that it wrote.
pub async fn withdraw(session: &mut Session, id: impl Identity) -> Result<u64> {
    withdraw_all(session, &[id]).await
}

/// Withdraws the messages about these records that still wait; returns their number. What was sent
/// stays sent, as [`withdraw`] explains.
pub async fn withdraw_all(session: &mut Session, ids: &[impl Identity]) -> Result<u64> {
    let mut withdrawn = 0;
    for some in ids.chunks(WITHDRAWN_AT_ONCE) {
        let about: Vec<String> = some.iter().map(|id| subject(*id)).collect();
        withdrawn += withdraw_about(session, &about).await?;
    }
    Ok(withdrawn)
}

/// Engines limit the number of values in a statement.
const WITHDRAWN_AT_ONCE: usize = 1_000;

async fn withdraw_about(session: &mut Session, about: &[String]) -> Result<u64> {
    let rows = || {
        update("outbox")
            .set("status", OutboxStatus::Withdrawn)
            .when("status", OutboxStatus::Pending)
            .and(Expr::col("about").among(about.iter().cloned()))
    };
    let events = session.run(rows().when("channel", Channel::Event)).await?;
    Ok(events + session.run(rows()).await?)
}
