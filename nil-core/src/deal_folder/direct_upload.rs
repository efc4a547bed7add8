//! An announced upload, so that a phone can send the bytes without a log-in.

use crate::content::storing::{self, Discarded};
use crate::content::{Announced, MediaType};
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, DealFileId, DirectUploadId, FileId, JobId, Machine, Move, Time, UserId,
};
use crate::operation::Work;
use crate::schedule::due::due_ids;
use crate::storage::{FromRow, Stored};

vocabulary! {
    /// The state of an announced upload.
    UploadStatus {
        /// Announced; its bytes have not arrived.
        Created = "created",
        /// Its bytes have arrived.
        Received = "received",
        /// It is in the folder.
        Completed = "completed",
        /// Not completed in time.
        Expired = "expired",
    }
}

/// The events of an announced upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadEvent {
    /// Its bytes are durable.
    Receive,
    /// The user who announced it completes it.
    Complete,
    /// Its time has expired.
    Expire,
}

impl Machine for UploadStatus {
    type Event = UploadEvent;
    const NAME: &'static str = "direct_upload";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Created];
    const TERMINAL: &'static [Self] = &[Self::Completed, Self::Expired];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Created, UploadEvent::Receive, Self::Received), // PUT /deal-folder/direct-upload
        // POST /deal-folder/direct-upload/complete
        (Self::Received, UploadEvent::Complete, Self::Completed),
        (Self::Created, UploadEvent::Expire, Self::Expired), // the worker
        (Self::Received, UploadEvent::Expire, Self::Expired),
    ];
}

/// An upload to announce.
#[derive(Clone, Debug, Stored)]
pub(super) struct NewUpload {
    #[row(rename = "user_id")]
    pub(super) user: UserId,
    #[row(rename = "job_id")]
    pub(super) job: JobId,
    #[row(rename = "athlete_id")]
    pub(super) athlete: AthleteId,
    pub(super) name: String,
    pub(super) media_type: MediaType,
    pub(super) size: i64,
    pub(super) note: Option<String>,
    #[row(rename = "replaces_id")]
    pub(super) replaces: Option<DealFileId>,
    pub(super) expires_at: Time,
}

/// An upload as announced, with its progress.
#[derive(Clone, Debug, FromRow)]
pub(super) struct DirectUpload {
    pub(super) id: DirectUploadId,
    pub(super) user_id: UserId,
    pub(super) job_id: JobId,
    pub(super) athlete_id: AthleteId,
    pub(super) name: String,
    pub(super) media_type: MediaType,
    pub(super) size: i64,
    pub(super) note: Option<String>,
    pub(super) replaces_id: Option<DealFileId>,
    pub(super) status: UploadStatus,
    pub(super) file_id: Option<FileId>,
    pub(super) expires_at: Time,
}

impl Announced for DirectUpload {
    type Id = DirectUploadId;
    type Status = UploadStatus;
    const TABLE: &'static str = "direct_upload";
    const OWNER: &'static str = "user_id";
    const LATE: &'static str = due_ids!(
        "direct_upload",
        "expires_at",
        "status IN ('created', 'received') AND expires_at <= $1"
    );
    const END: UploadEvent = UploadEvent::Expire;
    const EXPIRED_BY: &'static str = "core.deal_folder.create_upload";

    fn id(&self) -> DirectUploadId {
        self.id
    }

    fn status(&self) -> UploadStatus {
        self.status
    }

    async fn let_go(&self, work: &mut Work) -> Result<Discarded> {
        match self.file_id {
            Some(file) => storing::discard(work, file).await,
            None => Ok(Discarded::default()),
        }
    }
}
