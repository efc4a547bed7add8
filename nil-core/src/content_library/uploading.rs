//! Large files arrive in parts: announced, sent part by part to signed addresses, and completed.

use std::collections::BTreeMap;
use std::io;

use chrono::TimeDelta;
use futures::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entering::{self, Target, completed, enter};
use super::item::ContentItem;
use super::joining::{self, Joined};
use super::store::upload as uploads;
use super::tree;
use super::upload::{ContentUploadEvent, ContentUploadStatus, NewUpload, Upload};
use crate::auth::{Anyone, Operator};
use crate::content::signing::expiry;
use crate::content::storing::not_written;
use crate::content::{Address, Announced as _, FileContent, MediaType, announcing};
use crate::error::{Error, Result, Wrong, codes};
use crate::kernel::{
    ContentItemId, ContentUploadId, Interface, Machine as _, Many, Text, Time, ZeroOr,
};
use crate::operation::{Cx, Done, Fields, broken_off};
use crate::platform::Platform;
use crate::ports::objects::{Incoming, ObjectKey, Parted};
use crate::storage::Session;

/// The size of every part but the last, in bytes. Stores of Amazon's protocol take no smaller ones
/// than 5 MiB.
const PART_SIZE: i64 = 8 * 1024 * 1024;
/// The largest file, in bytes.
const LARGEST: i64 = 5 * 1024 * 1024 * 1024;
/// The most parts of a file; the largest one has fewer.
const MOST_PARTS: usize = 1_000;
/// How long an upload may take.
const OPEN_FOR: TimeDelta = TimeDelta::hours(24);
/// The most open uploads of one operator.
const MOST_OPEN: i64 = 100;
/// The most bytes of one operator's open uploads together: ten of the largest files.
const MOST_OPEN_BYTES: i64 = 10 * LARGEST;
/// How long the address of a part works.
const GOOD_FOR: TimeDelta = TimeDelta::hours(1);
/// The addresses of parts: the upload, the number of the part and its size.
const ADDRESS: Address<3> =
    Address { prefix: "part.", interface: Interface::Admin, path: "/content/multipart/part" };

/// A file to upload in parts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CreateContentUpload {
    /// Its name.
    pub name: Text<1, 1000>,
    /// The folder for a new file, 0 for the top (default 0).
    pub parent_id: Option<ZeroOr<ContentItemId>>,
    /// The file that gets a new version, in place of a new file.
    #[schemars(extend("examples" = [null]))]
    pub id: Option<ContentItemId>,
    /// Its size in bytes, at most 5 GiB.
    #[schemars(range(min = 1, max = LARGEST), extend("examples" = [4_194_304]))]
    pub size: i64,
    /// Its type. Its content must match it.
    pub mime: MediaType,
}

/// An upload that was begun.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CreatedContentUpload {
    /// The upload.
    pub upload_id: ContentUploadId,
    /// The size of every part but the last, in bytes.
    pub part_size: i64,
    /// The number of parts.
    pub part_count: i64,
    /// When it must be completed.
    pub expires_at: Time,
}

/// The part whose address is wanted.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SignPart {
    /// The upload.
    pub upload_id: ContentUploadId,
    /// The number of the part, from 1.
    #[schemars(range(min = 1, max = MOST_PARTS), extend("examples" = [1]))]
    pub part_number: i64,
    /// Whether the address is one of this server in any case (default false): for a client that
    /// reaches no other, such as a page in a browser.
    pub here: Option<bool>,
}

/// An address that takes one part by `PUT`, without a log-in.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SignedPart {
    /// The address, with the host.
    #[schemars(extend("examples" = ["https://nil.example/admin/content/multipart/part?token=part.1.1.8388608.1795172580.5d41"]))]
    pub url: String,
    /// The headers to send along, by their names; usually none.
    pub headers: BTreeMap<String, String>,
    /// The number of bytes of the part.
    pub size: i64,
    /// When the address stops working.
    pub expires_at: Time,
}

