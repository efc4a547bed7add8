//! Users upload and delete files.

use std::io;

use aws_lc_rs::digest::{SHA256, digest};
use schemars::JsonSchema;
use serde::Deserialize;

use super::file::{Checked, FileEvent, FileOwner, FileStatus, MediaType, StoredFile};
use super::file_content::FileContent;
use super::naming::safe_name;
use super::sniffing::sniff;
use super::store::file::{self as files, NewFile};
use crate::auth::User;
use crate::error::{Error, Result, codes};
use crate::kernel::{FileId, Machine as _, Text};
use crate::operation::{Cx, Done, Work, too_large};
use crate::platform::Platform;
use crate::ports::objects::{ObjectKey, Parted};
use crate::storage::first_of;

/// A file to upload: a multipart form with one file part, or JSON with its content in base64.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Upload {
    /// Its name (in a form: the file part's own, unless given).
    pub name: Text<1, 1000>,
    /// Its declared type (in a form: the file part's type). It must match the content.
    #[schemars(extend("examples" = [null]))]
    pub media_type: Option<MediaType>,
    /// Its content in base64, at most 10 MiB (in a form: the file part, at most 50 MiB).
    pub content: FileContent,
}

/// A file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DeleteFile {
    /// The file.
    pub id: FileId,
}

/// An institution's quota as a multiple of a user's: its files are records that are kept for years.
const ROOM_OF_A_COLLEGE: i64 = 64;

/// A file to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Its owner.
    pub owner: FileOwner,
    /// Its name.
    pub name: &'a str,
    /// Its declared type.
    pub media_type: Option<MediaType>,
    /// Its bytes.
    pub content: &'a FileContent,
}

/// A file whose bytes are durable, but which is not visible until [`keep`].
#[derive(Debug)]
pub struct Written(StoredFile);

/// Stores a file of the caller. Its type is detected from its content; the limits are 10 MiB for a
/// picture, 20 for a PDF, 50 for a video and 5 for a text (422). 409 `file_quota_exceeded`.
///
/// A file that is not made part of a record is deleted after a day.
pub async fn upload(cx: Cx<User>, input: Upload) -> Result<Done<StoredFile>> {
    let given = Given {
        owner: FileOwner::User(cx.caller.user_id),
        name: &input.name,
        media_type: input.media_type,
        content: &input.content,
    };
    let written = write(cx.platform(), cx.facts().operation, given).await?;
    let mut work = cx.begin().await?;
    let file = keep(&mut work, written).await?;
    work.done(file).await
}

/// Adds a file's row and writes its bytes, outside any transaction of the caller. Only [`keep`]
/// makes the file usable; the worker removes files that are not kept.
pub async fn write(
    platform: &Platform,
    operation: &'static str,
    given: Given<'_>,
) -> Result<Written> {
    let content = checked(given.name, given.media_type, given.content).await?;
    let new = NewFile {
        owner: given.owner,
        name: safe_name(given.name, content.media_type),
        content,
        key: ObjectKey::draw(platform.random()),
        now: platform.now(),
    };
    let file = announce(platform, operation, &new).await?;
    if let Err(error) = platform.objects().put(&new.key, given.content.shared()).await {
        abandon(platform, operation, &file).await?;
        return Err(not_written(error));
    }
    Ok(Written(file))
}

/// The refusal if the store does not take an object.
pub fn not_written(error: io::Error) -> Error {
    let code = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => codes::STORAGE_FULL,
        _ => codes::UNAVAILABLE,
    };
    Error::from(code).because(error)
}

/// Makes a written file usable, in the caller's transaction.
pub async fn keep(work: &mut Work, written: Written) -> Result<StoredFile> {
    let Written(file) = written;
    let (kept, now) = (file.status.on(FileEvent::Keep)?, work.now());
    let file = files::change(work, file.id, kept, now).await?;
    work.note(file.id, "uploaded");
    Ok(file)
}

/// The SHA-256 of the content, in hexadecimal.
pub async fn sum(content: &FileContent) -> Result<String> {
    let bytes = content.shared();
    let sum = tokio::task::spawn_blocking(move || hex::encode(digest(&SHA256, &bytes)));
    sum.await.map_err(Error::internal)
}

/// What is recorded about the content of a file; 422 unless it is [`examined`].
pub(crate) async fn checked(
    name: &str,
    said: Option<MediaType>,
    content: &FileContent,
) -> Result<Checked> {
    let media_type = examined(name, said, content)?;
    let size = i64::try_from(content.len()).map_err(Error::internal)?;
    Ok(Checked { media_type, size, sha256: sum(content).await? })
}

