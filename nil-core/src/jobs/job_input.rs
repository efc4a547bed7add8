//! The parts of a job as brands send them, with their defaults.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Activity;
use super::deadline::Deadline;
use super::job::{Eligibility, UsageRights};
use super::words::{Compensation, JobKind, MediaKind, MediaPlatform, UsageMedia, Visibility};
use crate::accounts::{ClassYear, Gender};
use crate::kernel::{
    Amount, BasisPoints, CategoryId, Cents, CollegeId, Date, Hashtag, JobId, Many, Revision,
    SportId, Text, Title,
};

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

/// A job to post (without `id`) or to change; fields left out of a change stay as they are.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveJob {
    /// The job to change; leave out to post a new one.
    #[schemars(extend("examples" = [null]))]
    pub id: Option<JobId>,
    /// The revision that the caller has seen; 409 `state_changed` if the job has another one.
    pub revision: Option<Revision>,
    /// Its title (required for a new job).
    pub title: Option<Title<200>>,
    /// Its description (required for a new job).
    pub description: Option<Text<1, 10000>>,
    /// The category of jobs (required for a new job).
    pub category_id: Option<CategoryId>,
    /// The kind of engagement (default `one_time`).
    pub kind: Option<JobKind>,
    /// The kind of compensation (required for a new job).
    pub compensation: Option<Compensation>,
    /// The cash for each athlete; required for `cash` and `mixed`.
    pub amount_cents: Option<Cents>,
    /// The goods or services; required for `product`, `service` and `mixed`.
    pub product_description: Option<Text<1, 2000>>,
    /// Their fair value, or the maximum of a royalty or commission; required except for `cash`.
    pub product_value_cents: Option<Amount>,
    /// The share of sales; required for `royalty` and `commission`.
    pub commission_basis_points: Option<BasisPoints>,
    /// The number of athletes to hire (required for a new job).
    pub slots: Option<i64>,
    /// The application deadline.
    #[schemars(extend("examples" = ["2027-03-01T18:00:00Z"]))]
    pub application_deadline: Option<Deadline>,
    /// The first day of the term.
    pub starts_on: Option<Date>,
    /// The last day of the term.
    pub ends_on: Option<Date>,
    /// The conditions for being hired (default: none).
    pub eligibility: Option<WantedAthletes>,
    /// The brand's rights to use the content (default: organic social media, US, 90 days).
    pub usage_rights: Option<WantedRights>,
    /// The exclusivity that hired athletes grant (default: none).
    pub exclusivity: Option<WantedExclusivity>,
    /// Its visibility (default `public`).
    pub visibility: Option<Visibility>,
    /// The brand's purpose (required for a new job).
    pub business_purpose: Option<Text<1, 1000>>,
    /// The work asked of each athlete (required for a new job); a change replaces all of it.
    pub milestones: Option<Many<WantedMilestone, 1, 50>>,
    /// Whether it stays a draft (default false).
    pub draft: Option<bool>,
}

pub(super) fn tidy(text: &str) -> String {
    text.trim().to_owned()
}
