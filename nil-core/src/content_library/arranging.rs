//! Operators move, delete and restore folders and files.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::item::{AT_ONCE, ContentItem, ContentKind};
use super::store::item::{self as items, ItemRow};
use super::tree;
use crate::auth::Operator;
use crate::error::{Error, Result, Wrong, codes};
use crate::kernel::{ContentItemId, Many, Time, ZeroOr};
use crate::operation::{Cx, Done, Work};

/// How long a deleted item can be restored.
pub(super) const KEPT: TimeDelta = TimeDelta::days(30);

/// Items to move.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct MoveContent {
    /// The items.
    pub ids: Many<ContentItemId, 1, AT_ONCE>,
    /// The folder to put them into; 0 for the top.
    pub parent_id: ZeroOr<ContentItemId>,
}

/// Items to delete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DeleteContent {
    /// The items.
    pub ids: Many<ContentItemId, 1, AT_ONCE>,
}

/// Items to restore.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RestoreContent {
    /// The items, as they were deleted: a folder comes back with what was in it.
    pub ids: Many<ContentItemId, 1, AT_ONCE>,
    /// The folder to put them into, 0 for the top (default: where they were).
    #[schemars(extend("examples" = [null]))]
    pub parent_id: Option<ZeroOr<ContentItemId>>,
}

/// What was deleted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DeletedContent {
    /// The number of items, with those in deleted folders.
    pub deleted: u64,
    /// Until when they can be restored.
    pub restorable_until: Time,
}

/// Moves items into another folder (contract: *content*), all of them or none. For operators with
/// the permission `content`. 404 for an item that does not exist or is deleted, 409 `duplicate` for
/// a name that is taken there, 422 for a folder that is inside one of the items, full or too deep.
pub async fn move_items(cx: Cx<Operator>, input: MoveContent) -> Result<Done<Vec<ContentItem>>> {
    let mut work = cx.begin().await?;
    tree::lock(&mut work).await?;
    let rows = living(&mut work, &input.ids).await?;
    let mut wrong = Wrong::default();
    let place = tree::place(&mut work, Some(input.parent_id), &mut wrong).await?;
    let coming: Vec<&ItemRow> = rows.iter().filter(|row| row.place != place.id).collect();
    tree::check_room(&mut work, place.id, coming.len(), &mut wrong).await?;
    let above = match ContentItemId::new(place.id) {
        Some(id) => items::path(&mut work, id).await?,
        None => Vec::new(),
    };
    for row in &coming {
        if above.iter().any(|folder| folder.id == row.id) {
            wrong.add("parent_id", format!("is inside the folder {} that is moved", row.id));
        }
        check_height(&mut work, row, place, &mut wrong).await?;
    }
    wrong.refuse()?;
    let now = work.now();
    for row in coming {
        items::put(&mut work, row.id, place.id, now).await?;
        let (before, after) = (json!({ "parent_id": row.place }), json!({ "parent_id": place.id }));
        work.note_change(row.id, "moved", before, after);
    }
    let moved = views(&mut work, &input.ids).await?;
    work.done(moved).await
}

async fn check_height(
    work: &mut Work,
    row: &ItemRow,
    place: tree::Place,
    wrong: &mut Wrong,
) -> Result<()> {
    if row.kind == ContentKind::Folder {
        let height = items::height(work, row.id).await?;
        tree::check_depth(place, height, wrong);
    }
    Ok(())
}

/// Deletes items (contract: *content*), folders with everything in them; they can be restored for
/// 30 days. For operators with the permission `content`. 404 for an item that does not exist or is
/// deleted already.
pub async fn delete(cx: Cx<Operator>, input: DeleteContent) -> Result<Done<DeletedContent>> {
    let mut work = cx.begin().await?;
    tree::lock(&mut work).await?;
    let rows = living(&mut work, &input.ids).await?;
    let (mut deleted, now) = (0, work.now());
    for row in rows {
        // An item that is inside another one of them goes with that one, if that one goes first.
        match items::delete(&mut work, row.id, now).await? {
            0 => {}
            count => {
                deleted += count;
                work.note_change(row.id, "deleted", json!({ "name": row.name }), None);
            }
        }
    }
    work.done(DeletedContent { deleted, restorable_until: now + KEPT }).await
}

/// Restores deleted items (extension), all of them or none, to where they were or to another
/// folder. For operators with the permission `content`. 404 for an item that does not exist or is
/// not deleted, 409 `folder_deleted` for an item that was deleted as part of a folder or whose
/// folder is deleted, 409 `duplicate` for a name that is taken meanwhile, 422 for a folder that
/// does not exist, is full or too deep.
pub async fn restore(cx: Cx<Operator>, input: RestoreContent) -> Result<Done<Vec<ContentItem>>> {
    let mut work = cx.begin().await?;
    tree::lock(&mut work).await?;
    let rows = found(&mut work, &input.ids).await?;
    for row in &rows {
        match row.deleted_with {
            None => return Err(codes::NOT_FOUND.into()),
            Some(with) if with != row.id.get() => {
                let why =
                    format!("Item {} was deleted as part of item {with}: restore that.", row.id);
                return Err(codes::FOLDER_DELETED.saying(why));
            }
            Some(_) => {}
        }
    }
    let (mut wrong, now) = (Wrong::default(), work.now());
    for row in &rows {
        let target = if input.parent_id.is_some() {
            input.parent_id
        } else {
            tree::living(&mut work, row.place).await?;
            row.parent_id.map(ZeroOr::One)
        };
        let place = tree::place(&mut work, target, &mut wrong).await?;
        tree::check_room(&mut work, place.id, 1, &mut wrong).await?;
        check_height(&mut work, row, place, &mut wrong).await?;
        std::mem::take(&mut wrong).refuse()?;
        if place.id != row.place {
            items::put(&mut work, row.id, place.id, now).await?;
        }
        items::restore(&mut work, row.id, now).await?;
        work.note(row.id, "restored");
    }
    let restored = views(&mut work, &input.ids).await?;
    work.done(restored).await
}

/// These items, in order of id; 404 unless all of them exist.
async fn found(work: &mut Work, ids: &[ContentItemId]) -> Result<Vec<ItemRow>> {
    let rows = items::among(work, ids).await?;
    let all = ids.iter().all(|id| rows.iter().any(|row| row.id == *id));
    all.then_some(rows).ok_or_else(|| Error::from(codes::NOT_FOUND))
}

/// These items, in order of id; 404 unless all of them exist and none of them is deleted.
async fn living(work: &mut Work, ids: &[ContentItemId]) -> Result<Vec<ItemRow>> {
    let rows = found(work, ids).await?;
    let all = rows.iter().all(|row| row.deleted_at.is_none());
    all.then_some(rows).ok_or_else(|| Error::from(codes::NOT_FOUND))
}

async fn views(work: &mut Work, ids: &[ContentItemId]) -> Result<Vec<ContentItem>> {
    let rows = items::among(work, ids).await?;
    Ok(rows.into_iter().map(ContentItem::from).collect())
}