/// The detected type; 422 unless it is accepted, matches the declared type, and the content is not
/// too large.
pub fn examined(name: &str, said: Option<MediaType>, content: &FileContent) -> Result<MediaType> {
    let Some(found) = sniff(content) else {
        let taken: Vec<_> = MediaType::ALL.iter().map(|kind| kind.as_str()).collect();
        let why = format!("must be one of these: {}", taken.join(", "));
        return Err(Error::invalid("content", why));
    };
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let table = ending.eq_ignore_ascii_case("csv") && found.passes_for(MediaType::Csv);
    let media_type = match said {
        Some(said) if found.passes_for(said) => said,
        Some(said) => {
            let why = format!("is {found} by its content, not {said}");
            return Err(Error::invalid("media_type", why));
        }
        None if table => MediaType::Csv,
        None => found,
    };
    match media_type.largest() {
        most if content.len() > most => Err(Error::invalid("content", too_large(most))),
        _ => Ok(media_type),
    }
}

/// 409 `file_quota_exceeded` if the owner's quota has no room for this many more bytes.
pub async fn check_room(work: &mut Work, owner: FileOwner, size: i64) -> Result<()> {
    let kept = files::kept_by(work, owner).await?;
    let quota = work.platform().config().file_quota;
    let quota = match owner {
        FileOwner::User(_) | FileOwner::Site => quota,
        FileOwner::College(_) => quota.saturating_mul(ROOM_OF_A_COLLEGE),
    };
    if kept.saturating_add(size) > quota {
        return Err(codes::FILE_QUOTA_EXCEEDED.into());
    }
    Ok(())
}

/// Adds the file's row before its bytes are written, in a separate transaction: whatever happens
/// next, the worker finds leftovers. The call itself can still be retried.
async fn announce(
    platform: &Platform,
    operation: &'static str,
    new: &NewFile,
) -> Result<StoredFile> {
    let mut work = Work::resume(platform, operation, None).await?;
    check_room(&mut work, new.owner, new.content.size).await?;
    let file = files::add(&mut work, new).await?;
    work.done(()).await?;
    Ok(file)
}

async fn abandon(platform: &Platform, operation: &'static str, file: &StoredFile) -> Result<()> {
    let mut work = Work::resume(platform, operation, None).await?;
    let (moved, now) = (file.status.on(FileEvent::Abandon)?, work.now());
    files::try_change(&mut work, file.id, moved, now).await?;
    work.done(()).await.map(|_| ())
}

/// The object of a deleted file or of an upload that has ended, to be removed after the commit.
#[derive(Debug, Default)]
#[must_use]
pub struct Discarded {
    key: Option<ObjectKey>,
    /// What the store knows the upload by whose parts are not joined.
    parts: Option<String>,
}

impl Discarded {
    /// The object with this stored key.
    pub(super) fn object(key: &str) -> Self {
        Self::arriving(key, None)
    }

    /// The object with this stored key, and what has arrived of it in parts.
    pub(crate) fn arriving(key: &str, parts: Option<String>) -> Self {
        Self { key: ObjectKey::parse(key), parts }
    }

    /// Removes the object. If this fails, the worker finds it later as an object without a file;
    /// parts are forgotten by the store itself.
    pub async fn remove(self, platform: &Platform) {
        if let Err(error) = self.removed(platform).await {
            tracing::warn!(%error, "the object of a deleted file or upload could not be removed");
        }
    }

    pub(super) async fn removed(self, platform: &Platform) -> io::Result<()> {
        let Some(key) = self.key else { return Ok(()) };
        if let Some(upload) = self.parts {
            platform.objects().abort(&Parted { key: key.clone(), upload }).await?;
        }
        platform.objects().remove(&key).await
    }
}

/// Deletes a file that a record no longer uses, in the caller's transaction, unless it is part of
/// another record or already deleted.
pub async fn discard(work: &mut Work, id: FileId) -> Result<Discarded> {
    let found = files::find_all(work, &[id]).await?;
    let Some(file) = found.into_iter().next() else {
        return Ok(Discarded::default());
    };
    Ok(end(work, &file, "deleted").await?.unwrap_or_default())
}

/// Deletes a file, with this action in the audit trail; none if it was used or deleted meanwhile.
pub(super) async fn end(
    work: &mut Work,
    file: &StoredFile,
    action: &'static str,
) -> Result<Option<Discarded>> {
    let moved = file.status.on(match file.status {
        FileStatus::Writing => FileEvent::Abandon,
        FileStatus::Stored | FileStatus::Deleted => FileEvent::Delete,
    })?;
    let now = work.now();
    let Some(file) = files::try_change(work, file.id, moved, now).await? else {
        return Ok(None);
    };
    work.note(file.id, action);
    Ok(Some(Discarded::object(&file.object_key)))
}

/// Deletes a file of the caller that is not part of any record (409 `file_in_use` otherwise).
pub async fn delete(cx: Cx<User>, input: DeleteFile) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let own = files::of_user(&mut work, cx.caller.user_id, &[input.id]).await?;
    let file = first_of(own)?;
    let moved = file.status.on(FileEvent::Delete)?;
    if file.uses > 0 {
        return Err(codes::FILE_IN_USE.into());
    }
    // It may have been used or deleted concurrently.
    files::change(&mut work, file.id, moved, cx.now()).await?;
    work.note(file.id, "deleted");
    let done = work.done(()).await?;
    Discarded::object(&file.object_key).remove(cx.platform()).await;
    Ok(done)
}
