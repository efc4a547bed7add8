//! Users remove files that they added to a folder.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::browsing::complete;
use super::deal_file::DealFileStatus;
use super::party;
use super::store::{comment as comments, deal_file as store};
use crate::auth::Party;
use crate::content::{self, FileUse, storing};
use crate::error::{Result, codes};
use crate::kernel::DealFileId;
use crate::operation::{Cx, Done};

/// The file to remove.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RemoveDealFile {
    /// The file in the folder.
    pub id: DealFileId,
}

/// Removes a document from the folder, and deletes its file unless it is part of another record.
/// Only the user who added it can remove it: 404 for all others. 409 `document_discussed` once the
/// other side has answered, or there is a second version or a comment; `deal_ended` after the deal
/// has ended. The audit trail keeps its data with the checksum.
pub async fn remove(cx: Cx<Party>, input: RemoveDealFile) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let user = party::user_of(&cx.caller);
    let row = store::of_user(&mut work, input.id, user).await?;
    party::lock(&mut work, &cx.caller, row.job_id, row.athlete_id).await?;
    // It may have been answered before it was locked.
    let row = store::lock(&mut work, row.id).await?;
    let untouched = row.status == DealFileStatus::Open && row.number == 1;
    if !untouched || comments::count(&mut work, row.id).await? > 0 {
        return Err(codes::DOCUMENT_DISCUSSED.into());
    }
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
