//! Folders and files.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::content::MediaType;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ContentItemId, Time};
use crate::operation::Revisable;
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

vocabulary! {
    /// The order of a folder; folders come first in each.
    ContentSort {
        /// By name, A to Z.
        NameUp = "name",
        /// By name, Z to A.
        NameDown = "-name",
        /// Made first, first.
        Oldest = "created_at",
        /// Made last, first.
        Newest = "-created_at",
        /// Changed longest ago first.
        ChangedUp = "updated_at",
        /// Changed last, first.
        ChangedDown = "-updated_at",
        /// Smallest first.
        SizeUp = "size",
        /// Largest first.
        SizeDown = "-size",
    }
}

/// A folder on the way to an item.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PathPart {
    /// The folder.
    pub id: ContentItemId,
    /// Its name.
    pub name: String,
}

/// A folder or a file of the site's content.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
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

impl Revisable for ContentItem {
    /// What a save changes: the name, and the version of a file.
    fn content(&self) -> Value {
        let version = self.file.as_ref().map(|file| file.version);
        json!({ "name": self.name, "version": version })
    }
}

/// The current version of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
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
