//! Changes of a record that somebody else has changed meanwhile are refused, not lost.
//!
//! A record that people edit is given with its [`Revision`]. Whoever sends that back with a change
//! gets a 409 if the record has another content by now: with the record as it is, and with its last
//! changes in the audit trail. Without a revision nothing is compared.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::audit::{self, Subject};
use super::work::Work;
use crate::error::{Result, codes};
use crate::kernel::Revision;

/// How many of the last changes a refusal names.
const NAMED: i64 = 3;

/// A record that people edit.
pub trait Revisable: Serialize {
    /// What people edit of it: nothing that changes by itself, such as the time of a log-in.
    fn content(&self) -> Value;

    /// Its revision.
    fn revision(&self) -> Revision {
        Revision::of(&self.content())
    }
}

/// A content without these fields: what is not edited, or what is too long for the audit trail.
#[must_use]
pub fn without(mut content: Value, names: &[&str]) -> Value {
    if let Some(fields) = content.as_object_mut() {
        fields.retain(|name, _| !names.contains(&name.as_str()));
    }
    content
}

/// A record with its revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Revised{T}")]
pub struct Revised<T> {
    /// The record.
    #[serde(flatten)]
    pub record: T,
    /// The revision of the record. Sent back with a change, it makes sure that nobody else has
    /// changed the record meanwhile.
    pub revision: Revision,
}

impl<T: Revisable> From<T> for Revised<T> {
    fn from(record: T) -> Self {
        Self { revision: record.revision(), record }
    }
}

impl<T> Deref for Revised<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.record
    }
}

impl Work {
    /// Refuses to change a record that is not as the caller has seen it: 409 `state_changed`, with
    /// the record as it is now and its last changes. The transaction must have locked the record
    /// before it read it.
    pub async fn as_seen<T: Revisable>(
        &mut self,
        record: impl Into<Subject>,
        now: &T,
        seen: Option<&Revision>,
    ) -> Result<()> {
        let record = record.into();
        self.both_as_seen([record, record], now, seen).await
    }

    /// The same for a record whose changes the audit trail has under two, such as an account and
    /// its profile.
    pub async fn both_as_seen<T: Revisable>(
        &mut self,
        records: [Subject; 2],
        now: &T,
        seen: Option<&Revision>,
    ) -> Result<()> {
        let Some(seen) = seen else { return Ok(()) };
        if now.revision() == *seen {
            return Ok(());
        }
        let last = audit::last_changes_of(self, records, NAMED).await?;
        let told = last.iter().map(|entry| {
            json!({
                "at": entry.at, "by": entry.actor, "action": entry.action,
                "before": entry.before, "after": entry.after,
            })
        });
        let changes: Vec<Value> = told.collect();
        let data = json!({ "now": now, "revision": now.revision(), "changes": changes });
        let sentence = "Somebody else has changed this meanwhile. Nothing of yours was saved.";
        Err(codes::STATE_CHANGED.saying(sentence).with_data(data))
    }
}
