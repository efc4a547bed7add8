//! An announced upload, so that a phone can send the bytes without a log-in.

use crate::content::MediaType;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, DealFileId, DirectUploadId, FileId, JobId, Machine, Move, Time, UserId,
};
use crate::storage::FromRow;

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
