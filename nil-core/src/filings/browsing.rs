//! Officers read their institution's filings. Every read is recorded in the audit trail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filing::{Filing, FilingDocument, FilingStatus};
use super::store::filing as store;
use super::store::version as versions;
use super::version::{FilingVersion, difference};
use crate::auth::PortalUser;
use crate::content;
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, Date, FileId, FilingId, Followed, Listing, Many, SportId, Text, Time,
};
use crate::operation::Cx;
use crate::storage::{Session, first_of};

/// The maximum number of versions shown.
const TOLD: i64 = 200;

vocabulary! {
    /// The order of filings. Those without the date come last.
    FilingSort {
        /// Newest first.
        Newest = "newest",
        /// Oldest first.
        Oldest = "-newest",
        /// Earliest notice deadline first.
        DueUp = "notice_due_at",
        /// Latest notice deadline first.
        DueDown = "-notice_due_at",
        /// Earliest signing first.
        SignedUp = "signed_on",
        /// Latest signing first.
        SignedDown = "-signed_on",
        /// By the athlete's name, A to Z; accented letters sort after Z.
        AthleteUp = "athlete_name",
        /// By the athlete's name, Z to A.
        AthleteDown = "-athlete_name",
    }
}

/// Filters for the institution's filings. All must match; of a list, one match is enough.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListFilings {
    /// Of contracts signed on this day or later.
    pub from: Option<Date>,
    /// Of contracts signed on this day or earlier.
    pub to: Option<Date>,
    /// About athletes of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// About these athletes.
    pub athlete_ids: Option<Many<AthleteId, 0, 500>>,
    /// With these statuses (default: all except `deleted`; deleted filings are never listed).
    pub statuses: Option<Many<FilingStatus, 0, 6>>,
    /// Whether a notice was late or is overdue.
    pub late: Option<bool>,
    /// Words of the athlete's or agent's name, the agent's business or the registration number. All must
    /// match, as parts of words too. Accents and case are ignored.
    pub q: Option<Text<0, 200>>,
    /// The order (default `newest`).
    pub sort: Option<FilingSort>,
}

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

/// Returns a filing with its history. 404 for another institution's, for a sport the caller has no access to,
/// and for a deleted one.
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
