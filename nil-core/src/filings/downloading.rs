//! The documents of a filing, as one archive.

use super::browsing::{self, ShowFiling};
use crate::auth::PortalUser;
use crate::content::{self, archiving};
use crate::error::Result;
use crate::operation::{Cx, Download};

/// Downloads the documents of a filing as a ZIP with `manifest.json`: each document's size and
/// SHA-256. Without documents the manifest is empty. 404 for another institution's filing.
pub async fn documents(cx: Cx<PortalUser>, input: ShowFiling) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let filing = browsing::one(&mut work, &cx.caller, input.id, cx.now()).await?;
    let mut files = content::found(&mut work, &filing.file_ids).await?;
    work.note(filing.id, "documents_downloaded");
    work.finish_read().await?;
    let place = |id| filing.file_ids.iter().position(|own| *own == id);
    files.sort_by_key(|file| place(file.id));
    let name = format!("athlete-agent-disclosure-{}.zip", filing.id);
    Ok(archiving::archive(cx.platform(), name, files, cx.now()))
}
