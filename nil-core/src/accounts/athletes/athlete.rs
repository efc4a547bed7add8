//! The athlete behind an account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::{ClassYear, Gender};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Activity, AgentId, AthleteId, Cents, CollegeId, Date, SportId, Time, UserId};
use crate::storage::FromRow;

vocabulary! {
    /// A social network on which an athlete has followers.
    SocialNetwork {
        /// Instagram.
        Instagram = "instagram",
        /// `TikTok`.
        Tiktok = "tiktok",
        /// `YouTube`.
        Youtube = "youtube",
        /// X.
        X = "x",
        /// Facebook.
        Facebook = "facebook",
        /// Snapchat.
        Snapchat = "snapchat",
        /// `LinkedIn`.
        Linkedin = "linkedin",
        /// Twitch.
        Twitch = "twitch",
        /// Threads.
        Threads = "threads",
    }
}

/// An account an athlete has on a social network.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Social {
    /// The network.
    pub platform: SocialNetwork,
    /// The handle, without `@`.
    pub handle: String,
    /// The number of followers.
    pub followers: i64,
    /// Reactions per follower and post in basis points (425 is 4.25 %).
    pub engagement_rate: Option<i64>,
    /// When the figures were last fetched or entered.
    pub refreshed_at: Time,
}

/// A kind of work an athlete does for brands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AthleteActivity {
    /// The activity.
    pub activity: Activity,
    /// The minimum price; null if the athlete asks for none or hides it.
    pub min_price_cents: Option<Cents>,
    /// Whether other users see the price.
    pub price_shown: bool,
}

/// How complete a profile is, and what is still missing for a deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Readiness {
    /// The completed share of what a deal needs, in whole percent.
    pub percent: i64,
    /// What is missing: `name`, `verified_contact`, `school`, `birth_date`, `sport`,
    /// `guardian_consent` (under 18 only). Empty means ready.
    pub missing: Vec<&'static str>,
}

impl Readiness {
    /// Builds it from the facts a deal needs, each with whether it is present.
    pub(crate) fn of(facts: &[(&'static str, bool)]) -> Self {
        let missing: Vec<_> =
            facts.iter().filter(|(_, there)| !there).map(|(name, _)| *name).collect();
        let there = facts.len().saturating_sub(missing.len());
        let percent = there.saturating_mul(100).checked_div(facts.len());
        Self { percent: percent.and_then(|p| i64::try_from(p).ok()).unwrap_or(100), missing }
    }

    /// Whether nothing is missing for a deal.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.missing.is_empty()
    }
}

/// Whether the user can receive payouts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PayoutState {
    /// `none`, `pending`, `restricted` or `enabled`.
    pub status: String,
}

/// An athlete.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AthleteProfile {
    /// The athlete's id.
    pub id: AthleteId,
    /// The account's id.
    pub user_id: UserId,
    /// The name brands see.
    pub display_name: String,
    /// The sport.
    pub sport_id: Option<SportId>,
    /// The college.
    pub university_id: Option<CollegeId>,
    /// The position played.
    pub position: Option<String>,
    /// Year of study.
    pub class_year: Option<ClassYear>,
    /// The number on the jersey.
    pub jersey_number: Option<String>,
    /// The gender.
    pub gender: Option<Gender>,
    /// The date of birth; null to everyone except the athlete, their agent and their contract
    /// partners.
    pub date_of_birth: Option<Date>,
    /// City of the home town.
    pub hometown_city: Option<String>,
    /// Two-letter state of the home town.
    pub hometown_state: Option<String>,
    /// The athlete's self-description.
    pub bio: Option<String>,
    /// A picture.
    pub photo_url: Option<String>,
    /// Search tags.
    pub tags: Vec<String>,
    /// Accounts on social networks, most followers first.
    pub socials: Vec<Social>,
    /// Activities the athlete does for brands; empty if none was chosen.
    pub activities: Vec<AthleteActivity>,
    /// The minimum payment for a deal.
    pub min_rate_cents: Option<Cents>,
    /// Whether the athlete currently accepts deals.
    pub available: bool,
    /// Whether public directories show the athlete.
    pub listed: bool,
    /// The athlete's name in the public profile's URL.
    pub share_slug: String,
    /// How complete the profile is.
    pub readiness: Readiness,
    /// The agent who represents the athlete.
    pub agent_id: Option<AgentId>,
    /// Whether payouts can be received; null to everyone else.
    pub payout_account: Option<PayoutState>,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl AthleteProfile {
    /// The record without the fields that only the athlete and their contract partners may see.
    #[must_use]
    pub fn for_strangers(mut self) -> Self {
        self.date_of_birth = None;
        self.payout_account = None;
        for activity in &mut self.activities {
            if !activity.price_shown {
                activity.min_price_cents = None;
            }
        }
        self
    }
}

/// Selects an athlete.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichAthlete {
    /// The athlete's id.
    pub athlete_id: AthleteId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readiness_names_what_is_missing() {
        let readiness = Readiness::of(&[("name", true), ("sport", false)]);
        assert_eq!(readiness.percent, 50);
        assert_eq!(readiness.missing, ["sport"]);
    }
}
