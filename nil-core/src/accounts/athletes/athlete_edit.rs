//! What athletes change of their own records, and operators for them.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::accounts::{ClassYear, Gender, SocialNetwork};
use crate::error::Wrong;
use crate::kernel::{Activity, Cents, CollegeId, Edit, FileId, Many, PersonName, SportId, Text};

/// An activity the athlete opts in to.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedActivity {
    /// The activity.
    pub activity: Activity,
    /// The minimum price (0 to 100,000,000).
    pub min_price_cents: Option<Cents>,
    /// Whether other users see the price (default false).
    pub price_shown: Option<bool>,
}

/// The fields to change. Omitted fields keep their values; `null` clears an optional field.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct EditAthlete {
    /// The name brands see.
    pub display_name: Option<PersonName<160>>,
    /// The sport.
    pub sport_id: Option<SportId>,
    /// The college; it cannot be changed while a contract is open.
    pub university_id: Option<CollegeId>,
    /// The position played.
    #[serde(default)]
    pub position: Edit<Text<1, 60>>,
    /// Year of study.
    #[serde(default)]
    pub class_year: Edit<ClassYear>,
    /// The number on the jersey.
    #[serde(default)]
    pub jersey_number: Edit<Text<1, 5>>,
    /// The gender.
    #[serde(default)]
    pub gender: Edit<Gender>,
    /// City of the home town.
    #[serde(default)]
    pub hometown_city: Edit<Text<1, 100>>,
    /// Two-letter state of the home town.
    #[serde(default)]
    pub hometown_state: Edit<Text<2, 2>>,
    /// A public picture: one of the athlete's own files. It is shown as a copy of at most 1024 by
    /// 1024 pixels without metadata.
    #[serde(default)]
    pub photo_file_id: Edit<FileId>,
    /// The athlete's self-description.
    #[serde(default)]
    pub bio: Edit<Text<0, 2_000>>,
    /// Search tags; they replace the current ones and are stored in lower case.
    pub tags: Option<Many<Text<1, 40>, 0, 20>>,
    /// Accounts on social networks, one per network; they replace the current ones.
    pub socials: Option<Many<SocialAccount, 0, 20>>,
    /// Activities the athlete does for brands, each listed once; they replace the current ones.
    pub activities: Option<Many<WantedActivity, 0, 20>>,
    /// The minimum payment for a deal (0 to 100,000,000).
    #[serde(default)]
    pub min_rate_cents: Edit<Cents>,
    /// Whether the athlete currently accepts deals.
    pub available: Option<bool>,
    /// Whether public directories show the athlete; not possible under 18.
    pub listed: Option<bool>,
}

/// An account on a social network.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SocialAccount {
    /// The network.
    pub platform: SocialNetwork,
    /// The handle, with or without `@`.
    pub handle: Text<1, 100>,
    /// The number of followers (0 to 10,000,000,000).
    pub followers: Option<i64>,
    /// Reactions per follower and post in basis points (0 to 10,000).
    pub engagement_rate: Option<i64>,
}

/// Adds what is wrong about accounts on networks: numbers out of range, and a network that is
/// listed twice.
pub(in crate::accounts) fn check_socials(socials: &[SocialAccount], wrong: &mut Wrong) {
    for (at, social) in socials.iter().enumerate() {
        let mut add =
            |field: &str, message: &str| wrong.add(format!("socials.{at}.{field}"), message);
        if social.followers.is_some_and(|n| !(0..=10_000_000_000).contains(&n)) {
            add("followers", "must be between 0 and 10000000000");
        }
        if social.engagement_rate.is_some_and(|rate| !(0..=10_000).contains(&rate)) {
            add("engagement_rate", "must be between 0 and 10000");
        }
        let mut before = socials.iter().take(at);
        if before.any(|other| other.platform == social.platform) {
            add("platform", "is listed twice");
        }
    }
}
