//! A stored file.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CollegeId, FileId, Machine, Move, Time, UserId};
use crate::storage::{FromRow, Stored};

vocabulary! {
    /// The accepted types of files. A browser executes none of them.
    MediaType {
        /// A JPEG picture.
        Jpeg = "image/jpeg",
        /// A PNG picture.
        Png = "image/png",
        /// A WebP picture.
        Webp = "image/webp",
        /// A GIF picture.
        Gif = "image/gif",
        /// An MP4 video.
        Mp4 = "video/mp4",
        /// A `QuickTime` video.
        Quicktime = "video/quicktime",
        /// A PDF document.
        Pdf = "application/pdf",
        /// Text.
        PlainText = "text/plain",
        /// A table as text.
        Csv = "text/csv",
    }
}

const MIB: usize = 1024 * 1024;

impl MediaType {
    /// The maximum size of any file in bytes.
    pub const LARGEST: usize = 50 * MIB;

    /// The maximum size of a file of this type in bytes.
    #[must_use]
    pub const fn largest(self) -> usize {
        match self {
            Self::Jpeg | Self::Png | Self::Webp | Self::Gif => 10 * MIB,
            Self::Mp4 | Self::Quicktime => Self::LARGEST,
            Self::Pdf => 20 * MIB,
            Self::PlainText | Self::Csv => 5 * MIB,
        }
    }

    /// The file name endings of this type; the first one is the usual one.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Jpeg => &["jpg", "jpeg"],
            Self::Png => &["png"],
            Self::Webp => &["webp"],
            Self::Gif => &["gif"],
            Self::Mp4 => &["mp4", "m4v"],
            Self::Quicktime => &["mov", "qt"],
            Self::Pdf => &["pdf"],
            Self::PlainText => &["txt"],
            Self::Csv => &["csv"],
        }
    }

    /// Whether it is a picture.
    #[must_use]
    pub const fn is_image(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png | Self::Webp | Self::Gif)
    }

    /// Whether content of this type may also be declared as the other: any CSV is plain text.
    #[must_use]
    pub fn passes_for(self, other: Self) -> bool {
        let text = |of| matches!(of, Self::PlainText | Self::Csv);
        self == other || (text(self) && text(other))
    }
}

vocabulary! {
    /// The state of a file.
    FileStatus {
        /// Announced; its bytes are being written.
        Writing = "writing",
        /// Stored.
        Stored = "stored",
        /// Deleted.
        Deleted = "deleted",
    }
}

/// The events of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEvent {
    /// Its bytes are durable.
    Keep,
    /// Its bytes were never completed.
    Abandon,
    /// Its owner deletes it, or it was not used for a day.
    Delete,
}

impl Machine for FileStatus {
    type Event = FileEvent;
    const NAME: &'static str = "file";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Writing];
    const TERMINAL: &'static [Self] = &[Self::Deleted];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Writing, FileEvent::Keep, Self::Stored), // POST /files
        (Self::Writing, FileEvent::Abandon, Self::Deleted), // the worker, after a day
        (Self::Stored, FileEvent::Delete, Self::Deleted), // DELETE /files/{id}; the worker
    ];
}

/// The owner of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOwner {
    /// A user of the Core interface.
    User(UserId),
    /// An institution, because its officers change.
    College(CollegeId),
    /// The site: its logo and its icon.
    Site,
}

impl FileOwner {
    /// The user, if it is one.
    #[must_use]
    pub const fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) => Some(user),
            Self::College(_) | Self::Site => None,
        }
    }

    /// The institution, if it is one.
    #[must_use]
    pub const fn college(self) -> Option<CollegeId> {
        match self {
            Self::College(college) => Some(college),
            Self::User(_) | Self::Site => None,
        }
    }
}

/// What is recorded about the content of a file, when it is checked.
#[derive(Clone, Debug, Stored)]
pub struct Checked {
    /// The type detected from it.
    pub media_type: MediaType,
    /// Its size in bytes.
    pub size: i64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// A file.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct StoredFile {
    /// Its id.
    pub id: FileId,
    /// Its owner; null if it belongs to an institution or the site.
    #[serde(skip)]
    pub user_id: Option<UserId>,
    /// Its name, sanitised for any file system.
    pub name: String,
    /// The type detected from its content.
    pub media_type: MediaType,
    /// Its size in bytes.
    pub size: i64,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// The key of its object.
    #[serde(skip)]
    pub(crate) object_key: String,
    /// Its state.
    #[serde(skip)]
    pub status: FileStatus,
    /// The number of records it is part of. An unused file is deleted after a day.
    pub uses: i64,
    /// When it was uploaded.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_type_may_be_larger_than_what_is_taken() {
        for kind in MediaType::ALL {
            assert!(kind.largest() <= MediaType::LARGEST, "{kind}");
            assert!(!kind.endings().is_empty(), "{kind}");
        }
    }
}
