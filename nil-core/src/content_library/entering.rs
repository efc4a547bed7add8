//! A file or a version enters the tree, when all its bytes are in the store.

use serde_json::json;

use super::browsing::file;
use super::item::{ContentItem, ContentKind, MOST_VERSIONS};
use super::store::item::{self as items, ItemRow};
use super::store::upload as uploads;
use super::store::version::{self as versions, NewVersion};
use super::tree;
use super::upload::{ContentUploadEvent, ContentUploadStatus, Upload};
use crate::content::naming::safe_name;
use crate::content::{Checked, MediaType, announcing};
use crate::error::{Kind, Result, Wrong, codes};
use crate::kernel::{ContentItemId, ContentUploadId, Machine as _, ZeroOr};
use crate::operation::Work;
use crate::storage::Session;

/// Where an upload is to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    /// The folder for a new file, or the one that the file for a new version is in.
    pub(super) parent: Option<ZeroOr<ContentItemId>>,
    /// The file for a new version.
    pub(super) item: Option<ContentItemId>,
    /// The name, as given.
    pub(super) name: &'a str,
    /// The type.
    pub(super) media_type: MediaType,
}

/// Checks before an upload whether its target would take it, so that nobody sends a gigabyte in
/// vain. What is checked here is checked again when it enters. Refuses with all that is wrong;
/// returns the folder's number.
pub(super) async fn check(
    session: &mut Session,
    target: Target<'_>,
    wrong: &mut Wrong,
) -> Result<i64> {
    let place = if let Some(id) = target.item {
        let row = file(session, id).await?;
        next_version(&row, wrong);
        tree::check_stays(row.place, target.parent, wrong);
        row.place
    } else {
        let place = tree::place(session, target.parent, wrong).await?.id;
        tree::check_room(session, place, 1, wrong).await?;
        place
    };
    std::mem::take(wrong).refuse()?;
    let name = safe_name(target.name, target.media_type);
    if target.item.is_none() && items::named(session, place, &name).await?.is_some() {
        return Err(codes::DUPLICATE.into());
    }
    Ok(place)
}

/// The number of the file's next version: the current one is always the last. Noted as wrong if
/// there are too many.
fn next_version(file: &ItemRow, wrong: &mut Wrong) -> i64 {
    let number = file.version.unwrap_or_default() + 1;
    if number > MOST_VERSIONS {
        wrong.add("id", format!("has {MOST_VERSIONS} versions, which is the most"));
    }
    number
}

/// Makes an upload a file, or the current version of one. An upload that has become one before
/// answers that file again.
pub(super) async fn enter(
    work: &mut Work,
    id: ContentUploadId,
    found: Checked,
) -> Result<ContentItem> {
    tree::lock(work).await?;
    let upload = announcing::lock::<Upload>(work, id).await?.ok_or(codes::NOT_FOUND)?;
    if let Some(done) = completed(work, &upload).await? {
        return Ok(done);
    }
    let moved = upload.status.on(ContentUploadEvent::Complete)?;
    let (now, mut wrong) = (work.now(), Wrong::default());
    let mut version = NewVersion {
        number: 1,
        name: safe_name(&upload.name, found.media_type),
        content: found,
        object_key: upload.object_key.clone(),
    };
    let item = if let Some(item) = upload.item_id {
        let row = file(work, item).await.map_err(|error| match error.kind() {
            Kind::NotFound => codes::FOLDER_DELETED.saying("The file was deleted meanwhile."),
            _ => error,
        })?;
        version.number = next_version(&row, &mut wrong);
        wrong.refuse()?;
        versions::add(work, item, &version, now).await?;
        // The ending fits the new content.
        let name = safe_name(&row.name, version.content.media_type);
        items::change(work, item, &name, Some(version.number), now).await?;
        item
    } else {
        tree::living(work, upload.place).await?;
        tree::check_room(work, upload.place, 1, &mut wrong).await?;
        wrong.refuse()?;
        let named = (ContentKind::File, version.name.as_str());
        let item = items::add(work, upload.place, named, now).await?;
        versions::add(work, item, &version, now).await?;
        item
    };
    uploads::complete(work, upload.id, moved, (item, version.number), now).await?;
    let sha256 = version.content.sha256;
    let after = json!({ "name": version.name, "version": version.number, "sha256": sha256 });
    work.note_change(item, "uploaded", None, after);
    items::one(work, item).await.map(ContentItem::from)
}

/// The file that an upload has become; none if it is still open. 409 `upload_ended` if it never
/// will, or if the file is removed.
pub(super) async fn completed(
    session: &mut Session,
    upload: &Upload,
) -> Result<Option<ContentItem>> {
    match upload.status {
        ContentUploadStatus::Created => Ok(None),
        ContentUploadStatus::Completed => {
            // By its object: a later file may have the id of a removed one.
            let item = versions::file_of(session, &upload.object_key).await?;
            let item = item.ok_or(codes::UPLOAD_ENDED)?;
            items::one(session, item).await.map(|row| Some(row.into()))
        }
        ContentUploadStatus::Aborted => Err(codes::UPLOAD_ENDED.into()),
    }
}