/// A part at its signed address: the query carries the token, the body the bytes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReceivePart {
    /// The token in the address: the upload, the part, its size, the expiry and the signature.
    pub token: Text<1, 200>,
    /// The bytes: exactly as many as the part has.
    #[schemars(extend("examples" = [null]))]
    pub content: Option<FileContent>,
}

/// A part that was received.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ReceivedPart {
    /// The upload.
    pub upload_id: ContentUploadId,
    /// The number of the part.
    pub part_number: i64,
    /// The tag of what arrived, also in the header `ETag`.
    pub etag: String,
}

/// An upload to complete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompleteContentUpload {
    /// The upload.
    pub upload_id: ContentUploadId,
    /// All its parts, in the order of their numbers.
    pub parts: Many<UploadedPart, 1, MOST_PARTS>,
    /// The SHA-256 of the file in hexadecimal, to be compared.
    #[schemars(extend("examples" = [null]))]
    pub sha256: Option<Text<64, 64>>,
}

/// A part as its address answered it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct UploadedPart {
    /// Its number, from 1.
    #[schemars(extend("examples" = [1]))]
    pub part_number: i64,
    /// Its tag, with or without quotes.
    pub etag: Text<1, 200>,
}

/// An upload to abort.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct AbortContentUpload {
    /// The upload.
    pub upload_id: ContentUploadId,
}

/// Begins an upload in parts (contract: *content*), of a new file or of a new version. For
/// operators with the permission `content`; only the operator who began it signs, completes and
/// aborts it. 404 for a file that does not exist or is deleted, 409 `duplicate` for a name that is
/// taken in the folder, 422 for a folder that does not exist or is full, and for a size beyond 5
/// GiB. 409 `too_many_uploads` if the caller, or all operators together, have too much open.
pub async fn create(
    cx: Cx<Operator>,
    input: CreateContentUpload,
) -> Result<Done<CreatedContentUpload>> {
    let target = Target {
        parent: input.parent_id,
        item: input.id,
        name: &input.name,
        media_type: input.mime,
    };
    let mut session = cx.read().await?;
    allow(&mut session, &cx, &input, target).await?;
    drop(session);
    let (platform, key) = (cx.platform(), ObjectKey::draw(cx.platform().random()));
    let begun = platform.objects().begin(&key).await.map_err(not_written)?;
    let created = announce(&cx, &input, target, (&key, begun.clone())).await;
    if created.is_err() {
        // Nobody knows it; if this fails, the store forgets it by itself.
        let _ = platform.objects().abort(&Parted { key, upload: begun }).await;
    }
    created
}

/// Refuses an upload that could not be completed, with all that is wrong; returns the folder's
/// number.
async fn allow(
    session: &mut Session,
    cx: &Cx<Operator>,
    input: &CreateContentUpload,
    target: Target<'_>,
) -> Result<i64> {
    let mut wrong = Wrong::default();
    if !(1..=LARGEST).contains(&input.size) {
        wrong.add("size", format!("must be between 1 and {LARGEST}"));
    }
    let place = entering::check(session, target, &mut wrong).await?;
    let open = uploads::open(session, cx.caller.id, cx.now()).await?;
    let quota = cx.platform().config().open_uploads_quota;
    if open.count >= MOST_OPEN || open.bytes.saturating_add(input.size) > MOST_OPEN_BYTES {
        return Err(codes::TOO_MANY_UPLOADS.into());
    }
    if open.bytes_of_all.saturating_add(input.size) > quota {
        let message = "The open uploads of all operators have no room for this file. Wait until \
                       one of them is completed or aborted.";
        return Err(codes::TOO_MANY_UPLOADS.saying(message));
    }
    Ok(place)
}

