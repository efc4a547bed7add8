//! An upload on its way to become a file or a new version of one.

use crate::content::storing::Discarded;
use crate::content::{Announced, MediaType};
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ContentItemId, ContentUploadId, Machine, Move, OperatorId, Time};
use crate::operation::Work;
use crate::ports::objects::{ObjectKey, Parted};
use crate::schedule::due::due_ids;
use crate::storage::{FromRow, Stored};

vocabulary! {
    /// The state of an upload.
    ContentUploadStatus {
        /// Its bytes are arriving.
        Created = "created",
        /// It is a file, or a version of one.
        Completed = "completed",
        /// Ended without becoming anything.
        Aborted = "aborted",
    }
}

/// The events of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentUploadEvent {
    /// All its bytes are there, and are what was announced.
    Complete,
    /// It is given up, was something else than announced, or has expired.
    Abort,
}

impl Machine for ContentUploadStatus {
    type Event = ContentUploadEvent;
    const NAME: &'static str = "multipart_upload";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Created];
    const TERMINAL: &'static [Self] = &[Self::Completed, Self::Aborted];
    const MOVES: &'static [Move<Self>] = &[
        // POST /content/multipart/complete, POST /content-management/save
        (Self::Created, ContentUploadEvent::Complete, Self::Completed),
        // POST /content/multipart/abort, the worker
        (Self::Created, ContentUploadEvent::Abort, Self::Aborted),
    ];
}

/// An upload to announce.
#[derive(Clone, Debug, Stored)]
pub(super) struct NewUpload {
    #[row(rename = "operator_id")]
    pub(super) operator: OperatorId,
    pub(super) place: i64,
    #[row(rename = "item_id")]
    pub(super) item: Option<ContentItemId>,
    pub(super) name: String,
    pub(super) media_type: MediaType,
    pub(super) size: i64,
    pub(super) part_size: i64,
    pub(super) object_key: String,
    pub(super) store_ref: Option<String>,
    pub(super) expires_at: Time,
}

/// An upload as announced.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Upload {
    pub(super) id: ContentUploadId,
    /// The folder for a new file, 0 for the top.
    pub(super) place: i64,
    /// The file for a new version; once completed, what it became.
    pub(super) item_id: Option<ContentItemId>,
    pub(super) name: String,
    pub(super) media_type: MediaType,
    pub(super) size: i64,
    pub(super) part_size: i64,
    pub(super) object_key: String,
    pub(super) store_ref: Option<String>,
    pub(super) status: ContentUploadStatus,
    pub(super) expires_at: Time,
}

impl Announced for Upload {
    type Id = ContentUploadId;
    type Status = ContentUploadStatus;
    const TABLE: &'static str = "multipart_upload";
    const OWNER: &'static str = "operator_id";
    const LATE: &'static str =
        due_ids!("multipart_upload", "expires_at", "status = 'created' AND expires_at <= $1");
    const END: ContentUploadEvent = ContentUploadEvent::Abort;
    const EXPIRED_BY: &'static str = "admin.content.multipart_abort";

    fn id(&self) -> ContentUploadId {
        self.id
    }

    fn status(&self) -> ContentUploadStatus {
        self.status
    }

    async fn let_go(&self, _: &mut Work) -> Result<Discarded> {
        Ok(Discarded::arriving(&self.object_key, self.store_ref.clone()))
    }
}

impl Upload {
    /// The key of its object.
    pub(super) fn key(&self) -> Result<ObjectKey> {
        ObjectKey::parse(&self.object_key)
            .ok_or_else(|| Error::internal(format!("upload {} has no key", self.id)))
    }

    /// What the store knows it by; none if it arrives in one piece.
    pub(super) fn parted(&self) -> Result<Option<Parted>> {
        let Some(upload) = self.store_ref.clone() else {
            return Ok(None);
        };
        Ok(Some(Parted { key: self.key()?, upload }))
    }

    /// The number of its parts.
    pub(super) fn parts(&self) -> i64 {
        // Rounded up; both are 1 or more.
        (self.size - 1) / self.part_size + 1
    }

    /// The size of a part; none if it has no part of this number.
    pub(super) fn size_of(&self, number: i64) -> Option<i64> {
        let parts = self.parts();
        (1..=parts).contains(&number).then(|| match number {
            last if last == parts => self.size - (parts - 1) * self.part_size,
            _ => self.part_size,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole() {
        for (size, part_size) in [(1, 8), (7, 8), (8, 8), (9, 8), (16, 8), (17, 8), (5, 1)] {
            let upload = Upload {
                id: ContentUploadId::new(1).unwrap(),
                place: 0,
                item_id: None,
                name: "a.png".into(),
                media_type: MediaType::Png,
                size,
                part_size,
                object_key: String::new(),
                store_ref: None,
                status: ContentUploadStatus::Created,
                expires_at: Time::default(),
            };
            let sizes = (1..=upload.parts()).map(|number| upload.size_of(number).unwrap());
            assert_eq!(sizes.clone().sum::<i64>(), size, "{size} in parts of {part_size}");
            assert!(sizes.clone().all(|one| (1..=part_size).contains(&one)));
            assert_eq!((upload.size_of(0), upload.size_of(upload.parts() + 1)), (None, None));
        }
    }
}
