//! A comment on a version of a document.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::UserKind;
use crate::kernel::{DealFileCommentId, DealFileId, Time, UserId};
use crate::storage::FromRow;

/// A comment on a version of a document.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct DealFileComment {
    /// Its id.
    pub id: DealFileCommentId,
    /// The document: the id of its first version.
    pub document_id: DealFileId,
    /// The version that it is about.
    pub deal_file_id: DealFileId,
    /// The number of that version.
    pub version: i64,
    /// Who wrote it.
    pub user_id: UserId,
    /// Their kind of account.
    pub written_by: UserKind,
    /// What they wrote.
    pub text: String,
    /// When.
    pub created_at: Time,
}
