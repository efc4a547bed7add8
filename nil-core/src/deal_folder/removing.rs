//! Users remove files that they added to a folder.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::browsing::complete;
use super::party;
use super::store::deal_file as store;
use crate::auth::Party;
use crate::content::{self, FileUse, storing};
use crate::error::Result;
use crate::kernel::DealFileId;
use crate::operation::{Cx, Done};

/// The file to remove.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RemoveDealFile {
    /// The file in the folder.
    pub id: DealFileId,
}

/// Removes a file from the folder, and deletes it unless it is part of another record. Only the user who added it can
/// remove it: 404 for all others. The audit trail keeps its data with the checksum.
pub async fn remove(cx: Cx<Party>, input: RemoveDealFile) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let row = store::hold_of(&mut work, input.id, party::user_of(&cx.caller)).await?;
    party::check(&mut work, &cx.caller, row.job_id, row.athlete_id).await?;
    party::act(&mut work, &cx.caller, row.athlete_id);
    let (id, file) = (row.id, row.file_id);
    let before = complete(&mut work, vec![row]).await?.pop();
    content::attach(&mut work, &[], FileUse::DealFile, id.get()).await?;
    store::remove(&mut work, id).await?;
    let discarded = storing::discard(&mut work, file).await?;
    let before = before.map(|was| {
        json!({
            "job_id": was.job_id, "athlete_id": was.athlete_id, "file_id": was.file.id,
            "media_type": was.file.media_type, "size": was.file.size, "sha256": was.file.sha256,
        })
    });
    work.note_change(id, "removed", before, None);
    let done = work.done(()).await?;
    discarded.remove(cx.platform()).await;
    Ok(done)
}
