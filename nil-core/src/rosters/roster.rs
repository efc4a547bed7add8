//! A roster, as operators and as everybody see it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, Interface, RosterId, Time};
use crate::platform::Platform;

/// How many athletes a roster holds: more than any team has, and still one answer.
pub(super) const MOST: usize = 300;

vocabulary! {
    /// Whether everybody can see a roster.
    RosterStatus {
        /// Everybody can.
        Published = "published",
        /// Only operators can.
        Draft = "draft",
    }
}

vocabulary! {
    /// What a roster can belong to.
    RosterOwnerKind {
        /// A college: one of its teams.
        College = "college",
        /// A brand: a collective, those who advertise for it.
        Partner = "partner",
    }
}

/// Whose list it is. That is said beside it and gives no rights: operators keep rosters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RosterOwner {
    /// What it is.
    pub kind: RosterOwnerKind,
    /// The id of the college or of the partner.
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// An athlete's place on a roster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RosterAthlete {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The name they are known by.
    pub display_name: String,
    /// Whether everybody is shown them: the account is in use and listed.
    pub shown: bool,
}

/// A roster, for operators.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Roster {
    /// Its id.
    pub id: RosterId,
    /// What stands above it.
    pub title: String,
    /// Its name in addresses.
    pub slug: String,
    /// The absolute address at which everybody sees it, once it is published.
    pub url: String,
    /// Whose list it is; null where it is nobody's.
    pub owner: Option<RosterOwner>,
    /// Whether everybody can see it.
    pub status: RosterStatus,
    /// How many athletes are on it, shown or not.
    pub athlete_count: i64,
    /// They in their order; null in a list of several rosters.
    pub athletes: Option<Vec<RosterAthlete>>,
    /// Since when everybody can see it; null while it is kept back.
    pub published_at: Option<Time>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// A published roster, as everybody sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PublicRoster {
    /// Its id.
    pub id: RosterId,
    /// What stands above it.
    pub title: String,
    /// Its name in addresses.
    pub slug: String,
    /// The absolute address of it.
    pub url: String,
    /// Whose list it is; null where it is nobody's, or a brand's that is not listed.
    pub owner: Option<RosterOwner>,
    /// How many of its athletes are shown.
    pub athlete_count: i64,
    /// Since when everybody can see it.
    pub published_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// Where everybody sees the roster of this name.
pub(super) fn url(platform: &Platform, slug: &str) -> String {
    let server = platform.config().public_url.trim_end_matches('/');
    format!("{server}{}/roster/{slug}", Interface::Core.base())
}
