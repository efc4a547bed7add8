//! The audit trail of an institution's users.

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::period;
use super::store::trail as store;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::{AuditId, Date, Followed, Listing, PortalUserId, Text, Time, start_of_day};
use crate::operation::Cx;
use crate::storage::FromRow;

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

/// An entry of the audit trail.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
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

/// Lists actions by the institution's portal users, and by others on those users and the institution's
/// settings; newest first. Entries have no sport: callers limited to certain sports see only their own
/// actions.
pub async fn list(cx: Cx<PortalUser>, input: Followed<ListTrail>) -> Result<Listing<TrailEntry>> {
    let (input, place) = cx.place(input)?;
    if input.from.zip(input.to).is_some_and(|(from, to)| to < from) {
        return Err(Error::invalid("to", "must not be before `from`"));
    }
    let mut session = cx.read().await?;
    let zone: Tz = super::store::zone(&mut session, cx.caller.college_id).await?;
    let asked = Asked {
        caller: cx.caller.clone(),
        since: input.from.map(|day| start_of_day(day, zone)),
        until: input.to.map(|day| period::after(day, zone)),
        input,
    };
    store::page(&mut session, &asked, place).await
}
