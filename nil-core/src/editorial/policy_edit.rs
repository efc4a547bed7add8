//! An edit of the privacy policy.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{PolicyEditId, Time};
use crate::storage::FromRow;

/// A stored edit of the policy.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PolicyEdit {
    /// The edit's id.
    pub id: PolicyEditId,
    /// The title.
    pub title: String,
    /// The text, sanitised.
    pub body: String,
    /// The author, in the audit trail's notation.
    pub author: String,
    /// The network address.
    pub address: Option<String>,
    /// The version it became; null while it is held.
    pub version: Option<i64>,
    /// When it was made.
    pub created_at: Time,
}
