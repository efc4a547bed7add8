//! Officers read their institution's filings. Every read is recorded in the audit trail.

use schemars::JsonSchema;
use serde::Deserialize;

use super::filing::{Filing, FilingDocument, ListFilings};
use super::store::{filing as store, version as versions};
use super::version::{FilingVersion, difference};
use crate::auth::PortalUser;
use crate::content;
use crate::error::Result;
use crate::kernel::{FileId, FilingId, Followed, Listing, Time};
use crate::operation::Cx;
use crate::storage::{Session, first_of};

/// The maximum number of versions shown.
const TOLD: i64 = 200;

/// Selects a filing.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ShowFiling {
    /// The filing.
    pub id: FilingId,
}

/// Lists the institution's filings for the sports the caller has access to.
pub async fn list(cx: Cx<PortalUser>, input: Followed<ListFilings>) -> Result<Listing<Filing>> {
    let (input, place) = cx.place(input)?;
    let mut work = cx.begin_audited_read().await?;
    let when = (place, cx.now());
    let page = store::page_for(&mut work, &cx.caller, &input, when).await?;
    let (found, position) = page.split();
    let items = complete(&mut work, found, cx.now()).await?;
    for filing in &items {
        work.note(filing.id, "listed");
    }
    work.finish_read().await?;
    Ok(position.of(items))
}

/// Returns a filing with its history. 404 for another institution's, for a sport the caller has no
/// access to, and for a deleted one.
pub async fn detail(cx: Cx<PortalUser>, input: ShowFiling) -> Result<Filing> {
    let mut work = cx.begin_audited_read().await?;
    let filing = one(&mut work, &cx.caller, input.id, cx.now()).await?;
    work.note(filing.id, "read");
    work.finish_read().await?;
    Ok(filing)
}

/// Adds documents and the state of the deadlines to filings.
async fn complete(session: &mut Session, found: Vec<Filing>, now: Time) -> Result<Vec<Filing>> {
    let mut ids: Vec<FileId> = found.iter().flat_map(|one| one.file_ids.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut files = Vec::new();
    // In chunks, because a statement takes a limited number of values.
    for some in ids.chunks(500) {
        files.extend(content::found(session, some).await?);
    }
    let completed = found.into_iter().map(|filing| {
        let mut filing = filing.seen_at(now);
        let own = filing.file_ids.iter();
        let own = own.filter_map(|id| files.iter().find(|file| file.id == *id));
        filing.documents = own.map(FilingDocument::from).collect();
        filing
    });
    Ok(completed.collect())
}

/// A complete filing; 404 unless the portal user may see it.
pub(super) async fn one(
    session: &mut Session,
    officer: &PortalUser,
    id: FilingId,
    now: Time,
) -> Result<Filing> {
    let found = store::find_for(session, officer, id).await?;
    let completed = complete(session, vec![found], now).await?;
    let mut filing = first_of(completed)?;
    filing.history = history(session, id).await?;
    Ok(filing)
}

/// Its versions, the latest first.
async fn history(session: &mut Session, id: FilingId) -> Result<Vec<FilingVersion>> {
    let rows = versions::of_filing(session, id, TOLD + 1).await?;
    let told = usize::try_from(TOLD).unwrap_or(usize::MAX);
    let mut before = rows.iter().skip(1);
    let all = rows.iter().map(|row| {
        let (was, is) = match before.next() {
            Some(before) => {
                let (was, is) = difference(&before.content, &row.content);
                (Some(was), is)
            }
            None => (None, row.content.clone()),
        };
        FilingVersion {
            version: row.version,
            action: row.action,
            by: row.by_whom.clone(),
            note: row.note.clone(),
            at: row.at,
            before: was,
            after: is,
        }
    });
    Ok(all.take(told).collect())
}
