//! A file in the folder of a deal: a version of a document.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::UserKind;
use crate::content::StoredFile;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, DealFileId, JobId, Machine, Move, Time, UserId};

vocabulary! {
    /// The state of a version of a document.
    DealFileStatus {
        /// The other side has not answered.
        Open = "open",
        /// Both sides agree to it. It is final: a change is a new document.
        Approved = "approved",
        /// The other side asks for edits.
        EditsRequested = "edits_requested",
        /// There is a newer version.
        Replaced = "replaced",
        /// The side that added it took it back.
        Void = "void",
    }
}

/// The events of a version of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealFileEvent {
    /// The other side approves it.
    Approve,
    /// The other side asks for edits.
    RequestEdits,
    /// Either side adds a newer version.
    Replace,
    /// The side that added it takes it back.
    Void,
}

impl Machine for DealFileStatus {
    type Event = DealFileEvent;
    const NAME: &'static str = "deal_file";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Open];
    const TERMINAL: &'static [Self] = &[Self::Approved, Self::Replaced, Self::Void];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Open, DealFileEvent::Approve, Self::Approved), // POST /deal-folder/approve
        (Self::EditsRequested, DealFileEvent::Approve, Self::Approved),
        // POST /deal-folder/request-edits
        (Self::Open, DealFileEvent::RequestEdits, Self::EditsRequested),
        // POST /deal-folder/replace, /deal-folder/direct-upload/complete
        (Self::Open, DealFileEvent::Replace, Self::Replaced),
        (Self::EditsRequested, DealFileEvent::Replace, Self::Replaced),
        (Self::Open, DealFileEvent::Void, Self::Void), // POST /deal-folder/void
        (Self::EditsRequested, DealFileEvent::Void, Self::Void),
    ];
}

/// A file in the folder of a deal: a version of a document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DealFile {
    /// Its id in the folder.
    pub id: DealFileId,
    /// The document: the id of its first version.
    pub document_id: DealFileId,
    /// The number of the version, from 1.
    pub version: i64,
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
    /// Its state.
    pub status: DealFileStatus,
    /// The user who approved it, asked for edits, voided or replaced it.
    pub decided_by: Option<UserId>,
    /// When they did.
    pub decided_at: Option<Time>,
    /// The edits that they ask for, or why it is void.
    pub decision_note: Option<String>,
    /// When it was added.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_sides_agreed_to_is_final() {
        let events = [
            DealFileEvent::Approve,
            DealFileEvent::RequestEdits,
            DealFileEvent::Replace,
            DealFileEvent::Void,
        ];
        assert!(events.iter().all(|event| !DealFileStatus::Approved.can(*event)));
    }
}
