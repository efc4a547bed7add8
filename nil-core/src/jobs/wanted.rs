//! The parts of a job as brands give them, with their defaults.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Activity;
use super::content::tidy;
use super::job::{Eligibility, UsageRights};
use super::words::{MediaKind, MediaPlatform, UsageMedia};
use crate::accounts::{ClassYear, Gender};
use crate::kernel::{CategoryId, Cents, CollegeId, Date, Hashtag, Many, SportId, Text};

/// Who may be hired.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedAthletes {
    /// Sports; none for any.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// Universities; none for any.
    pub university_ids: Option<Many<CollegeId, 0, 500>>,
    /// Genders; none for any.
    pub genders: Option<Many<Gender, 0, 3>>,
    /// Two-letter codes of the states the athlete may study in; none for any.
    pub states: Option<Many<Text<2, 2>, 0, 60>>,
    /// Class years; none for any.
    pub class_years: Option<Many<ClassYear, 0, 5>>,
    /// The least number of followers, over all platforms.
    pub min_followers: Option<i64>,
}

/// What the brand may do with the content.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedRights {
    /// Media (default `organic_social`).
    pub media: Option<Many<UsageMedia, 1, 7>>,
    /// Where: a country's code or a description (default `US`).
    pub territory: Option<Text<1, 100>>,
    /// For how many days (default 90).
    pub days: Option<i64>,
    /// Without an end (default false); then `days` is left out.
    pub perpetual: Option<bool>,
    /// Advertising through the athlete's own account (default false).
    pub allow_listing: Option<bool>,
    /// Editing into new works (default false).
    pub derivative_works: Option<bool>,
    /// Licensing on (default false).
    pub sublicensable: Option<bool>,
}

/// What hired athletes keep free of other brands.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedExclusivity {
    /// The category of jobs.
    pub category_id: CategoryId,
    /// For how many days from the first day of the contract (1 to 3,650).
    pub days: i64,
}

/// One thing asked of each athlete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedMilestone {
    /// What it is called.
    pub title: Text<1, 200>,
    /// What is to be done (default `social_post`).
    pub activity: Option<Activity>,
    /// Where.
    pub platform: MediaPlatform,
    /// In which form.
    pub media_kind: MediaKind,
    /// How many (default 1); they are one deliverable with as many links.
    pub quantity: Option<i64>,
    /// The last day for it.
    pub due_on: Date,
    /// Instructions.
    pub instructions: Option<Text<0, 4000>>,
    /// Tags the post has to carry.
    pub hashtags: Option<Many<Hashtag, 0, 30>>,
    /// Whether the post has to be marked as advertising (default true).
    pub disclosure_required: Option<bool>,
    /// Its part of the job's amount: given for all milestones or for none.
    pub amount_cents: Option<Cents>,
}

/// As it is going to be stored.
pub(super) fn eligibility(wanted: &WantedAthletes) -> Eligibility {
    fn list<T: Clone, const MAX: usize>(given: Option<&Many<T, 0, MAX>>) -> Vec<T> {
        given.map_or_else(Vec::new, |given| given.to_vec())
    }
    Eligibility {
        sport_ids: list(wanted.sport_ids.as_ref()),
        university_ids: list(wanted.university_ids.as_ref()),
        genders: list(wanted.genders.as_ref()),
        states: list(wanted.states.as_ref()).iter().map(|state| state.to_uppercase()).collect(),
        class_years: list(wanted.class_years.as_ref()),
        min_followers: wanted.min_followers,
    }
}

/// As it is going to be stored, with what is usual for what was left out.
pub(super) fn usage_rights(wanted: &WantedRights) -> UsageRights {
    let usual = UsageRights::default();
    let perpetual = wanted.perpetual.unwrap_or(false);
    UsageRights {
        media: wanted.media.as_ref().map_or(usual.media, |media| media.to_vec()),
        territory: wanted.territory.as_deref().map_or(usual.territory, tidy),
        days: wanted.days.or(if perpetual { None } else { usual.days }),
        perpetual,
        allow_listing: wanted.allow_listing.unwrap_or(false),
        derivative_works: wanted.derivative_works.unwrap_or(false),
        sublicensable: wanted.sublicensable.unwrap_or(false),
    }
}
