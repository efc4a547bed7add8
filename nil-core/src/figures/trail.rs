//! What an institution's own people did.

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;

use super::period;
use super::store::trail as store;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::{AuditId, Date, Listing, Paged, PortalUserId, Text, Time, start_of_day};
use crate::operation::Cx;

/// Which entries.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ListTrail {
    /// The first day, in the institution's time zone.
    pub from: Option<Date>,
    /// The last day, in the institution's time zone.
    pub to: Option<Date>,
    /// Only what this portal user did.
    pub portal_user_id: Option<PortalUserId>,
    /// Only what this operation did, such as `compliance.disclosed_job.decide`.
    pub operation: Option<Text<1, 100>>,
    /// Only this, such as `downloaded`.
    pub action: Option<Text<1, 60>>,
    /// Only what was done to records of this kind, such as `contract`.
    pub subject_kind: Option<Text<1, 60>>,
    /// Only what was done to the record with this id.
    pub subject_id: Option<i64>,
}

/// An entry of the audit trail.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct TrailEntry {
    /// Its id.
    pub id: AuditId,
    /// When it was done.
    pub at: Time,
    /// By whom, such as `portal_user:7`.
    pub actor: String,
    /// The portal user's name; null for others.
    pub name: Option<String>,
    /// Through which operation.
    pub operation: String,
    /// To what kind of record.
    pub subject_kind: String,
    /// To which one.
    pub subject_id: i64,
    /// What was done.
    pub action: String,
    /// What the record was.
    pub before: Option<Value>,
    /// What it has become.
    pub after: Option<Value>,
    /// From which network address; of the institution's own people only.
    pub address: Option<String>,
    /// In which request.
    pub request_id: String,
}

/// What is asked for, as it is meant.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) caller: PortalUser,
    pub(super) since: Option<Time>,
    pub(super) until: Option<Time>,
    pub(super) input: ListTrail,
}

/// What portal users of the institution did, and what others did to them and to the institution's
/// settings; newest first. Entries know no sport: a caller who is limited to certain sports sees what they
/// did themself.
pub async fn list(cx: Cx<PortalUser>, input: Paged<ListTrail>) -> Result<Listing<TrailEntry>> {
    let (input, paging) = input.parts();
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
    store::page(&mut session, &asked, paging).await
}
