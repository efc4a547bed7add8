//! Users hand files over and delete them.

use aws_lc_rs::digest::{SHA256, digest};
use schemars::JsonSchema;
use serde::Deserialize;

use super::carried::{FileContent, too_large};
use super::file::{FileEvent, MediaType, StoredFile};
use super::naming::safe_name;
use super::sniffing::sniff;
use super::store::file::{self as files, NewFile};
use crate::auth::User;
use crate::error::{Error, Result, codes};
use crate::kernel::{FileId, Machine as _, Text};
use crate::operation::{Cx, Done, Work};
use crate::ports::objects::ObjectKey;

/// A file to keep: a multipart form with one file part, or JSON with its content in base64.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Upload {
    /// Its name (in a form: the file part's own, unless given).
    pub name: Text<1, 1000>,
    /// What it is said to be (in a form: the file part's type). It has to be that.
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

/// Keeps a file of the caller's. What it is, is read from its content; a picture of 10 MiB, a PDF of
/// 20, a video of 50 and a text of 5 are the largest that are taken (422). 409 `file_quota_exceeded`.
///
/// A file that is not made part of a record goes after a day.
pub async fn upload(cx: Cx<User>, input: Upload) -> Result<Done<StoredFile>> {
    let media_type = examined(&input)?;
    let bytes = input.content.shared();
    let hashed = bytes.clone();
    let sha256 = tokio::task::spawn_blocking(move || hex::encode(digest(&SHA256, &hashed)))
        .await
        .map_err(Error::internal)?;
    let new = NewFile {
        user: cx.caller.user_id,
        name: safe_name(&input.name, media_type),
        media_type,
        size: i64::try_from(bytes.len()).map_err(Error::internal)?,
        sha256,
        key: ObjectKey::draw(cx.platform().random()),
        now: cx.now(),
    };
    let file = announce(&cx, &new).await?;
    if let Err(error) = cx.platform().objects().put(&new.key, bytes).await {
        abandon(&cx, &file).await?;
        let code = match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                codes::STORAGE_FULL
            }
            _ => codes::UNAVAILABLE,
        };
        return Err(Error::from(code).because(error));
    }
    let mut work = cx.begin().await?;
    let kept = file.status.on(FileEvent::Keep)?;
    let file = files::change(&mut work, file.id, kept, cx.now()).await?;
    let file = file.ok_or(codes::STATE_CHANGED)?;
    work.note(file.subject(), "uploaded");
    work.done(file).await
}

/// What the content is; 422 unless that is something we take, what it is said to be, and not too large.
fn examined(input: &Upload) -> Result<MediaType> {
    let Some(found) = sniff(&input.content) else {
        let taken: Vec<_> = MediaType::ALL.iter().map(|kind| kind.as_str()).collect();
        let why = format!("must be one of these: {}", taken.join(", "));
        return Err(Error::invalid("content", why));
    };
    let ending = input.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let table = ending.eq_ignore_ascii_case("csv") && found.passes_for(MediaType::Csv);
    let media_type = match input.media_type {
        Some(said) if found.passes_for(said) => said,
        Some(said) => {
            let why = format!("is {found} by its content, not {said}");
            return Err(Error::invalid("media_type", why));
        }
        None if table => MediaType::Csv,
        None => found,
    };
    match media_type.largest() {
        most if input.content.len() > most => Err(Error::invalid("content", too_large(most))),
        _ => Ok(media_type),
    }
}

/// Enters the file before its bytes are written, in a transaction of its own: whatever happens next,
/// the worker finds what is left over. The call itself can still be run again.
async fn announce(cx: &Cx<User>, new: &NewFile) -> Result<StoredFile> {
    let mut work = Work::resume(cx.platform(), cx.facts().operation, None).await?;
    let kept = files::kept_by(&mut work, new.user).await?;
    if kept.saturating_add(new.size) > cx.platform().config().file_quota {
        return Err(codes::FILE_QUOTA_EXCEEDED.into());
    }
    let file = files::add(&mut work, new).await?;
    work.done(()).await?;
    Ok(file)
}

async fn abandon(cx: &Cx<User>, file: &StoredFile) -> Result<()> {
    let mut work = Work::resume(cx.platform(), cx.facts().operation, None).await?;
    let moved = file.status.on(FileEvent::Abandon)?;
    files::change(&mut work, file.id, moved, cx.now()).await?;
    work.done(()).await.map(|_| ())
}

/// Deletes a file of the caller's that is part of nothing (409 `file_in_use` otherwise).
pub async fn delete(cx: Cx<User>, input: DeleteFile) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let own = files::of_user(&mut work, cx.caller.user_id, &[input.id]).await?;
    let file = own.into_iter().next().ok_or(codes::NOT_FOUND)?;
    let moved = file.status.on(FileEvent::Delete)?;
    if file.uses > 0 {
        return Err(codes::FILE_IN_USE.into());
    }
    // Somebody may have made use of it, or deleted it, just now.
    let gone = files::change(&mut work, file.id, moved, cx.now()).await?;
    gone.ok_or(codes::STATE_CHANGED)?;
    work.note(file.subject(), "deleted");
    let done = work.done(()).await?;
    // Should this fail, the worker finds an object that nobody knows.
    if let Some(key) = ObjectKey::parse(&file.object_key)
        && let Err(error) = cx.platform().objects().remove(&key).await
    {
        tracing::warn!(%error, "a deleted file's object is still there");
    }
    Ok(done)
}
