//! Records each change of a filing in its own history and in the audit trail.

use serde_json::{Map, json};

use super::content::Content;
use super::filing::Filing;
use super::filing_status::FilingStatus;
use super::store::filing as store;
use super::store::version::{self as versions, VersionRow};
use super::version::{self, FilingAction};
use crate::auth::PortalUser;
use crate::error::{Error, Result, codes};
use crate::kernel::{FileId, FilingId};
use crate::operation::Work;

/// One change of a filing.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The version it makes.
    pub(super) version: i64,
    /// The action.
    pub(super) action: FilingAction,
    /// The note of the acting user.
    pub(super) note: Option<String>,
}

/// Records a change in the filing's history and in the audit trail: in the history with the content
/// before and after.
pub(super) async fn record(
    work: &mut Work,
    id: FilingId,
    step: Step,
    (content, files, status): (&Content, &[FileId], FilingStatus),
) -> Result<()> {
    let after = version::content(&content.particulars, content.agent_id, files, status);
    write_down(work, id, step, after.map_err(Error::internal)?).await
}

/// Records a change of status only.
pub(super) async fn record_move(
    work: &mut Work,
    filing: &Filing,
    step: Step,
    status: FilingStatus,
) -> Result<()> {
    let (particulars, agent) = (&filing.particulars, filing.agent_id);
    let after = version::content(particulars, agent, &filing.file_ids, status);
    write_down(work, filing.id, step, after.map_err(Error::internal)?).await
}

async fn write_down(
    work: &mut Work,
    id: FilingId,
    step: Step,
    after: serde_json::Value,
) -> Result<()> {
    let before = match step.version {
        1 => None,
        _ => Some(versions::latest(work, id).await?),
    };
    // The history keeps the content as long as the filing; the trail outlives both and names only
    // the fields.
    let is = match &before {
        Some(before) => version::difference(before, &after).1,
        None => after.clone(),
    };
    let changed: Vec<&String> = is.as_object().into_iter().flat_map(Map::keys).collect();
    let said =
        json!({ "version": step.version, "status": after.get("status"), "changed": changed });
    let was = before.map(|before| json!({ "status": before.get("status") }));
    work.note_change(id, step.action.as_str(), was, said);
    let row = VersionRow {
        version: step.version,
        action: step.action,
        by_whom: work.facts().actor.clone(),
        note: step.note,
        content: after,
        at: work.now(),
    };
    versions::add(work, id, row).await
}

/// The filing, locked; 409 if it is not at the version that the caller has seen.
pub(super) async fn lock(
    work: &mut Work,
    officer: &PortalUser,
    (id, version): (FilingId, Option<i64>),
) -> Result<Filing> {
    let filing = store::lock_for(work, officer, id).await?;
    if version.is_some_and(|seen| seen != filing.version) {
        let sentence = format!(
            "This disclosure is now at version {}. Reload it and try again.",
            filing.version
        );
        return Err(codes::STATE_CHANGED.saying(sentence));
    }
    Ok(filing)
}
