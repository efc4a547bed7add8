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
    /// What was said of it.
    pub note: Option<String>,
    /// Who put it there; only they take it out again.
    pub user_id: UserId,
    /// What they are in the deal.
    pub added_by: UserKind,
    /// When it was put there.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
