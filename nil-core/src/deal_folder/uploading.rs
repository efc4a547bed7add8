//! Uploads in three steps, for phones: announced with a log-in, sent to a signed address without
//! one, and completed.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::adding::{enter, succeed};
use super::browsing::complete as completed;
use super::deal_file::{DealFile, DealFileEvent};
use super::direct_upload::{DirectUpload, NewUpload, UploadEvent, UploadStatus};
use super::party;
use super::store::deal_file::{self as folder, NewDealFile, Place};
use crate::auth::{Anyone, Party};
use crate::content::signing::expiry;
use crate::content::sniffing::sniff;
use crate::content::storing::{self, Given};
use crate::content::{
    self, Address, FileContent, FileOwner, MediaType, StoredFile, Viewer, announcing,
};
use crate::error::{Error, Result, codes};
use crate::kernel::{
    AthleteId, DealFileId, DirectUploadId, Interface, JobId, Machine as _, Text, Time,
};
use crate::operation::{Cx, Done, Fields};
use crate::platform::Platform;
use crate::storage::{Session, first_of};

/// How long an announced upload waits for its bytes, and to be completed.
const GOOD_FOR: TimeDelta = TimeDelta::hours(1);
/// The path for the bytes.
pub(crate) const PATH: &str = "/deal-folder/direct-upload";
/// The addresses for the bytes: the upload and its size.
const ADDRESS: Address<2> = Address { prefix: "upload.", interface: Interface::Core, path: PATH };

/// A file to be uploaded.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CreateUpload {
    /// The job of the deal.
    pub job_id: JobId,
    /// The athlete of the deal.
    pub athlete_id: AthleteId,
    /// Its name.
    pub name: Text<1, 1000>,
    /// Its size in bytes: at least 1, at most the limit of its type.
    pub size: i64,
    /// Its type.
    pub mime: MediaType,
    /// A note about it.
    pub note: Option<Text<1, 500>>,
    /// The version of a document in this folder that it replaces (default: a new document). 409
    /// `illegal_transition` if there is a newer one.
    #[schemars(extend("examples" = [null]))]
    pub replaces_id: Option<DealFileId>,
}

/// The bytes of an announced upload.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReceiveUpload {
    /// The token in the address: the upload, its size, the expiry and the signature.
    pub token: Text<1, 300>,
    /// The bytes of the file; over HTTP they are the raw body.
    pub content: FileContent,
}

/// The upload to complete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompleteUpload {
    /// The upload.
    pub upload_id: DirectUploadId,
    /// The SHA-256 of the sent bytes, in hexadecimal; it is compared with the received ones.
    pub sha256: Option<Text<64, 64>>,
}

/// An announced upload, and the address for its bytes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AnnouncedUpload {
    /// Its id, for completing it.
    pub upload_id: DirectUploadId,
    /// The address that accepts the bytes by `PUT`, once and without a log-in.
    #[schemars(extend("examples" = ["https://nil.example/api/deal-folder/direct-upload?token=upload.7.2048.1795172580.5d41"]))]
    pub url: String,
    /// When the address stops working; the upload must be completed before.
    pub expires_at: Time,
}

/// The received bytes of an announced upload.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ReceivedUpload {
    /// Its id, for completing it.
    pub upload_id: DirectUploadId,
    /// Its size in bytes.
    pub size: i64,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

/// Announces an upload to the folder of a deal (contract: *Deal folder*). 404 for a deal of other
/// parties, 409 `file_quota_exceeded` if there is no room for it, `deal_ended` after the deal has
/// ended.
pub async fn create(cx: Cx<Party>, input: CreateUpload) -> Result<Done<AnnouncedUpload>> {
    let largest = i64::try_from(input.mime.largest()).map_err(Error::internal)?;
    if !(1..=largest).contains(&input.size) {
        let why = format!("must be between 1 and {largest}");
        return Err(Error::invalid("size", why));
    }
    let mut work = cx.begin().await?;
    party::lock(&mut work, &cx.caller, input.job_id, input.athlete_id).await?;
    if let Some(id) = input.replaces_id {
        let row = folder::of_deal(&mut work, id, input.job_id, input.athlete_id).await?;
        row.status.on(DealFileEvent::Replace)?;
    }
    let user = party::user_of(&cx.caller);
    storing::check_room(&mut work, FileOwner::User(user), input.size).await?;
    // An address says to the second when it stops working.
    let expires_at = expiry(cx.now(), GOOD_FOR);
    let new = NewUpload {
        user,
        job: input.job_id,
        athlete: input.athlete_id,
        name: input.name.to_string(),
        media_type: input.mime,
        size: input.size,
        note: input.note.map(|note| note.trim().to_owned()),
        replaces: input.replaces_id,
        expires_at,
    };
    let upload: DirectUpload = announcing::add(&mut work, &new, cx.now()).await?;
    work.note(upload.id, "announced");
    let url = ADDRESS.url(cx.platform(), [upload.id.get(), upload.size], expires_at);
    work.done(AnnouncedUpload { upload_id: upload.id, url, expires_at }).await
}

/// The number of bytes that the address accepts, read from the address itself before any bytes are
/// read.
pub(crate) fn takes(platform: &Platform, fields: &Fields) -> Result<usize> {
    ADDRESS.takes(platform, fields)
}

