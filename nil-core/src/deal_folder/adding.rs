//! A party adds a file to the folder: a new document, or a new version of one.

use schemars::JsonSchema;
use serde::Deserialize;

use super::browsing::complete;
use super::deal_file::{DealFile, DealFileEvent};
use super::notices::{self, News};
use super::party;
use super::store::deal_file::{self as store, DealFileRow, Decision, NewDealFile, Place};
use crate::auth::Party;
use crate::content::storing::{self, Given, Written};
use crate::content::{self, FileContent, FileOwner, FileUse, MediaType, StoredFile, Viewer};
use crate::contracts::Contract;
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, DealFileId, JobId, Machine as _, Text, UserId};
use crate::operation::{Cx, Done, Work};

/// A file for the folder: a multipart form with one file part, or JSON with its content in base64.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AddDealFile {
    /// The job of the deal.
    pub job_id: JobId,
    /// The athlete of the deal.
    pub athlete_id: AthleteId,
    /// A note about it.
    pub note: Option<Text<1, 500>>,
    /// Its name (in a form: the file part's own, unless given).
    pub name: Text<1, 1000>,
    /// Its declared type (in a form: the file part's type). It must match the content.
    #[schemars(extend("examples" = [null]))]
    pub media_type: Option<MediaType>,
    /// Its content in base64, at most 10 MiB (in a form: the file part, at most 50 MiB).
    pub content: FileContent,
}

/// A new version of a document: a multipart form with one file part, or JSON with its content in
/// base64.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReplaceDealFile {
    /// The version that it replaces. 409 `illegal_transition` if there is a newer one.
    pub id: DealFileId,
    /// A note about it.
    pub note: Option<Text<1, 500>>,
    /// Its name (in a form: the file part's own, unless given).
    pub name: Text<1, 1000>,
    /// Its declared type (in a form: the file part's type). It must match the content.
    #[schemars(extend("examples" = [null]))]
    pub media_type: Option<MediaType>,
    /// Its content in base64, at most 10 MiB (in a form: the file part, at most 50 MiB).
    pub content: FileContent,
}

/// The maximum number of versions of a document.
const MOST: i64 = 100;

/// Adds a file to the folder of a deal (contract: *Deal folder*), for both parties and the
/// athlete's agent: the first version of a document, about which the other side is told. It is
/// checked like any other upload, and counts towards the caller's quota: 409 `file_quota_exceeded`.
/// 404 for a deal of other parties, 409 `deal_ended` after it has ended.
pub async fn add(cx: Cx<Party>, input: AddDealFile) -> Result<Done<DealFile>> {
    let (job, athlete) = (input.job_id, input.athlete_id);
    let mut session = cx.read().await?;
    let contract = party::check(&mut session, &Viewer::of_party(&cx.caller), job, athlete).await?;
    drop(session);
    // Nothing is written for a deal that has ended.
    party::is_open(&contract)?;
    let written = write(&cx, &input.name, input.media_type, &input.content).await?;
    let mut work = cx.begin().await?;
    // Checks made before the bytes were written may be outdated.
    let contract = party::lock(&mut work, &cx.caller, job, athlete).await?;
    let file = storing::keep(&mut work, written).await?;
    let note = input.note.map(|note| note.trim().to_owned());
    let user = party::user_of(&cx.caller);
    let new = NewDealFile { user, file: file.id, upload: None, note, place: Place::FIRST };
    let added = enter(&mut work, &cx.caller, &contract, &new, &file).await?;
    work.done(added).await
}

/// Adds a new version of a document, for either side; the earlier ones stay readable, and the other
/// side is told. 404 for a deal of other parties, 409 `illegal_transition` for a version that was
/// replaced, approved or voided, `too_many_versions` after 100 of them, `deal_ended` after the deal
/// has ended.
pub async fn replace(cx: Cx<Party>, input: ReplaceDealFile) -> Result<Done<DealFile>> {
    let mut session = cx.read().await?;
    let row = party::seen(&mut session, &Viewer::of_party(&cx.caller), input.id).await?;
    let open = store::deal_is_open(&mut session, row.job_id, row.athlete_id).await?;
    drop(session);
    if !open {
        return Err(codes::DEAL_ENDED.into());
    }
    row.status.on(DealFileEvent::Replace)?;
    let written = write(&cx, &input.name, input.media_type, &input.content).await?;
    let mut work = cx.begin().await?;
    // Checks made before the bytes were written may be outdated.
    let (contract, row) = party::lock_version(&mut work, &cx.caller, input.id).await?;
    let user = party::user_of(&cx.caller);
    let place = succeed(&mut work, &row, user).await?;
    let file = storing::keep(&mut work, written).await?;
    let note = input.note.map(|note| note.trim().to_owned());
    let new = NewDealFile { user, file: file.id, upload: None, note, place };
    let added = enter(&mut work, &cx.caller, &contract, &new, &file).await?;
    work.done(added).await
}

/// Writes a file of the caller.
async fn write(
    cx: &Cx<Party>,
    name: &str,
    media_type: Option<MediaType>,
    content: &FileContent,
) -> Result<Written> {
    let owner = FileOwner::User(party::user_of(&cx.caller));
    let given = Given { owner, name, media_type, content };
    storing::write(cx.platform(), cx.facts().operation, given).await
}

/// Marks a locked version as replaced; returns the place of the version that follows it.
pub(super) async fn succeed(work: &mut Work, row: &DealFileRow, user: UserId) -> Result<Place> {
    let moved = row.status.on(DealFileEvent::Replace)?;
    if row.number >= MOST {
        return Err(codes::TOO_MANY_VERSIONS.into());
    }
    let decision = Decision { user, note: row.decision_note.clone() };
    let now = work.now();
    store::decide(work, row.id, moved, &decision, now).await?;
    work.note(row.id, moved.to().as_str());
    Ok(Place { document: Some(row.document_id()), number: row.number + 1 })
}

/// Adds a stored file to the folder of a deal, and tells the other side.
pub(super) async fn enter(
    work: &mut Work,
    caller: &Party,
    contract: &Contract,
    new: &NewDealFile,
    file: &StoredFile,
) -> Result<DealFile> {
    let now = work.now();
    let row = store::add(work, contract, new, now).await?;
    content::attach(work, std::slice::from_ref(file), FileUse::DealFile, row.id.get()).await?;
    work.note(row.id, "added");
    let news = News { event: notices::of_added(&row), text: row.note.as_deref() };
    notices::tell(work, caller, contract, &row, news).await?;
    let added = complete(work, vec![row]).await?.pop();
    added.ok_or_else(|| Error::internal("a file that was just added"))
}
