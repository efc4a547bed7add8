//! Operators search the audit trail.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{AuditId, Date, Feed, Limit, Text, days};
use crate::operation::Cx;
use crate::operation::audit::AuditEntry;
use crate::operation::searching::{self, WantedEntries};

/// The entries to find. All filters must match.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ListEntries {
    /// The most entries of an answer.
    pub limit: Option<Limit>,
    /// Only entries before this one: `next_before_id` of the last answer.
    #[schemars(extend("examples" = [null]))]
    pub before_id: Option<AuditId>,
    /// Only by this actor, such as `operator:2`, `athlete:7`, `host` or `platform`.
    #[schemars(extend("examples" = ["operator:1"]))]
    pub actor: Option<Text<1, 60>>,
    /// Only of this operation, such as `admin.payment.refund`.
    pub operation: Option<Text<1, 100>>,
    /// Only this action, such as `downloaded`.
    pub action: Option<Text<1, 60>>,
    /// Only about records of this kind, such as `contract`.
    pub subject_kind: Option<Text<1, 60>>,
    /// Only about the record with this id.
    pub subject_id: Option<i64>,
    /// The first day, by UTC.
    pub from: Option<Date>,
    /// The last day, by UTC.
    pub to: Option<Date>,
}

/// Finds entries of the audit trail, newest first (payloads: *audit-log*). For operators with the permission `reports`;
/// each search is recorded in the audit trail itself. A call looks at 20,000 entries at most: an answer can have fewer
/// entries than `limit`, or none, and the search still continue at `next_before_id`, until that is null. 422 for days in
/// the wrong order.
pub async fn list(cx: Cx<Operator>, input: ListEntries) -> Result<Feed<AuditEntry>> {
    let (from, until) = days(input.from, input.to)?;
    let wanted = WantedEntries {
        actor: input.actor.map(Text::into_string),
        operation: input.operation.map(Text::into_string),
        action: input.action.map(Text::into_string),
        subject_kind: input.subject_kind.map(Text::into_string),
        subject_id: input.subject_id,
        from,
        until,
    };
    let mut work = cx.look().await?;
    let limit = input.limit.unwrap_or_default();
    let found = searching::search(&mut work, &wanted, input.before_id, limit).await?;
    work.note(cx.caller.id, "audit_log_read");
    work.seen().await?;
    Ok(found)
}
