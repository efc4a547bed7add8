//! An item of an institution's inbox.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::auth::PortalUser;
use crate::figures::DeadlineKind;
use crate::institutions::DealFlag;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, Cents, PortalUserId, SportId, Time};
use crate::storage::FromRow;

vocabulary! {
    /// Why an item is in the inbox.
    InboxGroup {
        /// It is late, or was submitted late and is undecided.
        Late = "late",
        /// It waits for the institution's decision.
        Waiting = "waiting",
        /// It is due and not late yet.
        Due = "due",
    }
}

/// What is late, waits for a decision or is due at an institution.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct InboxItem {
    /// What it is.
    pub kind: DeadlineKind,
    /// The record: a disclosed job, a deliverable, a clearance, a filing.
    pub id: i64,
    /// Why it is in the inbox.
    pub group: InboxGroup,
    /// Its name.
    pub title: String,
    /// The payer, the brand or the agent.
    pub counterparty: Option<String>,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete_name: String,
    /// Their sport.
    pub sport_id: Option<SportId>,
    /// The sport's name.
    pub sport: Option<String>,
    /// The record's state, in the words of its kind.
    pub status: String,
    /// Its flags.
    #[row(skip)]
    pub marks: Vec<DealFlag>,
    /// The stored flags; only disclosed jobs have them.
    #[serde(skip)]
    #[schemars(skip)]
    #[row(json(nullable))]
    pub(super) flags: Option<Vec<DealFlag>>,
    /// Its amount, if it has one.
    pub amount_cents: Option<Cents>,
    /// Since when it waits for the institution; null while it is somebody else's turn.
    pub since: Option<Time>,
    /// The deadline; null if none runs.
    pub due_at: Option<Time>,
    /// The portal user who takes care of it.
    pub assignee_id: Option<PortalUserId>,
    /// Their name.
    pub assignee_name: Option<String>,
    /// Until when it is hidden; null if it is not.
    pub snoozed_until: Option<Time>,
    /// When an officer last reminded somebody of it.
    pub reminded_at: Option<Time>,
}

impl InboxItem {
    /// Sets the values that depend on the current time `now`.
    #[must_use]
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        let late = self.group == InboxGroup::Late;
        let flags = self.flags.take().unwrap_or_else(|| vec![DealFlag::Late]);
        self.marks = DealFlag::shown(flags, late);
        // What is late has come back.
        self.snoozed_until = self.snoozed_until.filter(|until| *until > now && !late);
        self
    }
}

/// How many items there are, beside `pagination`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct InboxBeside {
    /// The numbers of items.
    pub counts: InboxCounts,
}

/// The numbers of the items that the filters leave.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct InboxCounts {
    /// By group.
    pub groups: GroupCounts,
    /// By kind, as if `kinds` were left out.
    pub kinds: KindCounts,
    /// How many are snoozed. They are listed and counted above only if `snoozed` is true.
    pub snoozed: i64,
}

/// The numbers of items by group.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct GroupCounts {
    /// Late.
    pub late: i64,
    /// Waiting for a decision.
    pub waiting: i64,
    /// Due and not late yet.
    pub due: i64,
}

/// The numbers of items by kind.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct KindCounts {
    /// Disclosed jobs.
    pub disclosed_job: i64,
    /// Deliverables.
    pub deliverable: i64,
    /// Clearances.
    pub clearance: i64,
    /// Notices of agency contracts.
    pub agent_notice: i64,
}

/// A number of items that are alike.
#[derive(Clone, Copy, Debug, FromRow)]
pub(super) struct Alike {
    pub(super) group: InboxGroup,
    pub(super) kind: DeadlineKind,
    pub(super) snoozed: bool,
    pub(super) number: i64,
}

impl GroupCounts {
    /// All of them.
    pub(super) fn total(self) -> i64 {
        self.late + self.waiting + self.due
    }
}

