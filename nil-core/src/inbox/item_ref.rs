//! Names of items of the inbox, and what became of them in an operation on several.

use std::borrow::Cow;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::figures::DeadlineKind;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ClearanceId, DeliverableId, DisclosedJobId, FilingId, Identity as _, Many};
use crate::operation::Subject;

/// An item of the inbox by its kind and the record's id, such as `disclosed_job:282`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InboxRef {
    /// What it is.
    pub kind: DeadlineKind,
    /// The record.
    pub id: i64,
}

/// The items that an operation is about.
pub type InboxRefs = Many<InboxRef, 1, 100>;

impl InboxRef {
    /// The record in the audit trail.
    pub(super) fn subject(self) -> Option<Subject> {
        match self.kind {
            DeadlineKind::DisclosedJob => DisclosedJobId::numbered(self.id).map(Subject::from),
            DeadlineKind::Deliverable => DeliverableId::numbered(self.id).map(Subject::from),
            DeadlineKind::Clearance => ClearanceId::numbered(self.id).map(Subject::from),
            DeadlineKind::AgentNotice => FilingId::numbered(self.id).map(Subject::from),
        }
    }
}

impl FromStr for InboxRef {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once(':').and_then(|(kind, id)| {
            let id = id.parse().ok().filter(|id| *id >= 1)?;
            Some(Self { kind: kind.parse().ok()?, id })
        });
        parts.ok_or("must be a kind and an id, such as `disclosed_job:282`")
    }
}

impl<'de> Deserialize<'de> for InboxRef {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <Cow<'de, str>>::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for InboxRef {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "InboxRef".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<&str> = DeadlineKind::ALL.iter().map(|kind| kind.as_str()).collect();
        json_schema!({
            "type": "string", "pattern": format!("^({}):[1-9][0-9]{{0,18}}$", kinds.join("|")),
            "maxLength": 40, "examples": ["disclosed_job:1"]
        })
    }
}

vocabulary! {
    /// Why nothing was done about an item.
    InboxRefusal {
        /// It is not in the institution's inbox, or not one that the caller may see.
        NotInInbox = "not_in_inbox",
        /// The portal user may not see the athlete's sport.
        OtherSport = "other_sport",
        /// It is late: such an item is never hidden.
        Late = "late",
        /// It waits for the institution itself.
        WaitsForInstitution = "waits_for_institution",
        /// Nobody whose turn it is has an active account.
        NobodyToRemind = "nobody_to_remind",
        /// Somebody was reminded of it within the last 24 hours.
        RemindedAlready = "reminded_already",
    }
}

/// What became of an item.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct HandledItem {
    /// What it is.
    pub kind: DeadlineKind,
    /// The record.
    pub id: i64,
    /// Whether it was done.
    pub done: bool,
    /// Why not; null if it was done.
    pub refusal: Option<InboxRefusal>,
}

/// What became of each item.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct HandledItems {
    /// For how many it was done.
    pub done: i64,
    /// For how many it was not.
    pub refused: i64,
    /// One line for each item, in the order of the request.
    pub items: Vec<HandledItem>,
}

impl HandledItems {
    /// The lines of these items, with the refusal of each.
    pub(super) fn of(lines: impl IntoIterator<Item = (InboxRef, Option<InboxRefusal>)>) -> Self {
        let mut all = Self { done: 0, refused: 0, items: Vec::new() };
        for (InboxRef { kind, id }, refusal) in lines {
            let done = refusal.is_none();
            let count = if done { &mut all.done } else { &mut all.refused };
            *count += 1;
            all.items.push(HandledItem { kind, id, done, refusal });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_named_by_kind_and_id() {
        let item: InboxRef = "clearance:7".parse().unwrap();
        assert_eq!(item, InboxRef { kind: DeadlineKind::Clearance, id: 7 });
        let subject = item.subject().unwrap();
        assert_eq!((subject.kind, subject.id), ("clearance", 7));
        for text in ["", "clearance", "clearance:", "clearance:0", "contract:7", "clearance:7:1"] {
            assert!(text.parse::<InboxRef>().is_err(), "{text}");
        }
    }
}
