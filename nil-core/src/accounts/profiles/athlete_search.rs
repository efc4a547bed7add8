//! Which athletes a search finds, and in which order.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::accounts::{ClassYear, Gender, SocialNetwork};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Activity, Cents, CollegeId, Many, SportId, Text};

vocabulary! {
    /// The order of athletes.
    AthleteSort {
        /// Best match first; without search words the newest first.
        Relevance = "relevance",
        /// The newest first.
        Newest = "newest",
        /// The oldest first.
        Oldest = "-newest",
        /// By name, A to Z; accented letters sort after Z.
        NameUp = "name",
        /// By name, Z to A.
        NameDown = "-name",
        /// The fewest followers over all networks first.
        FollowersUp = "followers",
        /// The most followers over all networks first.
        FollowersDown = "-followers",
        /// The lowest engagement rate first; each athlete's best account counts.
        EngagementUp = "engagement_rate",
        /// The highest engagement rate first.
        EngagementDown = "-engagement_rate",
    }
}

/// Filters for athletes. All must match; of a list, one match is enough.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SearchAthletes {
    /// The order (default `relevance` with `q`, else `newest`).
    pub sort: Option<AthleteSort>,
    /// Words of the name, sport, position, university, home town, tags, handles or description. All
    /// must match; the last one may be the beginning of a word. Accents and case are ignored.
    pub q: Option<Text<0, 200>>,
    /// Of these sports.
    pub sport_ids: Option<Many<SportId, 1, 100>>,
    /// Of these universities.
    pub university_ids: Option<Many<CollegeId, 1, 100>>,
    /// With a university in one of these conferences (exact names).
    pub conferences: Option<Many<Text<1, 100>, 1, 50>>,
    /// Of these genders.
    pub genders: Option<Many<Gender, 1, 3>>,
    /// In one of these years of study.
    pub class_years: Option<Many<ClassYear, 1, 5>>,
    /// With a university in one of these states (two-letter codes).
    pub states: Option<Many<Text<2, 2>, 1, 60>>,
    /// With at least this many followers over all networks.
    pub min_followers: Option<i64>,
    /// With at most this many followers over all networks.
    pub max_followers: Option<i64>,
    /// With an account on one of these networks.
    pub platforms: Option<Many<SocialNetwork, 1, 9>>,
    /// Who accept this amount: those with a minimum of at most this, or with no minimum.
    pub max_rate_cents: Option<Cents>,
    /// Who currently accept deals, or who do not.
    pub is_available: Option<bool>,
    /// With one of these tags (whole tags; case is ignored).
    pub tags: Option<Many<Text<1, 40>, 1, 20>>,
    /// Who have opted in to one of these activities.
    pub activities: Option<Many<Activity, 1, 20>>,
    /// Whether `total` must be exact up to 10,000. Without it, counting stops at most 100 records
    /// behind the page.
    pub exact_total: Option<bool>,
}
