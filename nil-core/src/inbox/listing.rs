//! Officers read their institution's inbox.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::item::{AssignedTo, InboxBeside, InboxCounts, InboxItem, Wanted};
use super::store::listed as store;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::figures::{DeadlineKind, deadlines};
use crate::kernel::{Date, Followed, Listing, Many, SportId};
use crate::operation::Cx;

/// Filters for the inbox.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListInbox {
    /// Only of these kinds.
    pub kinds: Option<Many<DeadlineKind, 0, 4>>,
    /// Only of athletes of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// Only those assigned to the caller (`me`), to `nobody`, or to the portal user with this id.
    pub assigned: Option<AssignedTo>,
    /// The last day on which they are due, at the institution (default: two weeks from today). What
    /// is late or waits for a decision is always included.
    pub to: Option<Date>,
    /// Whether snoozed items are included (default false). What is late is never hidden.
    pub snoozed: Option<bool>,
}

/// Lists what is late at the institution, what waits for its decision, and what is due soon, with
/// the numbers of each: the late ones first, each group in the order of time. Callers limited to
/// certain sports see only those.
pub async fn list(
    cx: Cx<PortalUser>,
    input: Followed<ListInbox>,
) -> Result<Listing<InboxItem, InboxBeside>> {
    let (input, place) = cx.place(input)?;
    let now = cx.now();
    let mut session = cx.read().await?;
    let until = deadlines::until(&mut session, cx.caller.college_id, input.to, now).await?;
    let wanted = Wanted {
        caller: cx.caller.clone(),
        kinds: Many::or_none(input.kinds),
        sports: Many::or_none(input.sport_ids),
        assigned: input.assigned,
        until,
        snoozed: input.snoozed.unwrap_or(false),
        now,
    };
    let alike = store::alike(&mut session, &wanted).await?;
    let counts = InboxCounts::of(&alike, &wanted.kinds, wanted.snoozed);
    let page = store::page(&mut session, &wanted, counts.groups.total(), place).await?;
    Ok(page.map(|item| item.seen_at(now)).with(InboxBeside { counts }))
}
