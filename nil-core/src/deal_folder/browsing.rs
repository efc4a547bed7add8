//! The parties list and download the folder's files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::deal_file::DealFile;
use super::party;
use super::store::deal_file::{self as store, DealFileRow};
use crate::auth::Party;
use crate::content::signing::link;
use crate::content::{self, Link, reading};
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, DealFileId, FileId, JobId, Listing, Paged};
use crate::operation::{Cx, RecordOrFile};
use crate::people;
use crate::storage::Session;

/// The folder of a deal.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListFolder {
    /// The job of the deal.
    pub job_id: JobId,
    /// The athlete of the deal.
    pub athlete_id: AthleteId,
}

/// The file to download.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DownloadDealFile {
    /// The file in the folder.
    pub id: DealFileId,
    /// Whether to return the file itself (default false: a signed address).
    pub inline: Option<bool>,
}

/// The files of the folder, newest first. 404 for a deal of other parties.
pub async fn list(cx: Cx<Party>, input: Paged<ListFolder>) -> Result<Listing<DealFile>> {
    let (input, paging) = input.parts();
    let (job, athlete) = (input.job_id, input.athlete_id);
    let mut session = cx.read().await?;
    party::check(&mut session, &cx.caller, job, athlete).await?;
    let (rows, place) = store::page(&mut session, job, athlete, paging).await?.split();
    let items = complete(&mut session, rows).await?;
    drop(session);
    people::party_looked_at(&cx, std::iter::once(athlete), "deal_folder_listed").await?;
    Ok(place.of(items))
}

/// A signed address of a file in a folder, or the file itself. Every download is recorded in the audit trail.
pub async fn download(cx: Cx<Party>, input: DownloadDealFile) -> Result<RecordOrFile<Link>> {
    let mut work = cx.look().await?;
    let row = store::find(&mut work, input.id).await?;
    let row = row.ok_or(codes::NOT_FOUND)?;
    party::check(&mut work, &cx.caller, row.job_id, row.athlete_id).await?;
    party::act(&mut work, &cx.caller, row.athlete_id);
    let found = content::found(&mut work, &[row.file_id]).await?;
    let file = found.into_iter().next().ok_or_else(|| lost(&row))?;
    work.note(row.id, "downloaded");
    work.seen().await?;
    if input.inline == Some(true) {
        let file = reading::send(cx.platform(), file).await?;
        return Ok(RecordOrFile::File(file));
    }
    Ok(RecordOrFile::Record(link(cx.platform(), file.id, cx.now())))
}

/// Files of folders with the data of the files themselves.
pub(super) async fn complete(
    session: &mut Session,
    rows: Vec<DealFileRow>,
) -> Result<Vec<DealFile>> {
    let ids: Vec<FileId> = rows.iter().map(|row| row.file_id).collect();
    let files = content::found(session, &ids).await?;
    let with_file = |row: DealFileRow| {
        let file = files.iter().find(|file| file.id == row.file_id);
        let file = file.cloned().ok_or_else(|| lost(&row))?;
        Ok(DealFile {
            id: row.id,
            job_id: row.job_id,
            athlete_id: row.athlete_id,
            file,
            note: row.note,
            user_id: row.user_id,
            added_by: row.added_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    };
    rows.into_iter().map(with_file).collect()
}

fn lost(row: &DealFileRow) -> Error {
    Error::internal(format!("file {} of a folder is not there", row.file_id))
}
