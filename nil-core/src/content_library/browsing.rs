//! Operators look at folders, at the trash and at the versions of a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::item::{ContentItem, ContentKind, ContentSort, ContentVersion, PathPart};
use super::store::item::{self as items, ItemRow, Wanted};
use super::store::version as versions;
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{ContentItemId, Listing, Paged, Text, ZeroOr};
use crate::operation::{Cx, Revised};
use crate::storage::Session;

/// Selects the items of a folder.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct BrowseContent {
    /// The folder; 0 for the top.
    pub parent_id: ZeroOr<ContentItemId>,
    /// Whether to list what was deleted from the folder in place of what is in it; at the top,
    /// everything that was deleted anywhere. Default false.
    pub deleted: Option<bool>,
    /// The order (default by name).
    pub sort: Option<ContentSort>,
    /// Part of the name.
    pub q: Option<Text<0, 100>>,
}

/// Fields beside the page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ContentPath {
    /// The folders from the top to this one; empty at the top.
    pub path: Vec<PathPart>,
}

/// The file whose versions are listed.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ListVersions {
    /// The file.
    pub id: ContentItemId,
}

/// Lists a folder (contract: *content*), folders first, with the folders above it; or what was
/// deleted from it. For operators with the permission `content`. 404 for a folder that does not
/// exist or is deleted, and for a file.
pub async fn browse(
    cx: Cx<Operator>,
    input: Paged<BrowseContent>,
) -> Result<Listing<Revised<ContentItem>, ContentPath>> {
    let (input, paging) = input.parts();
    let folder = input.parent_id.one()?;
    let mut session = cx.read().await?;
    let path = match folder {
        Some(id) => {
            let row = living(&mut session, id).await?;
            if row.kind != ContentKind::Folder {
                return Err(codes::NOT_FOUND.into());
            }
            items::path(&mut session, id).await?
        }
        None => Vec::new(),
    };
    let wanted = Wanted {
        place: folder.map_or(0, ContentItemId::get),
        deleted: input.deleted == Some(true),
        q: input.q.as_deref(),
    };
    let sort = input.sort.unwrap_or(ContentSort::NameUp);
    let page = items::page(&mut session, wanted, sort, paging).await?;
    Ok(page.map(|row| ContentItem::from(row).into()).with(ContentPath { path }))
}

/// Lists the versions of a file, newest first (extension); there are at most 100. 404 for a file
/// that does not exist or is deleted, and for a folder.
pub async fn list_versions(cx: Cx<Operator>, input: ListVersions) -> Result<Vec<ContentVersion>> {
    let mut session = cx.read().await?;
    file(&mut session, input.id).await?;
    versions::all(&mut session, input.id).await
}

/// The item; 404 if it does not exist or is deleted.
pub(super) async fn living(session: &mut Session, id: ContentItemId) -> Result<ItemRow> {
    let row = items::one(session, id).await?;
    if row.deleted_at.is_some() {
        return Err(codes::NOT_FOUND.into());
    }
    Ok(row)
}

/// The file; 404 if it does not exist or is deleted, and for a folder.
pub(super) async fn file(session: &mut Session, id: ContentItemId) -> Result<ItemRow> {
    let row = living(session, id).await?;
    match row.kind {
        ContentKind::File => Ok(row),
        ContentKind::Folder => Err(codes::NOT_FOUND.into()),
    }
}