/// Receives the bytes of an announced upload at its address: 404 `link_invalid` for a wrong or
/// expired address, 413 `body_too_large` for more bytes than announced, 422 for fewer or for other
/// content. The same bytes may be sent again; other bytes are 409 after the first ones. 409
/// `deal_ended` after the deal has ended.
pub async fn receive(cx: Cx<Anyone>, input: ReceiveUpload) -> Result<Done<ReceivedUpload>> {
    let [id, _] = ADDRESS.opened(cx.platform(), &input.token, cx.now())?;
    let id = DirectUploadId::new(id).ok_or(codes::LINK_INVALID)?;
    let mut session = cx.read().await?;
    let upload: DirectUpload =
        announcing::find(&mut session, id).await?.ok_or(codes::LINK_INVALID)?;
    let open = folder::deal_is_open(&mut session, upload.job_id, upload.athlete_id).await?;
    drop(session);
    if !open {
        return Err(codes::DEAL_ENDED.into());
    }
    examine(&upload, &input.content)?;
    if upload.status != UploadStatus::Created {
        return again(&cx, &upload, &input.content).await;
    }
    let given = Given {
        owner: FileOwner::User(upload.user_id),
        name: &upload.name,
        media_type: Some(upload.media_type),
        content: &input.content,
    };
    let written = storing::write(cx.platform(), cx.facts().operation, given).await?;
    let mut work = cx.begin().await?;
    let upload: DirectUpload = announcing::lock(&mut work, id).await?.ok_or(codes::LINK_INVALID)?;
    let moved = upload.status.on(UploadEvent::Receive)?;
    let file = storing::keep(&mut work, written).await?;
    folder::receive(&mut work, id, moved, file.id, cx.now()).await?;
    work.note(upload.id, "received");
    work.done(ReceivedUpload { upload_id: id, size: file.size, sha256: file.sha256 }).await
}

/// The received bytes must match the announcement.
fn examine(upload: &DirectUpload, content: &FileContent) -> Result<()> {
    let size = i64::try_from(content.len()).map_err(Error::internal)?;
    if size > upload.size {
        return Err(codes::BODY_TOO_LARGE.into());
    }
    if size < upload.size {
        let why = format!("must be the {} bytes that were announced", upload.size);
        return Err(Error::invalid("content", why));
    }
    match sniff(content) {
        Some(found) if found.passes_for(upload.media_type) => Ok(()),
        _ => {
            let why = format!("has content that is not {}", upload.media_type);
            Err(Error::invalid("content", why))
        }
    }
}

/// Repeating the same bytes gets the first answer again.
async fn again(
    cx: &Cx<Anyone>,
    upload: &DirectUpload,
    content: &FileContent,
) -> Result<Done<ReceivedUpload>> {
    let sha256 = storing::sum(content).await?;
    let mut work = cx.begin().await?;
    match file_of(&mut work, upload).await? {
        Some(file) if file.sha256 == sha256 => {
            work.done(ReceivedUpload { upload_id: upload.id, size: file.size, sha256 }).await
        }
        _ => {
            upload.status.on(UploadEvent::Receive)?;
            Err(codes::STATE_CHANGED.into())
        }
    }
}

/// Adds a received upload to the folder, as a new document or as the version that it was announced
/// as; completing it again gives the same answer. 404 for another user's, 409 before the bytes have
/// arrived, if the version that it replaces was replaced, approved or voided meanwhile, or after
/// the deal has ended; 409 `upload_expired` an hour after it was announced, 422 if the checksum
/// does not match the received bytes.
pub async fn complete(cx: Cx<Party>, input: CompleteUpload) -> Result<Done<DealFile>> {
    let user = party::user_of(&cx.caller);
    let mut work = cx.begin().await?;
    let upload: DirectUpload = announcing::lock_of(&mut work, input.upload_id, user).await?;
    let viewer = Viewer::of_party(&cx.caller);
    party::check(&mut work, &viewer, upload.job_id, upload.athlete_id).await?;
    let late = upload.status != UploadStatus::Completed && upload.expires_at <= cx.now();
    if late || upload.status == UploadStatus::Expired {
        return Err(codes::UPLOAD_EXPIRED.into());
    }
    let file = file_of(&mut work, &upload).await?;
    if let Some(file) = &file {
        announcing::check_sum(input.sha256.as_deref(), &file.sha256)?;
    }
    if upload.status == UploadStatus::Completed {
        let row = folder::of_upload(&mut work, upload.id).await?;
        let entered = first_of(completed(&mut work, vec![row]).await?)?;
        return work.done(entered).await;
    }
    let moved = upload.status.on(UploadEvent::Complete)?;
    let contract = party::lock(&mut work, &cx.caller, upload.job_id, upload.athlete_id).await?;
    let place = match upload.replaces_id {
        Some(id) => {
            let row = folder::lock(&mut work, id).await?;
            succeed(&mut work, &row, user).await?
        }
        None => Place::FIRST,
    };
    // Its owner can delete it while it is not part of a record.
    let file = file.ok_or(codes::UPLOAD_EXPIRED)?;
    announcing::change::<DirectUpload>(&mut work, upload.id, moved, cx.now()).await?;
    work.note(upload.id, "completed");
    let (file_id, upload_id, note) = (file.id, Some(upload.id), upload.note);
    let new = NewDealFile { user, file: file_id, upload: upload_id, note, place };
    let entered = enter(&mut work, &cx.caller, &contract, &new, &file).await?;
    work.done(entered).await
}

/// The file that its bytes are, if they have arrived and it is still there.
async fn file_of(session: &mut Session, upload: &DirectUpload) -> Result<Option<StoredFile>> {
    let ids: Vec<_> = upload.file_id.into_iter().collect();
    Ok(content::found(session, &ids).await?.pop())
}

/// Expires uploads that were not completed in time, and removes their bytes; returns their number.
pub async fn expire_uploads(platform: &Platform) -> Result<usize> {
    announcing::expire::<DirectUpload>(platform).await
}
