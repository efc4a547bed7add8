//! The rows of files' versions.

use crate::content::Checked;
use crate::content_library::item::ContentVersion;
use crate::error::Result;
use crate::kernel::{ContentItemId, Time};
use crate::storage::{Session, Stored, insert, sql};

/// A version to add.
#[derive(Clone, Debug, Stored)]
pub struct NewVersion {
    pub number: i64,
    pub name: String,
    #[row(skip)]
    pub content: Checked,
    pub object_key: String,
}

/// Adds a version.
pub async fn add(
    session: &mut Session,
    item: ContentItemId,
    new: &NewVersion,
    now: Time,
) -> Result<()> {
    let row = insert("content_version")
        .with(new.columns())
        .with(new.content.columns())
        .set("item_id", item)
        .set("created_at", now);
    session.run(row).await.map(|_| ())
}

/// The versions of a file, newest first; there are never many.
pub async fn all(session: &mut Session, item: ContentItemId) -> Result<Vec<ContentVersion>> {
    session
        .all(
            sql("SELECT number, name, media_type, size, sha256, object_key, created_at \
                 FROM content_version WHERE item_id = $1 ORDER BY number DESC")
            .bind(item),
        )
        .await
}

/// The file that has a version with this object, if it is not removed.
pub async fn file_of(session: &mut Session, object_key: &str) -> Result<Option<ContentItemId>> {
    const FILE: &str = "SELECT item_id FROM content_version WHERE object_key = $1";
    let row: Option<(ContentItemId,)> = session.first(sql(FILE).bind(object_key)).await?;
    Ok(row.map(|(item,)| item))
}

/// One version; 404 if there is none.
pub async fn one(
    session: &mut Session,
    item: ContentItemId,
    number: i64,
) -> Result<ContentVersion> {
    session
        .one(
            sql("SELECT number, name, media_type, size, sha256, object_key, created_at \
                 FROM content_version WHERE item_id = $1 AND number = $2")
            .bind(item)
            .bind(number),
        )
        .await
}
