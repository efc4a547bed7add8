//! An announcement and the groups it can be for.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::audience::Audience;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AnnouncementGroupId, AnnouncementId, Machine, Move, Time};

vocabulary! {
    /// Where an announcement stands.
    AnnouncementStatus {
        /// Only operators see it.
        Draft = "draft",
        /// It waits for its beginning.
        Scheduled = "scheduled",
        /// Its audience is told of it and sees it.
        Published = "published",
        /// Its time is over.
        Ended = "ended",
        /// An operator has taken it back.
        Withdrawn = "withdrawn",
    }
}

/// What can happen to an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncementEvent {
    /// It gets a beginning that lies ahead.
    Schedule,
    /// Its beginning is taken away again.
    HoldBack,
    /// Its beginning has come.
    Publish,
    /// Its end has come.
    End,
    /// An operator takes it back.
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
        // The worker at `ends_at`; where none worked in time it was never published
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
pub struct Announcement {
    /// Its id.
    pub id: AnnouncementId,
    /// What stands above it.
    pub title: String,
    /// The text, sanitised HTML.
    pub body: String,
    /// The group it is for; null: everybody.
    pub group_id: Option<AnnouncementGroupId>,
    /// Whom that group means: now, or, once it was published, at that instant.
    pub audience: Audience,
    /// Where it stands.
    pub status: AnnouncementStatus,
    /// When it begins; null for a draft.
    pub starts_at: Option<Time>,
    /// When it ends.
    pub ends_at: Option<Time>,
    /// When it was published.
    pub published_at: Option<Time>,
    /// How many have been told so far.
    pub told: i64,
    /// When the last of them was.
    pub told_at: Option<Time>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// An announcement, as its audience sees it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct PublicAnnouncement {
    /// Its id.
    pub id: AnnouncementId,
    /// What stands above it.
    pub title: String,
    /// The text, sanitised HTML.
    pub body: String,
    /// Since when it can be seen.
    pub starts_at: Time,
    /// Until when.
    pub ends_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// A group that announcements can be for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AnnouncementGroup {
    /// Its id.
    pub id: AnnouncementGroupId,
    /// What operators call it.
    pub name: String,
    /// Who belongs to it.
    pub audience: Audience,
    /// When it was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn laws() {
        assert_laws::<AnnouncementStatus>();
    }
}
