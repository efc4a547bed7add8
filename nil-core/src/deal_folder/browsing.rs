//! The parties, and the officers of the athlete's institution, read the folder.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::comment::DealFileComment;
use super::deal_file::DealFile;
use super::party;
use super::store::comment as comments;
use super::store::deal_file::{self as store, DealFileRow};
use crate::auth::{Party, PortalUser};
use crate::content::signing::link;
use crate::content::{self, Link, Viewer, reading};
use crate::error::{Error, Result};
use crate::kernel::{AthleteId, DealFileId, FileId, Followed, JobId, Listing};
use crate::operation::{Cx, RecordOrFile};
use crate::people;
use crate::storage::Session;

/// The folder of a deal.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListFolder {
    /// The job of the deal.
    pub job_id: JobId,
    /// The athlete of the deal.
    pub athlete_id: AthleteId,
}

/// A document in the folder.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OfDocument {
    /// The document: the id of its first version.
    pub document_id: DealFileId,
}

/// The comments on a document.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CommentsOfDocument {
    /// The document: the id of its first version.
    pub document_id: DealFileId,
}

/// The version to download.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DownloadDealFile {
    /// The version in the folder.
    pub id: DealFileId,
    /// Whether to return the file itself (default false: a signed address).
    pub inline: Option<bool>,
}

/// The documents of the folder, each in its newest version, newest first. 404 for a deal of other
/// parties.
pub async fn list(cx: Cx<Party>, input: Followed<ListFolder>) -> Result<Listing<DealFile>> {
    let athlete = input.own.athlete_id;
    let page = documents(&cx, &Viewer::of_party(&cx.caller), input).await?;
    people::party_looked_at(&cx, std::iter::once(athlete), "deal_folder_listed").await?;
    Ok(page)
}

/// The documents of the folder of an athlete of the caller's institution, each in its newest
/// version, newest first. 404 before both sides have agreed to the contract.
pub async fn list_as_compliance(
    cx: Cx<PortalUser>,
    input: Followed<ListFolder>,
) -> Result<Listing<DealFile>> {
    documents(&cx, &Viewer::of_portal(&cx.caller), input).await
}

async fn documents<C>(
    cx: &Cx<C>,
    viewer: &Viewer,
    input: Followed<ListFolder>,
) -> Result<Listing<DealFile>> {
    let (ListFolder { job_id, athlete_id }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    party::check(&mut session, viewer, job_id, athlete_id).await?;
    let (rows, position) = store::page(&mut session, job_id, athlete_id, place).await?.split();
    Ok(position.of(complete(&mut session, rows).await?))
}

/// All versions of a document, newest first. 404 for a document of other parties.
pub async fn versions(cx: Cx<Party>, input: Followed<OfDocument>) -> Result<Listing<DealFile>> {
    let (page, athlete) = all_versions(&cx, &Viewer::of_party(&cx.caller), input).await?;
    people::party_looked_at(&cx, std::iter::once(athlete), "deal_folder_listed").await?;
    Ok(page)
}

/// All versions of a document in the folder of an athlete of the caller's institution, newest
/// first.
pub async fn versions_as_compliance(
    cx: Cx<PortalUser>,
    input: Followed<OfDocument>,
) -> Result<Listing<DealFile>> {
    Ok(all_versions(&cx, &Viewer::of_portal(&cx.caller), input).await?.0)
}

async fn all_versions<C>(
    cx: &Cx<C>,
    viewer: &Viewer,
    input: Followed<OfDocument>,
) -> Result<(Listing<DealFile>, AthleteId)> {
    let (OfDocument { document_id }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let athlete = party::seen(&mut session, viewer, document_id).await?.athlete_id;
    let (rows, position) = store::versions(&mut session, document_id, place).await?.split();
    Ok((position.of(complete(&mut session, rows).await?), athlete))
}

/// The comments on all versions of a document, oldest first. 404 for a document of other parties.
pub async fn list_comments(
    cx: Cx<Party>,
    input: Followed<CommentsOfDocument>,
) -> Result<Listing<DealFileComment>> {
    let (page, athlete) = all_comments(&cx, &Viewer::of_party(&cx.caller), input).await?;
    people::party_looked_at(&cx, std::iter::once(athlete), "deal_folder_listed").await?;
    Ok(page)
}

/// The comments on all versions of a document in the folder of an athlete of the caller's
/// institution, oldest first.
pub async fn list_comments_as_compliance(
    cx: Cx<PortalUser>,
    input: Followed<CommentsOfDocument>,
) -> Result<Listing<DealFileComment>> {
    Ok(all_comments(&cx, &Viewer::of_portal(&cx.caller), input).await?.0)
}

async fn all_comments<C>(
    cx: &Cx<C>,
    viewer: &Viewer,
    input: Followed<CommentsOfDocument>,
) -> Result<(Listing<DealFileComment>, AthleteId)> {
    let (CommentsOfDocument { document_id }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let athlete = party::seen(&mut session, viewer, document_id).await?.athlete_id;
    Ok((comments::page(&mut session, document_id, place).await?, athlete))
}

/// A signed address of a version in a folder, or the file itself. Every download is recorded in the
/// audit trail.
pub async fn download(cx: Cx<Party>, input: DownloadDealFile) -> Result<RecordOrFile<Link>> {
    let agent = matches!(cx.caller, Party::Agent(_));
    read(&cx, &Viewer::of_party(&cx.caller), agent, input).await
}

/// A signed address of a version in the folder of an athlete of the caller's institution, or the
/// file itself. Every download is recorded in the audit trail.
pub async fn download_as_compliance(
    cx: Cx<PortalUser>,
    input: DownloadDealFile,
) -> Result<RecordOrFile<Link>> {
    read(&cx, &Viewer::of_portal(&cx.caller), false, input).await
}

async fn read<C>(
    cx: &Cx<C>,
    viewer: &Viewer,
    on_behalf: bool,
    input: DownloadDealFile,
) -> Result<RecordOrFile<Link>> {
    let mut work = cx.begin_audited_read().await?;
    let row = party::seen(&mut work, viewer, input.id).await?;
    if on_behalf {
        work.act_for(Some(row.athlete_id));
    }
    let found = content::found(&mut work, &[row.file_id]).await?;
    let file = found.into_iter().next().ok_or_else(|| lost(&row))?;
    work.note(row.id, "downloaded");
    work.finish_read().await?;
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
            document_id: row.document_id(),
            version: row.number,
            job_id: row.job_id,
            athlete_id: row.athlete_id,
            file,
            note: row.note,
            user_id: row.user_id,
            added_by: row.added_by,
            status: row.status,
            decided_by: row.decided_by,
            decided_at: row.decided_at,
            decision_note: row.decision_note,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    };
    rows.into_iter().map(with_file).collect()
}

pub(super) fn lost(row: &DealFileRow) -> Error {
    Error::internal(format!("file {} of a folder is not there", row.file_id))
}
