//! Announcements and their audience groups.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::audience::Audience;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AnnouncementGroupId, AnnouncementId, Machine, Move, NameSort, Text, Time, ZeroOr,
};
use crate::operation::Revisable;
use crate::storage::FromRow;

vocabulary! {
    /// The status of an announcement.
    AnnouncementStatus {
        /// Visible to operators only.
        Draft = "draft",
        /// It waits for its start.
        Scheduled = "scheduled",
        /// Its audience is notified and can read it.
        Published = "published",
        /// It has ended.
        Ended = "ended",
        /// An operator withdrew it.
        Withdrawn = "withdrawn",
    }
}

/// An event in an announcement's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncementEvent {
    /// It gets a start in the future.
    Schedule,
    /// Its start is removed.
    HoldBack,
    /// Its start has come.
    Publish,
    /// Its end has come.
    End,
    /// An operator withdraws it.
    Withdraw,
}

impl Machine for AnnouncementStatus {
    type Event = AnnouncementEvent;
    const NAME: &'static str = "announcement";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Draft];
    const TERMINAL: &'static [Self] = &[Self::Ended, Self::Withdrawn];
    const MOVES: &'static [Move<Self>] = &[
        // POST /announcement/save
        (Self::Draft, AnnouncementEvent::Schedule, Self::Scheduled),
        (Self::Draft, AnnouncementEvent::Publish, Self::Published),
        (Self::Scheduled, AnnouncementEvent::HoldBack, Self::Draft),
        // …, or the worker at `starts_at`
        (Self::Scheduled, AnnouncementEvent::Publish, Self::Published),
        // The worker at `ends_at`; without a worker until then it was never published
        (Self::Scheduled, AnnouncementEvent::End, Self::Ended),
        (Self::Published, AnnouncementEvent::End, Self::Ended),
        // POST /announcement/save with `withdraw`
        (Self::Draft, AnnouncementEvent::Withdraw, Self::Withdrawn),
        (Self::Scheduled, AnnouncementEvent::Withdraw, Self::Withdrawn),
        (Self::Published, AnnouncementEvent::Withdraw, Self::Withdrawn),
    ];
}

/// An announcement, for operators.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Announcement {
    /// The announcement's id.
    pub id: AnnouncementId,
    /// The headline.
    pub title: String,
    /// The text, sanitised HTML.
    pub body: String,
    /// The audience group; null means everyone.
    pub group_id: Option<AnnouncementGroupId>,
    /// The audience of that group: the current one, or the one at the time of publication.
    pub audience: Audience,
    /// The status.
    pub status: AnnouncementStatus,
    /// When it starts; null for a draft.
    pub starts_at: Option<Time>,
    /// When it ends.
    pub ends_at: Option<Time>,
    /// When it was published.
    pub published_at: Option<Time>,
    /// How many recipients have been notified so far.
    pub told: i64,
    /// When the last of them was notified.
    pub told_at: Option<Time>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// An announcement, as its audience sees it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PublicAnnouncement {
    /// The announcement's id.
    pub id: AnnouncementId,
    /// The headline.
    pub title: String,
    /// The text, sanitised HTML.
    pub body: String,
    /// When it became visible.
    pub starts_at: Time,
    /// When it ends.
    pub ends_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// An audience group for announcements.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AnnouncementGroup {
    /// The group's id.
    pub id: AnnouncementGroupId,
    /// The name, for operators.
    pub name: String,
    /// The members.
    pub audience: Audience,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Revisable for AnnouncementGroup {
    fn content(&self) -> Value {
        json!({ "name": self.name, "audience": self.audience })
    }
}

impl Revisable for Announcement {
    fn content(&self) -> Value {
        json!({
            "title": self.title, "body": self.body, "group_id": self.group_id,
            "status": self.status, "starts_at": self.starts_at, "ends_at": self.ends_at,
        })
    }
}

/// Selects groups.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListGroups {
    /// 0 for all, or the one group's id.
    pub id: ZeroOr<AnnouncementGroupId>,
    /// Part of the name.
    pub q: Option<Text<0, 100>>,
    /// The order (default by name).
    pub sort: Option<NameSort>,
}
