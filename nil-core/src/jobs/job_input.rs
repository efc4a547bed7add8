//! The parts of a job as brands send them, with their defaults.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Activity;
use super::content::tidy;
use super::job::{Eligibility, UsageRights};
use super::words::{MediaKind, MediaPlatform, UsageMedia};
use crate::accounts::{ClassYear, Gender};
use crate::kernel::{CategoryId, Cents, CollegeId, Date, Hashtag, Many, SportId, Text, Title};

/// The conditions for being hired.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedAthletes {
    /// Sports; all if left out.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// Universities; all if left out.
    pub university_ids: Option<Many<CollegeId, 0, 500>>,
    /// Genders; all if left out.
    pub genders: Option<Many<Gender, 0, 3>>,
    /// Two-letter codes of the states the athlete may study in; all if left out.
    pub states: Option<Many<Text<2, 2>, 0, 60>>,
    /// Class years; all if left out.
    pub class_years: Option<Many<ClassYear, 0, 5>>,
    /// The minimum number of followers, over all platforms.
    pub min_followers: Option<i64>,
}

/// The brand's rights to use the content.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedRights {
    /// Media (default `organic_social`).
    pub media: Option<Many<UsageMedia, 1, 7>>,
    /// The territory: a country's code or a description (default `US`).
    pub territory: Option<Text<1, 100>>,
    /// The number of days (default 90).
    pub days: Option<i64>,
    /// Whether the right never ends (default false); then leave out `days`.
    #[schemars(extend("examples" = [false]))]
    pub perpetual: Option<bool>,
    /// Advertising through the athlete's own account (default false).
    pub allow_listing: Option<bool>,
    /// Editing into new works (default false).
    pub derivative_works: Option<bool>,
    /// Sublicensing (default false).
    pub sublicensable: Option<bool>,
}

/// The exclusivity that hired athletes grant.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedExclusivity {
    /// The category of jobs.
    pub category_id: CategoryId,
    /// The number of days from the first day of the contract (1 to 3,650).
    pub days: i64,
}

/// One piece of work asked of each athlete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedMilestone {
    /// Its title.
    pub title: Title<200>,
    /// The kind of work (default `social_post`).
    pub activity: Option<Activity>,
    /// The platform.
    pub platform: MediaPlatform,
    /// The form.
    pub media_kind: MediaKind,
    /// The number of pieces (default 1); they are one deliverable with as many links.
    pub quantity: Option<i64>,
    /// The last day for it.
    pub due_on: Date,
    /// Instructions.
    pub instructions: Option<Text<0, 4000>>,
    /// Hashtags that the post must contain.
    pub hashtags: Option<Many<Hashtag, 0, 30>>,
    /// Whether the post must be marked as advertising (default true).
    pub disclosure_required: Option<bool>,
    /// Its share of the job's amount: set for all milestones or for none.
    pub amount_cents: Option<Cents>,
}

/// The form in which it is stored.
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

/// The form in which it is stored, with defaults for fields left out.
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
