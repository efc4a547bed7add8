//! An entry of the audit trail of an institution's own users.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::auth::PortalUser;
use crate::kernel::{AuditId, Date, PortalUserId, Text, Time};
use crate::storage::FromRow;

/// An entry of the audit trail.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct TrailEntry {
    /// The entry's id.
    pub id: AuditId,
    /// The time of the action.
    pub at: Time,
    /// The actor, such as `portal_user:7`.
    pub actor: String,
    /// The portal user's name; null for others.
    pub name: Option<String>,
    /// The operation.
    pub operation: String,
    /// The kind of record.
    pub subject_kind: String,
    /// The record's id.
    pub subject_id: i64,
    /// The action.
    pub action: String,
    /// The record's values before.
    pub before: Option<Value>,
    /// The record's values after.
    pub after: Option<Value>,
    /// The network address; only for the institution's own users.
    pub address: Option<String>,
    /// The request's id.
    pub request_id: String,
}

/// The request with its defaults filled in.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) caller: PortalUser,
    pub(super) since: Option<Time>,
    pub(super) until: Option<Time>,
    pub(super) input: ListTrail,
}

/// Filters for entries.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListTrail {
    /// The first day, in the institution's time zone.
    pub from: Option<Date>,
    /// The last day, in the institution's time zone.
    pub to: Option<Date>,
    /// Only entries by this portal user.
    pub portal_user_id: Option<PortalUserId>,
    /// Only entries of this operation, such as `compliance.disclosed_job.decide`.
    pub operation: Option<Text<1, 100>>,
    /// Only this action, such as `downloaded`.
    pub action: Option<Text<1, 60>>,
    /// Only entries about records of this kind, such as `contract`.
    pub subject_kind: Option<Text<1, 60>>,
    /// Only entries about the record with this id.
    pub subject_id: Option<i64>,
}
