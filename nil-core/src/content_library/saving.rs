//! Operators make folders, upload small files and rename.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::browsing::living;
use super::entering::{self, Target, enter};
use super::item::{ContentItem, ContentKind};
use super::store::item as items;
use super::tree;
use super::upload::{NewUpload, Upload};
use crate::auth::Operator;
use crate::content::naming::{safe_folder_name, safe_name};
use crate::content::storing::{checked, not_written};
use crate::content::{FileContent, MediaType, announcing};
use crate::error::{Result, Wrong, codes};
use crate::kernel::{ContentItemId, Revision, Text, ZeroOr};
use crate::operation::{Cx, Done, Revised, Work};
use crate::ports::objects::ObjectKey;

/// How long a file that arrives in one piece may be on its way to the store.
const ON_ITS_WAY: TimeDelta = TimeDelta::hours(1);

/// A folder or a small file: a multipart form with one file part, or JSON with its content in
/// base64.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveContent {
    /// The item to rename, or the file that gets a new version; omit it for a new folder or file.
    #[schemars(extend("examples" = [null]))]
    pub id: Option<ContentItemId>,
    /// The folder for a new item, 0 for the top (default 0). With `id` it may only be the folder
    /// that the item is in: moving is an operation of its own.
    pub parent_id: Option<ZeroOr<ContentItemId>>,
    /// The name of a new item, or the new name of an item (in a form with a file part: that part's
    /// own, unless given). A new version leaves the name of its file as it is.
    pub name: Text<1, 1000>,
    /// The declared type of the content (in a form: the file part's type). It must match the
    /// content.
    #[schemars(extend("examples" = [null]))]
    pub media_type: Option<MediaType>,
    /// The content of a file in base64, at most 10 MiB (in a form: the file part, at most 50 MiB;
    /// larger files are uploaded in parts). Without it, a folder is made, or an item renamed.
    #[schemars(extend("examples" = [null]))]
    pub content: Option<FileContent>,
    /// The revision that the caller has seen; 409 `state_changed` if the item has another one. For
    /// a new version it is compared before its content is written.
    pub revision: Option<Revision>,
}

/// Makes a folder, takes a small file, renames an item, or adds a version to a file (contract:
/// *content*). For operators with the permission `content`. 404 for an item that does not exist or
/// is deleted, 409 `duplicate` for a name that is taken in the folder, 422 for a folder that does
/// not exist, is full or too deep, and for content that is not accepted.
pub async fn save(cx: Cx<Operator>, input: SaveContent) -> Result<Done<Revised<ContentItem>>> {
    match (input.id, &input.content) {
        (Some(id), None) => rename(&cx, id, &input).await,
        (None, None) => make_folder(&cx, &input).await,
        (_, Some(content)) => take(&cx, &input, content).await,
    }
}

async fn make_folder(cx: &Cx<Operator>, input: &SaveContent) -> Result<Done<Revised<ContentItem>>> {
    let (mut work, mut wrong) = (cx.begin().await?, Wrong::default());
    tree::lock(&mut work).await?;
    let name = folder_name(&input.name, &mut wrong);
    let place = tree::place(&mut work, input.parent_id, &mut wrong).await?;
    tree::check_room(&mut work, place.id, 1, &mut wrong).await?;
    tree::check_depth(place, 1, &mut wrong);
    wrong.refuse()?;
    let now = work.now();
    let id = items::add(&mut work, place.id, (ContentKind::Folder, &name), now).await?;
    work.note_change(id, "created", None, json!({ "name": name, "parent_id": place.id }));
    let folder = items::one(&mut work, id).await?;
    work.done(ContentItem::from(folder).into()).await
}

fn folder_name(given: &str, wrong: &mut Wrong) -> String {
    let name = safe_folder_name(given);
    if name.is_none() {
        wrong.add("name", "must contain a letter or a digit after its last slash");
    }
    name.unwrap_or_default()
}

async fn rename(
    cx: &Cx<Operator>,
    id: ContentItemId,
    input: &SaveContent,
) -> Result<Done<Revised<ContentItem>>> {
    let (mut work, mut wrong) = (cx.begin().await?, Wrong::default());
    tree::lock(&mut work).await?;
    let before = living(&mut work, id).await?;
    let seen = input.revision.as_ref();
    work.as_seen(id, &ContentItem::from(before.clone()), seen).await?;
    tree::check_stays(before.place, input.parent_id, &mut wrong);
    let name = match before.media_type {
        Some(media_type) => safe_name(&input.name, media_type),
        None => folder_name(&input.name, &mut wrong),
    };
    wrong.refuse()?;
    let now = work.now();
    if name != before.name {
        items::change(&mut work, id, &name, None, now).await?;
        let (before, after) = (json!({ "name": before.name }), json!({ "name": name }));
        work.note_change(id, "renamed", before, after);
    }
    let item = items::one(&mut work, id).await?;
    work.done(ContentItem::from(item).into()).await
}

/// Takes a file that is in memory. It is announced before its bytes are written, like one that
/// arrives in parts.
async fn take(
    cx: &Cx<Operator>,
    input: &SaveContent,
    content: &FileContent,
) -> Result<Done<Revised<ContentItem>>> {
    let found = checked(&input.name, input.media_type, content).await?;
    let media_type = found.media_type;
    let target = Target { parent: input.parent_id, item: input.id, name: &input.name, media_type };
    let upload = announce(cx, target, input.revision.as_ref(), found.size).await?;
    let platform = cx.platform();
    let give_up = || announcing::give_up::<Upload>(platform, cx.facts().operation, upload.id);
    if let Err(error) = platform.objects().put(&upload.key()?, content.shared()).await {
        give_up().await?;
        return Err(not_written(error));
    }
    let mut work = cx.begin().await?;
    let entered = match enter(&mut work, upload.id, found).await {
        Ok(item) => work.done(item.into()).await,
        Err(refused) => {
            drop(work);
            Err(refused)
        }
    };
    if let Err(refused) = &entered
        && !refused.is(codes::AGAIN)
    {
        give_up().await?;
    }
    entered
}

/// Announces it in a transaction of its own: whatever happens next, the worker finds leftovers.
async fn announce(
    cx: &Cx<Operator>,
    target: Target<'_>,
    seen: Option<&Revision>,
    size: i64,
) -> Result<Upload> {
    let platform = cx.platform();
    let mut work = Work::resume(platform, cx.facts().operation, None).await?;
    let place = entering::check(&mut work, target, &mut Wrong::default()).await?;
    if let Some(id) = target.item {
        let item = ContentItem::from(living(&mut work, id).await?);
        work.as_seen(id, &item, seen).await?;
    }
    let new = NewUpload {
        operator: cx.caller.id,
        place,
        item: target.item,
        name: target.name.to_owned(),
        media_type: target.media_type,
        size,
        part_size: size,
        object_key: ObjectKey::draw(platform.random()).as_str().to_owned(),
        store_ref: None,
        expires_at: cx.now() + ON_ITS_WAY,
    };
    let upload = announcing::add(&mut work, &new, cx.now()).await?;
    work.done(()).await?;
    Ok(upload)
}
