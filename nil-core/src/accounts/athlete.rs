//! The athlete behind an account.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::kernel::Activity;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, Cents, CollegeId, Date, SportId, Time, UserId};

vocabulary! {
    /// How far an athlete's studies are.
    ClassYear {
        /// First year.
        Freshman = "freshman",
        /// Second year.
        Sophomore = "sophomore",
        /// Third year.
        Junior = "junior",
        /// Fourth year.
        Senior = "senior",
        /// After a first degree.
        Graduate = "graduate",
    }
}

vocabulary! {
    /// A gender, as brands may ask for it and institutions report it.
    Gender {
        /// Female.
        Female = "female",
        /// Male.
        Male = "male",
        /// Neither, or both.
        NonBinary = "non_binary",
    }
}

vocabulary! {
    /// Where an athlete has followers.
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
pub struct Social {
    /// The network.
    pub platform: SocialNetwork,
    /// The name there, without `@`.
    pub handle: String,
    /// How many follow it.
    pub followers: i64,
    /// Reactions per follower and post in basis points (425 is 4.25 %).
    pub engagement_rate: Option<i64>,
    /// When the numbers were last looked up or entered.
    pub refreshed_at: Time,
}

/// Something an athlete does for brands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AthleteActivity {
    /// What it is.
    pub activity: Activity,
    /// The least it should pay; null where none is asked, or where it is hidden.
    pub min_price_cents: Option<Cents>,
    /// Whether others are shown that price.
    pub price_shown: bool,
}

/// How complete a profile is, and what a deal still misses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Readiness {
    /// Whole percent of what a deal needs.
    pub percent: i64,
    /// What is missing: `name`, `verified_contact`, `school`, `birth_date`, `sport`,
    /// `guardian_consent` (under 18 only). Empty means ready.
    pub missing: Vec<&'static str>,
}

impl Readiness {
    /// From the facts a deal needs: each with whether it is there.
    pub(super) fn of(facts: &[(&'static str, bool)]) -> Self {
        let missing: Vec<_> =
            facts.iter().filter(|(_, there)| !there).map(|(name, _)| *name).collect();
        let there = facts.len().saturating_sub(missing.len());
        let percent = there.saturating_mul(100).checked_div(facts.len());
        Self { percent: percent.and_then(|p| i64::try_from(p).ok()).unwrap_or(100), missing }
    }

    /// Whether a deal misses nothing of the athlete.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.missing.is_empty()
    }
}

/// Whether money can reach somebody.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PayoutState {
    /// `none`, `pending`, `restricted` or `enabled`.
    pub status: String,
}

/// An athlete.
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
    /// How far the studies are.
    pub class_year: Option<ClassYear>,
    /// The number on the jersey.
    pub jersey_number: Option<String>,
    /// The gender.
    pub gender: Option<Gender>,
    /// The date of birth; null to everybody but the athlete, their agent and their contract partners.
    pub date_of_birth: Option<Date>,
    /// City of the home town.
    pub hometown_city: Option<String>,
    /// Two-letter state of the home town.
    pub hometown_state: Option<String>,
    /// About the athlete, in their own words.
    pub bio: Option<String>,
    /// A picture.
    pub photo_url: Option<String>,
    /// Words to be found by.
    pub tags: Vec<String>,
    /// Accounts on social networks, most followers first.
    pub socials: Vec<Social>,
    /// What the athlete does for brands. Empty: nothing in particular was chosen.
    pub activities: Vec<AthleteActivity>,
    /// The least a deal should pay.
    pub min_rate_cents: Option<Cents>,
    /// Whether the athlete takes deals at present.
    pub available: bool,
    /// Whether public directories show the athlete.
    pub listed: bool,
    /// The athlete's name in addresses.
    pub share_slug: String,
    /// How complete the profile is.
    pub readiness: Readiness,
    /// The agent who represents the athlete.
    pub agent_id: Option<AgentId>,
    /// Whether payouts can be received; null to everybody else.
    pub payout_account: Option<PayoutState>,
    /// When the record was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl AthleteProfile {
    /// The same without what only the athlete and their contract partners may see.
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

/// Whether somebody born on `born` is younger than `years` on `today`.
#[must_use]
pub(crate) fn is_under(years: u32, born: Date, today: Date) -> bool {
    // Born on 29 February: the birthday of other years is 1 March.
    today.years_since(born).is_none_or(|age| age < years)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn birthdays_end_minority_on_the_day() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let born = day("2008-11-20");
        assert!(is_under(18, born, day("2026-11-19")));
        assert!(!is_under(18, born, day("2026-11-20")));
        let leap = day("2008-02-29");
        assert!(is_under(18, leap, day("2026-02-28")));
        assert!(!is_under(18, leap, day("2026-03-01")));
        assert!(is_under(18, day("2027-01-01"), day("2026-11-20")));
    }

    #[test]
    fn readiness_names_what_is_missing() {
        let readiness = Readiness::of(&[("name", true), ("sport", false)]);
        assert_eq!(readiness.percent, 50);
        assert_eq!(readiness.missing, ["sport"]);
    }
}
