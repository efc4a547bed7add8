//! Officers assign items of the inbox, hide them for a time, and remind those whose turn it is.
//!
//! Each operation takes one or many items, and reports for each what became of it.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::item::InboxGroup;
use super::item_ref::{HandledItems, InboxRef, InboxRefs, InboxRefusal};
use super::reminding;
use super::store::handled::{self as store, Held};
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::{PortalUserId, Time};
use crate::operation::{Cx, Done, Work};

/// For how long an item can be hidden.
const LONGEST: TimeDelta = TimeDelta::days(30);
/// How long after a reminder the next one is sent.
const BETWEEN_REMINDERS: TimeDelta = TimeDelta::hours(24);

/// The items to assign.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AssignItems {
    /// The items, each once.
    pub items: InboxRefs,
    /// The portal user who takes care of them, an active officer or owner; left out or null for
    /// nobody.
    pub assignee_id: Option<PortalUserId>,
}

/// The items to hide for a time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SnoozeItems {
    /// The items, each once.
    pub items: InboxRefs,
    /// Until when, at most 30 days from now; left out or null to show them again.
    #[schemars(extend("examples" = [null]))]
    pub until: Option<Time>,
}

/// The items to remind of.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RemindItems {
    /// The items, each once.
    pub items: InboxRefs,
}

/// The items that were found, by their names.
type Found = BTreeMap<InboxRef, Held>;

/// Says who takes care of items of the inbox. 404 for a portal user of another institution, 422 for
/// one who may not decide; the answer says for each item whether it was done.
pub async fn assign(cx: Cx<PortalUser>, input: AssignItems) -> Result<Done<HandledItems>> {
    once(&input.items)?;
    let mut work = cx.begin().await?;
    let college = cx.caller.college_id;
    let assignee = match input.assignee_id {
        Some(id) => Some(store::colleague(&mut work, college, id).await?),
        None => None,
    };
    if assignee.as_ref().is_some_and(|assignee| !assignee.may_decide()) {
        return Err(Error::invalid("assignee_id", "must be an active officer or owner"));
    }
    let found = store::held(&mut work, &cx.caller, &input.items, cx.now()).await?;
    let refusal = |held: &Held| {
        let sees = assignee.as_ref().is_none_or(|assignee| assignee.sees(held.sport_id));
        (!sees).then_some(InboxRefusal::OtherSport)
    };
    let (lines, taken) = sorted_out(&input.items, &found, refusal);
    store::assign(&mut work, college, (&taken, input.assignee_id), cx.now()).await?;
    for item in taken {
        let before = found.get(&item).and_then(|held| held.assigned_to);
        let (before, after) =
            (json!({ "assignee_id": before }), json!({ "assignee_id": input.assignee_id }));
        note(&mut work, item, "assigned", (before, after));
    }
    work.done(HandledItems::of(lines)).await
}

/// Hides items of the inbox until an instant, or shows them again. An item that is late is not
/// hidden, and one that becomes late comes back. 422 for an instant that is over or more than 30
/// days ahead; the answer says for each item whether it was done.
pub async fn snooze(cx: Cx<PortalUser>, input: SnoozeItems) -> Result<Done<HandledItems>> {
    once(&input.items)?;
    let now = cx.now();
    if input.until.is_some_and(|until| until <= now || until > now + LONGEST) {
        return Err(Error::invalid("until", "must be within the next 30 days"));
    }
    let mut work = cx.begin().await?;
    let found = store::held(&mut work, &cx.caller, &input.items, now).await?;
    let refusal = |held: &Held| {
        let hides = input.until.is_some() && held.group == InboxGroup::Late;
        hides.then_some(InboxRefusal::Late)
    };
    let (lines, taken) = sorted_out(&input.items, &found, refusal);
    store::snooze(&mut work, cx.caller.college_id, (&taken, input.until), now).await?;
    for item in taken {
        let before = found.get(&item).and_then(|held| held.snoozed_until);
        let change = (json!({ "snoozed_until": before }), json!({ "snoozed_until": input.until }));
        note(&mut work, item, "snoozed", change);
    }
    work.done(HandledItems::of(lines)).await
}

/// Reminds those whose turn it is: the athlete and their agent, the agent or the athlete whose
/// notice is missing, the brand that is asked to attest. Of each item at most once within 24 hours;
/// the answer says for each item whether it was done.
pub async fn remind(cx: Cx<PortalUser>, input: RemindItems) -> Result<Done<HandledItems>> {
    once(&input.items)?;
    let now = cx.now();
    let mut work = cx.begin().await?;
    let found = store::held(&mut work, &cx.caller, &input.items, now).await?;
    let readers = reminding::readers(&mut work, found.values()).await?;
    let college = store::school(&mut work, cx.caller.college_id).await?;
    let mut refusals = BTreeMap::new();
    // In this order: two officers who remind of the same items wait for each other's rows.
    for (item, held) in &found {
        let told = readers.get(item).map_or(&[][..], Vec::as_slice);
        let refusal = if held.waits_for_institution() {
            Some(InboxRefusal::WaitsForInstitution)
        } else if told.is_empty() {
            Some(InboxRefusal::NobodyToRemind)
        } else {
            let since = now - BETWEEN_REMINDERS;
            let is_first =
                store::mark_reminded(&mut work, cx.caller.college_id, *item, (since, now)).await?;
            (!is_first).then_some(InboxRefusal::RemindedAlready)
        };
        if refusal.is_none() {
            reminding::tell(&mut work, &college, held, told);
            note(&mut work, *item, "reminded", (Value::Null, json!({ "readers": told.len() })));
        }
        refusals.insert(*item, refusal);
    }
    let missing = Some(InboxRefusal::NotInInbox);
    let line = |item: &InboxRef| (*item, refusals.get(item).copied().unwrap_or(missing));
    let handled = HandledItems::of(input.items.iter().map(line));
    work.done(handled).await
}

/// 422 naming an item that stands there twice.
fn once(items: &InboxRefs) -> Result<()> {
    for (place, item) in items.iter().enumerate() {
        if items.iter().take(place).any(|before| before == item) {
            return Err(Error::invalid(format!("items.{place}"), "is named twice"));
        }
    }
    Ok(())
}

/// Each item with its refusal, and those without one.
fn sorted_out(
    items: &InboxRefs,
    found: &Found,
    refusal: impl Fn(&Held) -> Option<InboxRefusal>,
) -> (Vec<(InboxRef, Option<InboxRefusal>)>, Vec<InboxRef>) {
    let line =
        |item: &InboxRef| (*item, found.get(item).map_or(Some(InboxRefusal::NotInInbox), &refusal));
    let lines: Vec<_> = items.iter().map(line).collect();
    let mut taken: Vec<InboxRef> =
        lines.iter().filter(|(_, refusal)| refusal.is_none()).map(|(item, _)| *item).collect();
    // Rows are locked in one order.
    taken.sort_unstable();
    (lines, taken)
}

fn note(work: &mut Work, item: InboxRef, action: &'static str, change: (Value, Value)) {
    if let Some(subject) = item.subject() {
        work.note_change(subject, action, change.0, change.1);
    }
}
