//! Operators search the audit trail.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{AuditId, Date, Feed, Limit, Text, days};
use crate::operation::Cx;
use crate::operation::audit::AuditEntry;
use crate::operation::searching::{self, WantedEntries};
use crate::platform::Platform;

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

impl ListEntries {
    /// The filters, and the most entries of an answer. 422 for days in the wrong order.
    fn wanted(self) -> Result<(WantedEntries, Limit)> {
        let (from, until) = days(self.from, self.to)?;
        let wanted = WantedEntries {
            actor: self.actor.map(Text::into_string),
            operation: self.operation.map(Text::into_string),
            action: self.action.map(Text::into_string),
            subject_kind: self.subject_kind.map(Text::into_string),
            subject_id: self.subject_id,
            from,
            until,
        };
        Ok((wanted, self.limit.unwrap_or_default()))
    }
}

/// Finds entries of the audit trail, newest first (payloads: *audit-log*). For operators with the permission `reports`;
/// each search is recorded in the audit trail itself. A call looks at 20,000 entries at most: an answer can have fewer
/// entries than `limit`, or none, and the search still continue at `next_before_id`, until that is null. 422 for days in
/// the wrong order.
pub async fn list(cx: Cx<Operator>, input: ListEntries) -> Result<Feed<AuditEntry>> {
    let before = input.before_id;
    let (wanted, limit) = input.wanted()?;
    let mut work = cx.look().await?;
    let found = searching::search(&mut work, &wanted, before, limit).await?;
    work.note(cx.caller.id, "audit_log_read");
    work.seen().await?;
    Ok(found)
}

/// The newest entries that match, as many as `limit` allows, however many searches that takes. For the command line,
/// where access to the host is the authorization. 422 for days in the wrong order.
pub async fn newest(platform: &Platform, input: ListEntries) -> Result<Vec<AuditEntry>> {
    let mut before = input.before_id;
    let (wanted, limit) = input.wanted()?;
    let most = usize::try_from(limit.get()).unwrap_or(usize::MAX);
    let mut session = platform.db().read().await?;
    let mut entries = Vec::new();
    loop {
        let found = searching::search(&mut session, &wanted, before, limit).await?;
        entries.extend(found.items);
        before = found.pagination.next_before_id.and_then(AuditId::new);
        if before.is_none() || entries.len() >= most {
            entries.truncate(most);
            return Ok(entries);
        }
    }
}
