//! The rows of folders and files.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use crate::content::MediaType;
use crate::content_library::item::{
    ContentFile, ContentItem, ContentKind, ContentSort, PathPart, key_of,
};
use crate::error::Result;
use crate::kernel::{ContentItemId, Listing, Paging, Time};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{Among as _, FromRow, Narrow as _, Session, contains, insert, sql, update};

/// An item as stored, with its current version.
#[derive(Clone, Debug, FromRow)]
pub struct ItemRow {
    pub id: ContentItemId,
    pub parent_id: Option<ContentItemId>,
    pub place: i64,
    pub kind: ContentKind,
    pub name: String,
    pub version: Option<i64>,
    pub media_type: Option<MediaType>,
    pub size: Option<i64>,
    pub sha256: Option<String>,
    pub deleted_at: Option<Time>,
    pub deleted_with: Option<i64>,
    pub created_at: Time,
    pub updated_at: Time,
}

impl From<ItemRow> for ContentItem {
    fn from(row: ItemRow) -> Self {
        let file = row.version.zip(row.media_type).zip(row.size.zip(row.sha256));
        Self {
            id: row.id,
            parent_id: row.parent_id,
            kind: row.kind,
            name: row.name,
            file: file.map(|((version, media_type), (size, sha256))| ContentFile {
                version,
                media_type,
                size,
                sha256,
            }),
            deleted_at: row.deleted_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

fn select() -> SelectStatement {
    let own = [
        "id",
        "parent_id",
        "place",
        "kind",
        "name",
        "version",
        "deleted_at",
        "deleted_with",
        "created_at",
        "updated_at",
    ];
    Query::select()
        .columns(own.map(|column| ("i", column)))
        .columns(["media_type", "size", "sha256"].map(|column| ("v", column)))
        .from_as("content_item", "i")
        .join_as(
            JoinType::LeftJoin,
            "content_version",
            "v",
            Expr::cust("v.item_id = i.id AND v.number = i.version"),
        )
        .take()
}

/// Selects the items of a folder.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The folder, 0 for the top.
    pub place: i64,
    /// What was deleted from it, in place of what is in it; at the top, everything that was
    /// deleted.
    pub deleted: bool,
    /// Part of the name.
    pub q: Option<&'a str>,
}

/// A page of a folder, folders first.
pub async fn page(
    session: &mut Session,
    wanted: Wanted<'_>,
    sort: ContentSort,
    paging: Paging,
) -> Result<Listing<ItemRow>> {
    let mut rows = select();
    let own = |column| Expr::col(("i", column));
    if wanted.deleted {
        // The first condition is what the index is by.
        rows.and_where(own("deleted_at").is_not_null())
            .and_where(own("deleted_with").equals(("i", "id")))
            .only(("i", "place"), Some(wanted.place).filter(|place| *place > 0));
    } else {
        rows.and_where(own("deleted_at").is_null()).and_where(own("place").eq(wanted.place));
    }
    rows.cond_where(contains([own("name")], wanted.q));
    // `folder` is behind `file`.
    rows.order_by(("i", "kind"), Order::Desc);
    let (column, order) = match sort {
        ContentSort::NameUp => (("i", "name_key"), Order::Asc),
        ContentSort::NameDown => (("i", "name_key"), Order::Desc),
        ContentSort::Oldest => (("i", "created_at"), Order::Asc),
        ContentSort::Newest => (("i", "created_at"), Order::Desc),
        ContentSort::ChangedUp => (("i", "updated_at"), Order::Asc),
        ContentSort::ChangedDown => (("i", "updated_at"), Order::Desc),
        ContentSort::SizeUp => (("v", "size"), Order::Asc),
        ContentSort::SizeDown => (("v", "size"), Order::Desc),
    };
    rows.order_by(column, order.clone()).order_by(("i", "id"), order);
    session.page(rows, paging).await
}

/// The item, deleted or not; 404 if there is none.
pub async fn one(session: &mut Session, id: ContentItemId) -> Result<ItemRow> {
    let mut row = select();
    row.and_where(Expr::col(("i", "id")).eq(id.get()));
    session.one(row).await
}

/// Those of these items that exist, deleted or not, in order of id.
pub async fn among(session: &mut Session, ids: &[ContentItemId]) -> Result<Vec<ItemRow>> {
    let mut rows = select();
    rows.and_where(Expr::col(("i", "id")).among(ids.iter().map(|id| id.get())))
        .order_by(("i", "id"), Order::Asc);
    session.all(rows).await
}

/// The folders above an item, from the top, and at last the item itself.
pub async fn path(session: &mut Session, id: ContentItemId) -> Result<Vec<PathPart>> {
    session
        .all(
            sql("WITH RECURSIVE above (id, parent_id, name, step) AS ( \
                 SELECT id, parent_id, name, 0 FROM content_item WHERE id = $1 UNION ALL \
                 SELECT i.id, i.parent_id, i.name, a.step + 1 FROM content_item i \
                 JOIN above a ON i.id = a.parent_id WHERE a.step < 100) \
                 SELECT id, name FROM above ORDER BY step DESC")
            .bind(id),
        )
        .await
}

/// How many folders are inside one another from this one on: 1 for a folder without folders.
pub async fn height(session: &mut Session, id: ContentItemId) -> Result<i64> {
    session
        .value(
            sql("WITH RECURSIVE below (id, step) AS ( \
                 SELECT id, CAST(1 AS BIGINT) FROM content_item WHERE id = $1 UNION ALL \
                 SELECT i.id, b.step + 1 FROM content_item i JOIN below b ON i.place = b.id \
                 WHERE b.step < 100 AND i.kind = 'folder') \
                 SELECT MAX(step) FROM below")
            .bind(id),
        )
        .await
}

/// The number of living items in a folder.
pub async fn count(session: &mut Session, place: i64) -> Result<i64> {
    session
        .value(
            sql("SELECT COUNT(*) FROM content_item WHERE place = $1 AND deleted_at IS NULL")
                .bind(place),
        )
        .await
}

/// The living item of this name in a folder.
pub async fn named(session: &mut Session, place: i64, name: &str) -> Result<Option<ContentItemId>> {
    let found: Option<(ContentItemId,)> = session
        .first(
            sql("SELECT id FROM content_item WHERE place = $1 AND name_key = $2 \
                 AND deleted_at IS NULL")
            .bind(place)
            .bind(key_of(name)),
        )
        .await?;
    Ok(found.map(|(id,)| id))
}

/// Adds a folder, or a file with its first version.
pub async fn add(
    session: &mut Session,
    place: i64,
    (kind, name): (ContentKind, &str),
    now: Time,
) -> Result<ContentItemId> {
    session
        .value(
            insert("content_item")
                .set("parent_id", ContentItemId::new(place))
                .set("place", place)
                .set("kind", kind)
                .set("name", name)
                .set("name_key", key_of(name))
                .set("version", (kind == ContentKind::File).then_some(1_i64))
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await
}

/// Gives it another name, and another current version if one is given.
pub async fn change(
    session: &mut Session,
    id: ContentItemId,
    name: &str,
    version: Option<i64>,
    now: Time,
) -> Result<()> {
    let row = update("content_item")
        .set("name", name)
        .set("name_key", key_of(name))
        .set("updated_at", now)
        .given("version", version)
        .when("id", id);
    session.change(row).await
}

/// Puts it into another folder.
pub async fn put(session: &mut Session, id: ContentItemId, place: i64, now: Time) -> Result<()> {
    let row = update("content_item")
        .set("parent_id", ContentItemId::new(place))
        .set("place", place)
        .set("updated_at", now)
        .when("id", id);
    session.change(row).await
}

/// Deletes a living item with all that is in it; answers how many items that were.
pub async fn delete(session: &mut Session, id: ContentItemId, now: Time) -> Result<u64> {
    session
        .run(
            sql("WITH RECURSIVE below (id) AS ( \
                 SELECT id FROM content_item WHERE id = $1 AND deleted_at IS NULL UNION ALL \
                 SELECT i.id FROM content_item i JOIN below b ON i.place = b.id \
                 WHERE i.deleted_at IS NULL) \
                 UPDATE content_item SET deleted_at = $2, deleted_with = $1, updated_at = $2 \
                 WHERE id IN (SELECT id FROM below)")
            .bind(id)
            .bind(now),
        )
        .await
}

/// Restores an item with all that was deleted with it.
pub async fn restore(session: &mut Session, id: ContentItemId, now: Time) -> Result<()> {
    session
        .run(
            sql("UPDATE content_item SET deleted_at = NULL, deleted_with = NULL, updated_at = $2 \
                 WHERE deleted_with = $1")
            .bind(id)
            .bind(now),
        )
        .await
        .map(|_| ())
}

/// Items that were deleted before that instant and have nothing in them, longest ago first.
pub async fn deleted_before(
    session: &mut Session,
    since: Time,
    behind: Behind,
) -> Result<Page<ContentItemId>> {
    const DUE: &str = due_ids!(
        "content_item",
        "deleted_at",
        "deleted_at < $1 AND NOT EXISTS (SELECT 1 FROM content_item c WHERE c.place = content_item.id)"
    );
    due::ids(session, DUE, since, behind).await
}

/// Removes a deleted item for good; answers the keys of its objects, or none if it was restored
/// meanwhile.
pub async fn remove(
    session: &mut Session,
    id: ContentItemId,
    since: Time,
) -> Result<Option<Vec<String>>> {
    let doomed: Option<(ContentItemId,)> = session
        .first(
            sql("SELECT id FROM content_item WHERE id = $1 AND deleted_at < $2")
                .bind(id)
                .bind(since)
                .locking("FOR UPDATE"),
        )
        .await?;
    if doomed.is_none() {
        return Ok(None);
    }
    let keys: Vec<(String,)> = session
        .all(sql("DELETE FROM content_version WHERE item_id = $1 RETURNING object_key").bind(id))
        .await?;
    session.change(sql("DELETE FROM content_item WHERE id = $1").bind(id)).await?;
    Ok(Some(keys.into_iter().map(|(key,)| key).collect()))
}
