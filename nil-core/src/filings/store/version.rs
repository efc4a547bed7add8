//! The rows of filings' versions; rows are only ever added, and removed with their filing.

use serde_json::Value;

use crate::error::Result;
use crate::filings::version::FilingAction;
use crate::kernel::{FilingId, Time};
use crate::storage::{FromRow, Session, Stored, insert, sql};

/// A version of a filing.
#[derive(Clone, Debug, FromRow, Stored)]
pub struct VersionRow {
    pub version: i64,
    pub action: FilingAction,
    pub by_whom: String,
    pub note: Option<String>,
    pub content: Value,
    pub at: Time,
}

/// Adds a version.
pub async fn add(session: &mut Session, id: FilingId, row: VersionRow) -> Result<()> {
    session
        .run(insert("athlete_agent_filing_version").with(row.columns()).set("filing_id", id))
        .await
        .map(|_| ())
}

/// Removes every version of a filing that is purged.
pub async fn remove_all(session: &mut Session, id: FilingId) -> Result<()> {
    let rows = sql("DELETE FROM athlete_agent_filing_version WHERE filing_id = $1");
    session.run(rows.bind(id)).await.map(|_| ())
}

/// The content of the latest version.
pub async fn latest(session: &mut Session, id: FilingId) -> Result<Value> {
    session
        .value(
            sql("SELECT content FROM athlete_agent_filing_version WHERE filing_id = $1 \
                 ORDER BY version DESC LIMIT 1")
            .bind(id),
        )
        .await
}

/// The latest versions, latest first.
pub async fn of_filing(session: &mut Session, id: FilingId, most: i64) -> Result<Vec<VersionRow>> {
    session
        .all(
            sql("SELECT version, action, by_whom, note, content, at \
                 FROM athlete_agent_filing_version WHERE filing_id = $1 \
                 ORDER BY version DESC LIMIT $2")
            .bind(id)
            .bind(most),
        )
        .await
}
