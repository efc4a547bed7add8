//! The sources of live streams: feeds whose records have increasing ids.

use std::future::Future;
use std::pin::Pin;

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::kernel::UserId;
use crate::messaging::{ChatMessage, stream as messages};
use crate::notifications::{Notification, stream as notifications};
use crate::storage::Session;

/// A read in progress.
pub(crate) type Reading<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A record of a feed: its id, and the data to send.
pub(crate) type Fresh = (i64, Value);

/// One feed. A user's rows must become visible in the order of their ids: code that adds rows first
/// calls [`Work::touch_now`](crate::operation::Work::touch_now) for the users.
pub(crate) struct Source {
    /// Its letter in event ids.
    pub letter: char,
    /// The name of its events.
    pub event: &'static str,
    /// When an event is sent, for the document.
    pub about: &'static str,
    /// The schema of the data of an event.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// The id of the user's latest record; 0 if there is none.
    pub head: for<'a> fn(&'a mut Session, UserId) -> Reading<'a, i64>,
    /// The user's records after an id, at most this many, oldest first.
    pub after: for<'a> fn(&'a mut Session, UserId, i64, i64) -> Reading<'a, Vec<Fresh>>,
}

/// Every feed that is sent live. A new one is added at the end: an id that a client already has
/// (`n12`) then continues as `n12.m…`.
pub(crate) const SOURCES: &[Source] = &[
    Source {
        letter: 'n',
        event: "notification",
        about: "A new in-app notification, as `POST /fetchNotifications` returns it.",
        schema: |generator| generator.subschema_for::<Notification>(),
        head: |session, user| Box::pin(notifications::head(session, user)),
        after: |session, user, id, most| {
            Box::pin(async move {
                let found = notifications::after(session, user, id, most).await?;
                found.iter().map(|one| fresh(one.id.get(), one)).collect()
            })
        },
    },
    Source {
        letter: 'm',
        event: "message",
        about: "A new message in a conversation, of either side, as `POST /fetchMessagesById` returns it.",
        schema: |generator| generator.subschema_for::<ChatMessage>(),
        head: |session, user| Box::pin(messages::head(session, user)),
        after: |session, user, id, most| {
            Box::pin(async move {
                let found = messages::after(session, user, id, most).await?;
                found.iter().map(|one| fresh(one.id.get(), one)).collect()
            })
        },
    },
];

fn fresh(id: i64, record: &impl Serialize) -> Result<Fresh> {
    let data = serde_json::to_value(record).map_err(Error::internal)?;
    Ok((id, data))
}
