//! The audit trail: who did what to which record, when and from where, with the state before and
//! after.
//!
//! Rows are written in the operation's own transaction. The worker adds them to a hash chain
//! afterwards ([`super::chain`]).

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::facts::Facts;
use crate::error::Result;
use crate::kernel::{AuditId, Identity, Time, canonical};
use crate::storage::{FromRow, Session, insert, sql};

/// One action on one record.
#[derive(Debug)]
pub struct Note {
    #[doc(hidden)]
    pub subject: Subject,
    /// Where the same statement finds the subject's id, if it writes the subject.
    #[doc(hidden)]
    pub written: Option<&'static str>,
    #[doc(hidden)]
    pub action: &'static str,
    #[doc(hidden)]
    pub before: Option<Value>,
    #[doc(hidden)]
    pub after: Option<Value>,
    /// The person the actor acted for, such as `athlete:3`; for an operator who acts as an account
    /// that account, with the athlete an agent acted for (`agent:2:athlete:3`). None if they acted
    /// for themself.
    pub on_behalf_of: Option<String>,
}

/// Who a transaction's rows name.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    /// The actor.
    pub actor: &'a str,
    /// Who called if no network did.
    pub host_user: Option<&'a str>,
}

/// Writes the rows of one transaction.
pub async fn write(session: &mut Session, facts: &Facts, by: By<'_>, notes: &[Note]) -> Result<()> {
    let address = facts.address.map(|address| address.to_string());
    let address = address.or_else(|| by.host_user.map(str::to_owned));
    let mut rows = insert("audit_entry");
    for note in notes {
        rows = rows
            .set("at", facts.now)
            .set("actor", by.actor)
            .set("on_behalf_of", note.on_behalf_of.clone())
            .set("operation", facts.operation)
            .set("subject_kind", note.subject.kind);
        rows = match note.written {
            None => rows.set("subject_id", note.subject.id),
            Some(id) => rows.set_to("subject_id", id),
        };
        rows = rows
            .set("action", note.action)
            .set("before", note.before.clone())
            .set("after", note.after.clone())
            .set("address", address.clone())
            .set("request_id", facts.request_id.clone())
            .row();
    }
    session.add_later(rows).await.map(|_| ())
}

/// The columns of an [`AuditEntry`].
pub(super) const ENTRY: &str = "a.id, a.at, a.actor, a.on_behalf_of, a.operation, a.subject_kind, a.subject_id, a.action, \
    a.before, a.after, a.address, a.request_id";

/// An entry of the audit trail.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct AuditEntry {
    /// The entry's id.
    pub id: AuditId,
    /// The time of the action.
    pub at: Time,
    /// The actor, such as `operator:2`.
    pub actor: String,
    /// The person the actor acted for, such as `athlete:3`: the account an operator acted as, or
    /// the athlete an agent acted for (both: `agent:2:athlete:3`). Null if they acted for themself.
    pub on_behalf_of: Option<String>,
    /// The operation.
    pub operation: String,
    /// The kind of record.
    pub subject_kind: String,
    /// The record's id.
    pub subject_id: i64,
    /// The action.
    pub action: String,
    /// The record's values before.
    pub before: Option<Value>,
    /// The record's values after.
    pub after: Option<Value>,
    /// The network address; for a command on the host, who ran it and where, such as `ada@db1`.
    pub address: Option<String>,
    /// The request's id.
    pub request_id: String,
}

/// The newest entries about two records, such as a brand and its account: at most so many.
pub async fn newest_about(
    session: &mut Session,
    records: [Subject; 2],
    most: i64,
) -> Result<Vec<AuditEntry>> {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        // Each part ends early, by the index of entries by their subject.
        let part = |kind, id| {
            format!(
                "SELECT * FROM (SELECT {ENTRY} FROM audit_entry a WHERE a.subject_kind = {kind} \
                 AND a.subject_id = {id} ORDER BY a.id DESC LIMIT $5) part"
            )
        };
        let (one, other) = (part("$1", "$2"), part("$3", "$4"));
        format!("{one} UNION ALL {other} ORDER BY id DESC LIMIT $5")
    });
    let [one, other] = records;
    let newest = sql(&TEXT).bind(one.kind).bind(one.id).bind(other.kind).bind(other.id);
    session.all(newest.bind(most)).await
}

/// The newest entries that say what became of these records: at most so many.
pub(super) async fn last_changes_of(
    session: &mut Session,
    records: [Subject; 2],
    most: i64,
) -> Result<Vec<AuditEntry>> {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT {ENTRY} FROM audit_entry a WHERE (a.subject_kind = $1 AND a.subject_id = $2 \
             OR a.subject_kind = $3 AND a.subject_id = $4) AND a.after IS NOT NULL \
             ORDER BY a.id DESC LIMIT $5"
        )
    });
    let [one, other] = records;
    let last = sql(&TEXT).bind(one.kind).bind(one.id).bind(other.kind).bind(other.id);
    session.all(last.bind(most)).await
}

impl AuditEntry {
    /// The text of the row that is hashed: fixed order and format, the same on both engines.
    pub(super) fn sealed_text(&self, position: i64, previous: &str) -> String {
        let mut text = serde_json::json!([
            position,
            previous,
            self.id,
            self.at.timestamp_micros(),
            self.actor,
            self.operation,
            self.subject_kind,
            self.subject_id,
            self.action,
            self.before,
            self.after,
            self.address,
            self.request_id,
        ]);
        // Only if set: rows from before this column existed keep their hash.
        if let (Some(whom), Some(parts)) = (&self.on_behalf_of, text.as_array_mut()) {
            parts.push(whom.as_str().into());
        }
        canonical(&text)
    }
}

/// The subject of an audit row: a kind of record and its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The record's kind, such as `application`.
    pub kind: &'static str,
    /// Its id.
    pub id: i64,
}

impl<I: Identity> From<I> for Subject {
    fn from(id: I) -> Self {
        Self { kind: I::KIND, id: id.number() }
    }
}
