//! Folders and files.

use schemars::JsonSchema;
use serde::Serialize;

use crate::content::MediaType;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ContentItemId, Time};
use crate::storage::FromRow;

/// The most items in one folder.
pub(super) const MOST_IN_A_FOLDER: i64 = 10_000;
/// The most folders inside one another.
pub(super) const DEEPEST: i64 = 32;
/// The most versions of a file.
pub(super) const MOST_VERSIONS: i64 = 100;
/// The most items in one call.
pub(super) const AT_ONCE: usize = 100;

vocabulary! {
    /// What an item is.
    ContentKind {
        /// A folder.
        Folder = "folder",
        /// A file.
        File = "file",
    }
}

/// A folder or a file of the site's content.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContentItem {
    /// Its id.
    pub id: ContentItemId,
    /// The folder it is in; null at the top.
    pub parent_id: Option<ContentItemId>,
    /// What it is.
    pub kind: ContentKind,
    /// Its name, unique in its folder whatever the case of its letters.
    pub name: String,
    /// The current version of a file; null for a folder.
    pub file: Option<ContentFile>,
    /// When it was deleted; null if it was not. It can be restored for 30 days.
    pub deleted_at: Option<Time>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// The current version of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContentFile {
    /// The number of the version, from 1.
    pub version: i64,
    /// The type detected from its content.
    pub media_type: MediaType,
    /// Its size in bytes.
    pub size: i64,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

/// A version of a file.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct ContentVersion {
    /// Its number, from 1.
    pub number: i64,
    /// The name it was uploaded under.
    pub name: String,
    /// The type detected from its content.
    pub media_type: MediaType,
    /// Its size in bytes.
    pub size: i64,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// The key of its object.
    #[serde(skip)]
    pub(super) object_key: String,
    /// When it was uploaded.
    pub created_at: Time,
}

/// A name as it is compared and sorted.
pub(super) fn key_of(name: &str) -> String {
    name.to_lowercase()
}