impl InboxCounts {
    /// The numbers of all items without a filter by kind, for a list of these kinds (none: all).
    pub(super) fn of(alike: &[Alike], kinds: &[DeadlineKind], with_snoozed: bool) -> Self {
        let mut counts = Self::default();
        for one in alike {
            let is_listed = kinds.is_empty() || kinds.contains(&one.kind);
            if one.snoozed && is_listed {
                counts.snoozed += one.number;
            }
            if one.snoozed && !with_snoozed {
                continue;
            }
            let of_kind = match one.kind {
                DeadlineKind::DisclosedJob => &mut counts.kinds.disclosed_job,
                DeadlineKind::Deliverable => &mut counts.kinds.deliverable,
                DeadlineKind::Clearance => &mut counts.kinds.clearance,
                DeadlineKind::AgentNotice => &mut counts.kinds.agent_notice,
            };
            *of_kind += one.number;
            if is_listed {
                let of_group = match one.group {
                    InboxGroup::Late => &mut counts.groups.late,
                    InboxGroup::Waiting => &mut counts.groups.waiting,
                    InboxGroup::Due => &mut counts.groups.due,
                };
                *of_group += one.number;
            }
        }
        counts
    }
}

/// Whose items: `me`, `nobody`, or the id of a portal user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignedTo {
    /// Those of the caller.
    Me,
    /// Those that nobody takes care of.
    Nobody,
    /// Those of a portal user.
    User(PortalUserId),
}

impl FromStr for AssignedTo {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "me" => Ok(Self::Me),
            "nobody" => Ok(Self::Nobody),
            _ => {
                let id = text.parse().ok().and_then(PortalUserId::new);
                id.map(Self::User).ok_or("must be `me`, `nobody` or the id of a portal user")
            }
        }
    }
}

impl fmt::Display for AssignedTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Me => f.write_str("me"),
            Self::Nobody => f.write_str("nobody"),
            Self::User(id) => id.fmt(f),
        }
    }
}

impl<'de> Deserialize<'de> for AssignedTo {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <Cow<'de, str>>::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for AssignedTo {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl JsonSchema for AssignedTo {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "AssignedTo".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "pattern": "^(me|nobody|[1-9][0-9]{0,18})$", "maxLength": 19,
            "examples": ["me"]
        })
    }
}

/// The request with its defaults filled in.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) caller: PortalUser,
    pub(super) kinds: Vec<DeadlineKind>,
    pub(super) sports: Vec<SportId>,
    pub(super) assigned: Option<AssignedTo>,
    pub(super) until: Time,
    pub(super) snoozed: bool,
    pub(super) now: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_follow_the_list() {
        let alike = |group, kind, snoozed, number| Alike { group, kind, snoozed, number };
        let all = [
            alike(InboxGroup::Late, DeadlineKind::DisclosedJob, false, 2),
            alike(InboxGroup::Due, DeadlineKind::DisclosedJob, true, 3),
            alike(InboxGroup::Due, DeadlineKind::Clearance, false, 5),
            alike(InboxGroup::Waiting, DeadlineKind::AgentNotice, true, 7),
        ];
        let shown = |kinds: &[DeadlineKind], snoozed| {
            let InboxCounts { groups, kinds, snoozed } = InboxCounts::of(&all, kinds, snoozed);
            let groups = [groups.late, groups.waiting, groups.due];
            (groups, [kinds.disclosed_job, kinds.clearance, kinds.agent_notice], snoozed)
        };
        assert_eq!(shown(&[], false), ([2, 0, 5], [2, 5, 0], 10));
        assert_eq!(shown(&[], true), ([2, 7, 8], [5, 5, 7], 10));
        assert_eq!(shown(&[DeadlineKind::DisclosedJob], false), ([2, 0, 0], [2, 5, 0], 3));
    }

    #[test]
    fn whose_items_are_named_by_a_word_or_an_id() {
        for text in ["me", "nobody", "12"] {
            assert_eq!(text.parse::<AssignedTo>().unwrap().to_string(), text);
        }
        for text in ["", "0", "-1", "Me", "anybody", "1.5"] {
            assert!(text.parse::<AssignedTo>().is_err(), "{text}");
        }
    }
}
