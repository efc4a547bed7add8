//! A roster, as operators and as the public see it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, Interface, RosterId, Time};
use crate::operation::Revisable;
use crate::platform::Platform;

/// The maximum number of athletes on a roster: more than any team has, and small enough for one
/// response.
pub(super) const MOST: usize = 300;

vocabulary! {
    /// Whether everyone can see a roster.
    RosterStatus {
        /// Everyone can.
        Published = "published",
        /// Only operators can.
        Draft = "draft",
    }
}

vocabulary! {
    /// What can own a roster.
    RosterOwnerKind {
        /// A college: the roster is one of its teams.
        College = "college",
        /// A brand: the roster is a collective or its advertisers.
        Partner = "partner",
    }
}

/// The owner of a roster. It is shown with the roster and has no rights: operators manage rosters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct NamedOwner {
    /// The kind of owner.
    pub kind: RosterOwnerKind,
    /// The id of the college or of the partner.
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// An athlete's place on a roster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RosterAthlete {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The name they are known by.
    pub display_name: String,
    /// Whether the public sees them: the account is active and listed.
    pub shown: bool,
}

/// A roster, for operators.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Roster {
    /// The roster's id.
    pub id: RosterId,
    /// The title.
    pub title: String,
    /// The URL name.
    pub slug: String,
    /// The absolute URL of the public page.
    pub url: String,
    /// The owner; null if there is none.
    pub owner: Option<NamedOwner>,
    /// Whether everyone can see it.
    pub status: RosterStatus,
    /// How many athletes are on it, shown or not.
    pub athlete_count: i64,
    /// The athletes in their order; null in lists of rosters.
    pub athletes: Option<Vec<RosterAthlete>>,
    /// When it was published; null while it is a draft.
    pub published_at: Option<Time>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Revisable for Roster {
    /// What a save changes; who is on it and whether it is published have operations of their own.
    fn content(&self) -> Value {
        let owner = self.owner.as_ref().map(|owner| (owner.kind, owner.id));
        json!({ "title": self.title, "slug": self.slug, "owner": owner })
    }
}

/// A published roster, as everyone sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PublicRoster {
    /// The roster's id.
    pub id: RosterId,
    /// The title.
    pub title: String,
    /// The URL name.
    pub slug: String,
    /// The absolute URL.
    pub url: String,
    /// The owner; null if there is none, or a brand that is not listed.
    pub owner: Option<NamedOwner>,
    /// The number of visible athletes.
    pub athlete_count: i64,
    /// When it was published.
    pub published_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// The public URL of the roster with this name.
pub(super) fn url(platform: &Platform, slug: &str) -> String {
    let server = platform.config().public_url.trim_end_matches('/');
    format!("{server}{}/roster/{slug}", Interface::Core.base())
}

vocabulary! {
    /// The order of rosters.
    RosterSort {
        /// Oldest first.
        Oldest = "created_at",
        /// Newest first.
        Newest = "-created_at",
        /// By title, A to Z.
        TitleUp = "title",
        /// By title, Z to A.
        TitleDown = "-title",
    }
}