async fn announce(
    cx: &Cx<Operator>,
    input: &CreateContentUpload,
    target: Target<'_>,
    (key, store_ref): (&ObjectKey, String),
) -> Result<Done<CreatedContentUpload>> {
    let mut work = cx.begin().await?;
    // One upload after the other is counted, whoever announces it.
    tree::lock(&mut work).await?;
    let place = allow(&mut work, cx, input, target).await?;
    let new = NewUpload {
        operator: cx.caller.id,
        place,
        item: input.id,
        name: input.name.to_string(),
        media_type: input.mime,
        size: input.size,
        part_size: PART_SIZE,
        object_key: key.as_str().to_owned(),
        store_ref: Some(store_ref),
        expires_at: cx.now() + OPEN_FOR,
    };
    let upload: Upload = announcing::add(&mut work, &new, cx.now()).await?;
    work.note(upload.id, "created");
    work.done(CreatedContentUpload {
        upload_id: upload.id,
        part_size: upload.part_size,
        part_count: upload.parts(),
        expires_at: upload.expires_at,
    })
    .await
}

/// The address of a part (contract: *content*): the store's own if it has such addresses, otherwise
/// or on demand one of this server. For the operator who began the upload: 404 for others. 409
/// `upload_expired` or `upload_ended` for an upload that is over, 422 for a part that it does not
/// have.
pub async fn sign(cx: Cx<Operator>, input: SignPart) -> Result<SignedPart> {
    let mut session = cx.read().await?;
    let upload: Upload = announcing::of(&mut session, input.upload_id, cx.caller.id).await?;
    drop(session);
    let parted = open(&upload, cx.now())?;
    let Some(size) = upload.size_of(input.part_number) else {
        let why = format!("must be between 1 and {}", upload.parts());
        return Err(Error::invalid("part_number", why));
    };
    let number = u16::try_from(input.part_number).map_err(Error::internal)?;
    let expires_at = expiry(cx.now(), GOOD_FOR.min(upload.expires_at - cx.now()));
    let good_for = (expires_at - cx.now()).to_std().unwrap_or_default();
    let platform = cx.platform();
    let own = if input.here == Some(true) {
        None
    } else {
        let address = platform.objects().part_address(&parted, number, good_for).await;
        address.map_err(not_written)?
    };
    let (url, headers) = if let Some(address) = own {
        (address.url, address.headers.into_iter().collect())
    } else {
        let numbers = [upload.id.get(), input.part_number, size];
        (ADDRESS.url(platform, numbers, expires_at), BTreeMap::new())
    };
    Ok(SignedPart { url, headers, size, expires_at })
}

/// What the store knows an open upload by; 409 if it is over.
fn open(upload: &Upload, now: Time) -> Result<Parted> {
    match upload.status {
        ContentUploadStatus::Created if upload.expires_at <= now => {
            Err(codes::UPLOAD_EXPIRED.into())
        }
        ContentUploadStatus::Created => upload.parted()?.ok_or_else(|| codes::NOT_FOUND.into()),
        // 409, naming the state.
        ContentUploadStatus::Completed => {
            upload.status.on(ContentUploadEvent::Complete)?;
            Err(codes::STATE_CHANGED.into())
        }
        ContentUploadStatus::Aborted => Err(codes::UPLOAD_ENDED.into()),
    }
}

/// The number of bytes that the address accepts, read from the address itself before any bytes are
/// read.
pub fn takes(platform: &Platform, fields: &Fields) -> Result<usize> {
    ADDRESS.takes(platform, fields)
}

/// Receives a part at its address (extension), and writes it to the store while it arrives. No
/// log-in is needed: 404 `link_invalid` for a wrong or expired address, 413 `body_too_large` for
/// more bytes than the part has, 422 for fewer, 409 `upload_ended` after the upload is over. A part
/// that is sent again replaces the first one.
pub async fn receive(cx: Cx<Anyone>, input: ReceivePart) -> Result<ReceivedPart> {
    let [id, number, size] = ADDRESS.opened(cx.platform(), &input.token, cx.now())?;
    let id = ContentUploadId::new(id).ok_or(codes::LINK_INVALID)?;
    let mut session = cx.read().await?;
    let upload: Upload = announcing::find(&mut session, id).await?.ok_or(codes::LINK_INVALID)?;
    drop(session);
    let parted = open(&upload, cx.now())?;
    let bytes: Incoming = match (cx.body(), input.content) {
        (Some(body), _) => body,
        (None, content) => {
            let given = content.map(|content| Ok(content.shared()));
            Box::pin(stream::iter(given))
        }
    };
    let length = u64::try_from(size).map_err(Error::internal)?;
    let part = u16::try_from(number).map_err(Error::internal)?;
    let put = cx.platform().objects().put_part(&parted, part, length, bytes).await;
    let etag = put.map_err(|error| not_taken(error, size))?;
    cx.facts().set_tag(etag.clone());
    Ok(ReceivedPart { upload_id: id, part_number: number, etag })
}

