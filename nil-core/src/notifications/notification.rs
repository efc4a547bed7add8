//! A notification in the application.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Event;
use crate::kernel::{NotificationId, Time};
use crate::storage::FromRow;

/// A notification of a user.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Notification {
    /// Its id; later ones are greater.
    pub id: NotificationId,
    /// The event.
    pub event: Event,
    /// A short title.
    pub title: String,
    /// The text, in a sentence.
    pub body: String,
    /// Its data: ids, names, amounts, depending on the event.
    pub data: Map<String, Value>,
    /// When it was marked read.
    pub read_at: Option<Time>,
    /// When it happened.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

/// A notification as stored.
#[derive(FromRow)]
pub(super) struct Stored {
    pub(super) id: NotificationId,
    event: Event,
    title: String,
    body: String,
    data: Value,
    read_at: Option<Time>,
    created_at: Time,
    updated_at: Time,
}

impl From<Stored> for Notification {
    fn from(stored: Stored) -> Self {
        Self {
            id: stored.id,
            event: stored.event,
            title: stored.title,
            body: stored.body,
            data: match stored.data {
                Value::Object(data) => data,
                _ => Map::new(),
            },
            read_at: stored.read_at,
            created_at: stored.created_at,
            updated_at: stored.updated_at,
        }
    }
}
