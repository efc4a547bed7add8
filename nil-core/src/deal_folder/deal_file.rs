//! A file in the folder of a deal.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::UserKind;
use crate::content::StoredFile;
use crate::kernel::{AthleteId, DealFileId, JobId, Time, UserId};

/// A file in the folder of a deal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DealFile {
    /// Its id in the folder.
    pub id: DealFileId,
    /// The job of the deal.
    pub job_id: JobId,
    /// The athlete of the deal.
    pub athlete_id: AthleteId,
    /// The file itself.
    pub file: StoredFile,
    /// The note about it.
    pub note: Option<String>,
    /// The user who added it; only they can remove it.
    pub user_id: UserId,
    /// Their kind of account.
    pub added_by: UserKind,
    /// When it was added.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
