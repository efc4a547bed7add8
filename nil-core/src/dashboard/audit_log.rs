//! Operators search the audit trail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::combined::shared;
use crate::kernel::{AgeSort, AuditId, Combined, Date, Followed, Limit, Listing, Text, days};
use crate::operation::Cx;
use crate::operation::audit::AuditEntry;
use crate::operation::searching::{self, Reach, WantedEntries};
use crate::platform::Platform;

/// Which entries to find. All filters must match.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct EntryFilters {
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
    /// Part of the actor, the operation, the action or the kind of record.
    #[schemars(extend("examples" = [null]))]
    pub q: Option<Text<0, 100>>,
}

shared!(EntryFilters {
    before_id,
    actor,
    operation,
    action,
    subject_kind,
    subject_id,
    from,
    to,
    q
});

impl EntryFilters {
    /// 422 for days in the wrong order.
    fn wanted(self) -> Result<WantedEntries> {
        let (from, until) = days(self.from, self.to)?;
        Ok(WantedEntries {
            before: self.before_id,
            actor: self.actor.map(Text::into_string),
            operation: self.operation.map(Text::into_string),
            action: self.action.map(Text::into_string),
            subject_kind: self.subject_kind.map(Text::into_string),
            subject_id: self.subject_id,
            from,
            until,
            q: self.q.map(Text::into_string),
        })
    }
}

/// The order of entries.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct EntryOrder {
    /// The order of the entries that are looked at (default newest first).
    pub sort: Option<AgeSort>,
}

/// The entries that the command line finds.
pub type NewestEntries = Combined<EntryFilters, HowMany>;

/// How many of the newest entries to find.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct HowMany {
    /// The most entries.
    pub limit: Option<Limit>,
}

/// Finds entries of the audit trail (payloads: *audit-log*). For operators with the permission
/// `reports`; each search is recorded in the audit trail itself. A search looks at the newest
/// 20,000 entries that `from`, `to` and `before_id` leave, or at all about one record. Pages and
/// `total` are of those. If older ones remain, `total_is_exact` is false, and the search continues
/// with `next_before_id` as `before_id`. Pages that follow with `after` show what was there with
/// the first one. 422 for days in the wrong order.
pub async fn list(
    cx: Cx<Operator>,
    input: Followed<Combined<EntryFilters, EntryOrder>>,
) -> Result<Listing<AuditEntry, Reach>> {
    let (Combined { own: EntryOrder { sort }, shared: filters }, place) = cx.place(input)?;
    let wanted = filters.wanted()?;
    let sort = sort.unwrap_or(AgeSort::Newest);
    let mut work = cx.begin_audited_read().await?;
    let found = searching::page(&mut work, &wanted, sort, place).await?;
    work.note(cx.caller.id, "audit_log_read");
    work.finish_read().await?;
    Ok(found)
}

/// The newest entries that match, as many as `limit` allows, however many searches that takes. For
/// the command line, where access to the host is the authorization. 422 for days in the wrong
/// order.
pub async fn newest(platform: &Platform, input: NewestEntries) -> Result<Vec<AuditEntry>> {
    let (HowMany { limit }, filters) = input.parts();
    let (mut wanted, limit) = (filters.wanted()?, limit.unwrap_or_default());
    let most = usize::try_from(limit.get()).unwrap_or(usize::MAX);
    let mut session = platform.db().read().await?;
    let mut entries = Vec::new();
    loop {
        let found = searching::search(&mut session, &wanted, limit).await?;
        entries.extend(found.items);
        wanted.before = found.pagination.next_before_id.and_then(AuditId::new);
        if wanted.before.is_none() || entries.len() >= most {
            entries.truncate(most);
            return Ok(entries);
        }
    }
}
