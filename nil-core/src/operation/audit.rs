//! The audit trail: who did what to which record, when and from where, with the state before and after.
//!
//! Rows are written in the operation's own transaction. The worker adds them to a hash chain afterwards, in a sequence
//! of its own: a chain inside the transactions would make every writer wait for every other.

use std::sync::LazyLock;

use aws_lc_rs::digest::{SHA256, digest};
use schemars::JsonSchema;
use sea_query::{Expr, Query};
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;

use super::facts::Facts;
use super::work::Subject;
use crate::error::{Kind, Result};
use crate::kernel::{AuditId, Time};
use crate::platform::Platform;
use crate::storage::{Among as _, Session, insert, sql};

/// One action on one record.
#[derive(Debug)]
pub(crate) struct Note {
    pub subject: Subject,
    pub action: &'static str,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// The person the actor acted for, such as `athlete:3`; none if they acted for themself.
    pub on_behalf_of: Option<String>,
}

/// Writes the rows of one transaction.
pub(crate) async fn write(session: &mut Session, facts: &Facts, notes: &[Note]) -> Result<()> {
    let mut rows = insert("audit_entry");
    for note in notes {
        rows = rows
            .set("at", facts.now)
            .set("actor", facts.actor.clone())
            .set("on_behalf_of", note.on_behalf_of.clone())
            .set("operation", facts.operation)
            .set("subject_kind", note.subject.kind)
            .set("subject_id", note.subject.id)
            .set("action", note.action)
            .set("before", note.before.clone())
            .set("after", note.after.clone())
            .set("address", facts.address.map(|address| address.to_string()))
            .set("request_id", facts.request_id.clone())
            .row();
    }
    session.add(rows).await
}

/// The columns of an [`AuditEntry`].
pub(super) const ENTRY: &str = "a.id, a.at, a.actor, a.on_behalf_of, a.operation, a.subject_kind, a.subject_id, a.action, \
    a.before, a.after, a.address, a.request_id";

/// An entry of the audit trail.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AuditEntry {
    /// The entry's id.
    pub id: AuditId,
    /// The time of the action.
    pub at: Time,
    /// The actor, such as `operator:2`.
    pub actor: String,
    /// The person the actor acted for, such as `athlete:3`; null if they acted for themself.
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
    /// The network address.
    pub address: Option<String>,
    /// The request's id.
    pub request_id: String,
}

/// The newest entries about two records, such as a brand and its account: at most so many.
pub(crate) async fn newest_about(
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

impl AuditEntry {
    /// The text of the row that is hashed: fixed order and format, the same on both engines.
    fn sealed_text(&self, position: i64, previous: &str) -> String {
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
        text.to_string()
    }
}

/// Adds all unsealed rows to the hash chain; returns their number. If another server seals at the same time, this one
/// continues after it; after several such collisions it leaves the rest to the other.
pub(crate) async fn seal_all(platform: &Platform) -> Result<usize> {
    const MEETINGS: u32 = 8;
    let (mut all, mut met) = (0, 0);
    loop {
        match seal(platform).await {
            Ok(0) => return Ok(all),
            Ok(sealed) => all += sealed,
            Err(error) if error.kind() == Kind::Again => {
                met += 1;
                if met == MEETINGS {
                    return Ok(all);
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// The number of rows sealed at a time.
const AT_ONCE: usize = 500;

/// Seals up to 500 rows; returns their number. Rows are sealed in the order found, each once, regardless of the order
/// in which their transactions ended. Unsealed rows are in a separate table, so that the length of the trail does not
/// matter; hashes are computed before the transaction, to keep it short.
async fn seal(platform: &Platform) -> Result<usize> {
    // With statistics of a short trail both engines read the whole trail otherwise: `CROSS JOIN` fixes the order on
    // SQLite, and the second condition spares PostgreSQL the entries before the first unsealed one.
    static UNSEALED: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT {ENTRY} FROM (SELECT audit_id FROM audit_unsealed ORDER BY audit_id LIMIT $1) u \
             CROSS JOIN audit_entry a WHERE a.id = u.audit_id AND a.id >= $2 ORDER BY a.id"
        )
    });
    let mut session = platform.db().read().await?;
    let first: Option<(AuditId,)> =
        session.first(sql("SELECT audit_id FROM audit_unsealed ORDER BY audit_id LIMIT 1")).await?;
    let Some((first,)) = first else { return Ok(0) };
    // Read the end of the chain first: a link added by another server meanwhile then causes a conflict below.
    let last: Option<(i64, String)> = session
        .first(sql("SELECT position, hash FROM audit_seal ORDER BY position DESC LIMIT 1"))
        .await?;
    let most = i64::try_from(AT_ONCE).unwrap_or(i64::MAX);
    let rows: Vec<AuditEntry> = session.all(sql(&UNSEALED).bind(most).bind(first)).await?;
    drop(session);
    if rows.is_empty() {
        return Ok(0);
    }
    let (mut position, mut previous) = last.unwrap_or((0, String::new()));
    let mut seals = insert("audit_seal");
    for row in &rows {
        position += 1;
        previous = hex::encode(digest(&SHA256, row.sealed_text(position, &previous).as_bytes()));
        seals = seals
            .set("position", position)
            .set("audit_id", row.id)
            .set("hash", previous.clone())
            .row();
    }
    let mut session = platform.db().begin().await?;
    // Two servers that seal concurrently conflict at the primary key; one of them gets `try_again`.
    session.run(seals).await?;
    let ids = rows.iter().map(|row| row.id.get());
    let sealed = Query::delete()
        .from_table("audit_unsealed")
        .and_where(Expr::col("audit_id").among(ids))
        .take();
    session.run(sealed).await?;
    session.commit().await?;
    Ok(rows.len())
}

/// Checks the whole chain; returns the position of the first broken link.
pub async fn verify_chain(session: &mut Session) -> Result<Option<i64>> {
    #[derive(FromRow)]
    struct Link {
        position: i64,
        hash: String,
        #[sqlx(flatten)]
        entry: AuditEntry,
    }
    static AFTER: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT s.position, s.hash, {ENTRY} FROM audit_seal s \
             JOIN audit_entry a ON a.id = s.audit_id \
             WHERE s.position > $1 ORDER BY s.position LIMIT 1000"
        )
    });
    let (mut position, mut previous) = (0, String::new());
    loop {
        let links: Vec<Link> = session.all(sql(&AFTER).bind(position)).await?;
        if links.is_empty() {
            return Ok(None);
        }
        for link in links {
            let text = link.entry.sealed_text(position + 1, &previous);
            if link.position != position + 1
                || link.hash != hex::encode(digest(&SHA256, text.as_bytes()))
            {
                return Ok(Some(position + 1));
            }
            (position, previous) = (link.position, link.hash);
        }
    }
}
