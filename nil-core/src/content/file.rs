//! A file that a user handed over.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CollegeId, FileId, Machine, Move, Time, UserId};

vocabulary! {
    /// What a file is. There is nothing here that a browser would run.
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
    /// The most bytes of any file.
    pub const LARGEST: usize = 50 * MIB;

    /// The most bytes a file of this type may have.
    #[must_use]
    pub const fn largest(self) -> usize {
        match self {
            Self::Jpeg | Self::Png | Self::Webp | Self::Gif => 10 * MIB,
            Self::Mp4 | Self::Quicktime => Self::LARGEST,
            Self::Pdf => 20 * MIB,
            Self::PlainText | Self::Csv => 5 * MIB,
        }
    }

    /// The endings that names of such files have; the first one is the usual one.
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

    /// Whether content of this type can as well be said to be of that one: any table is text.
    #[must_use]
    pub fn passes_for(self, other: Self) -> bool {
        let text = |of| matches!(of, Self::PlainText | Self::Csv);
        self == other || (text(self) && text(other))
    }
}

vocabulary! {
    /// Where a file stands.
    FileStatus {
        /// Announced; its bytes are being written.
        Writing = "writing",
        /// There.
        Stored = "stored",
        /// Gone.
        Deleted = "deleted",
    }
}

/// What can happen to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEvent {
    /// Its bytes are durable.
    Keep,
    /// They never came to be.
    Abandon,
    /// Its owner deletes it, or nobody made use of it for a day.
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

/// Whose a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOwner {
    /// A user of the Core interface.
    User(UserId),
    /// An institution; its officers come and go.
    College(CollegeId),
}

impl FileOwner {
    /// The user, where it is one.
    #[must_use]
    pub const fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) => Some(user),
            Self::College(_) => None,
        }
    }

    /// The institution, where it is one.
    #[must_use]
    pub const fn college(self) -> Option<CollegeId> {
        match self {
            Self::College(college) => Some(college),
            Self::User(_) => None,
        }
    }
}

/// A file.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct StoredFile {
    /// Its id.
    pub id: FileId,
    /// Whose it is; none where it belongs to an institution.
    #[serde(skip)]
    pub user_id: Option<UserId>,
    /// Its name, made safe for any file system.
    pub name: String,
    /// What its content was found to be.
    pub media_type: MediaType,
    /// Its size in bytes.
    pub size: i64,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// The name of its object.
    #[serde(skip)]
    pub(crate) object_key: String,
    /// Where it stands.
    #[serde(skip)]
    pub status: FileStatus,
    /// How many records it is part of. One that is part of none goes after a day.
    pub uses: i64,
    /// When it was handed over.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<FileStatus>();
    }

    #[test]
    fn no_type_may_be_larger_than_what_is_taken() {
        for kind in MediaType::ALL {
            assert!(kind.largest() <= MediaType::LARGEST, "{kind}");
            assert!(!kind.endings().is_empty(), "{kind}");
        }
    }
}