/// The refusal of a part.
fn not_taken(error: io::Error, size: i64) -> Error {
    match error.kind() {
        io::ErrorKind::InvalidInput => {
            Error::invalid("content", format!("must be the {size} bytes of the part"))
        }
        // It was completed or aborted meanwhile.
        io::ErrorKind::NotFound => codes::UPLOAD_ENDED.into(),
        _ => match broken_off(error) {
            Ok(refusal) => refusal,
            Err(error) => not_written(error),
        },
    }
}

/// Makes a file, or a version of one, of the parts (contract: *content*); completing it again gives
/// the same file. For the operator who began the upload: 404 for others. 422 if a part is missing
/// or another one, if the parts are not in order or do not add up to the announced size, if the
/// content is not of the announced type (such an upload is aborted), or if the checksum is another
/// one. 409 `duplicate` for a name that is taken meanwhile, `folder_deleted`, `upload_expired`,
/// `upload_ended`.
pub async fn complete(cx: Cx<Operator>, input: CompleteContentUpload) -> Result<Done<ContentItem>> {
    let tags = in_order(&input.parts)?;
    let mut session = cx.read().await?;
    let upload: Upload = announcing::of(&mut session, input.upload_id, cx.caller.id).await?;
    let known = completed(&mut session, &upload).await?;
    drop(session);
    if let Some(known) = known {
        return cx.begin().await?.done(known).await;
    }
    let parted = open(&upload, cx.now())?;
    if i64::try_from(tags.len()).map_err(Error::internal)? != upload.parts() {
        let why = format!("must be the {} parts of the file", upload.parts());
        return Err(Error::invalid("parts", why));
    }
    let found = match joining::join(cx.platform(), &upload, &parted, &tags).await? {
        Joined::As(found) => found,
        Joined::OtherThanAnnounced(why) => {
            let operation = cx.facts().operation;
            announcing::give_up::<Upload>(cx.platform(), operation, upload.id).await?;
            return Err(Error::invalid("parts", why));
        }
    };
    announcing::check_sum(input.sha256.as_deref(), &found.sha256)?;
    let mut work = cx.begin().await?;
    let item = enter(&mut work, upload.id, found).await?;
    work.done(item).await
}

/// The tags of parts that are numbered from 1; 422 if they are not.
fn in_order(parts: &[UploadedPart]) -> Result<Vec<String>> {
    if (1_i64..).zip(parts).any(|(number, part)| part.part_number != number) {
        return Err(Error::invalid("parts", "must be numbered 1, 2, 3 and so on, in this order"));
    }
    Ok(parts.iter().map(|part| part.etag.trim_matches('"').to_owned()).collect())
}

/// Aborts an upload and removes what has arrived of it (extension); aborting it again changes
/// nothing. For the operator who began it: 404 for others. 409 `illegal_transition` for a completed
/// one: delete the file in its place.
pub async fn abort(cx: Cx<Operator>, input: AbortContentUpload) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let upload: Upload = announcing::lock_of(&mut work, input.upload_id, cx.caller.id).await?;
    let discarded = match upload.status {
        // Again, because the first call may have ended before its bytes were removed.
        ContentUploadStatus::Aborted => upload.let_go(&mut work).await?,
        _ => announcing::end(&mut work, &upload).await?,
    };
    let done = work.done(()).await?;
    discarded.remove(cx.platform()).await;
    Ok(done)
}
