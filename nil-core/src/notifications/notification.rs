//! A notification in the application itself.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use sqlx::FromRow;

use super::Event;
use crate::kernel::{NotificationId, Time};

/// Something a user was told of.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Notification {
    /// Its id; later ones are greater.
    pub id: NotificationId,
    /// What happened.
    pub event: Event,
    /// In a few words.
    pub title: String,
    /// In a sentence.
    pub body: String,
    /// What it is about: ids, names, amounts, by the event.
    pub data: Map<String, Value>,
    /// When it was marked read.
    pub read_at: Option<Time>,
    /// When it happened.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

/// A notification as its row has it.
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
