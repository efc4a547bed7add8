//! Athletes and brands edit their own records. An input type has only the fields that its caller may change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::registering::athlete::{SocialAccount, check_socials};
use super::store::registration::{Choice, can_be_chosen};
use super::store::{editing as store, profile};
use super::{AthleteProfile, ClassYear, Gender, PartnerProfile};
use crate::auth::{Athlete, Partner};
use crate::content::{FileUse, picturing};
use crate::error::{Error, Result, codes};
use crate::kernel::Activity;
use crate::kernel::{
    BusinessCategoryId, Cents, CollegeId, CompanyName, Edit, FileId, Many, PersonName, SportId,
    Text, Time, WebUrl,
};
use crate::operation::{Cx, Done, Subject, Work};
use crate::people::{ADULT, is_under};
use crate::storage::Session;

/// The highest minimum price an athlete can ask: $1,000,000.
const HIGHEST_PRICE: i64 = 100_000_000;

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
    /// A public picture: one of the athlete's own files.
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

/// The fields to change. Omitted fields keep their values; `null` clears an optional field.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct EditPartner {
    /// The company's name.
    pub company_name: Option<CompanyName<160>>,
    /// What the company does.
    pub business_category_id: Option<BusinessCategoryId>,
    /// Its web site.
    #[serde(default)]
    pub website: Edit<WebUrl>,
    /// Its logo, which is public: one of the caller's own image files.
    #[serde(default)]
    pub logo_file_id: Edit<FileId>,
    /// About the company.
    #[serde(default)]
    pub about: Edit<Text<0, 2_000>>,
    /// City of the head office.
    #[serde(default)]
    pub hq_city: Edit<Text<1, 100>>,
    /// Two-letter state of the head office.
    #[serde(default)]
    pub hq_state: Edit<Text<2, 2>>,
    /// Whether public directories show it.
    pub listed: Option<bool>,
}

/// Changes the calling athlete's own record (contract: `/editAthleteWebsite`). Athletes cannot change their
/// birth date, their legal name or the fields the platform maintains. 409 for another college while a
/// contract is open.
pub async fn edit_athlete(cx: Cx<Athlete>, input: EditAthlete) -> Result<Done<AthleteProfile>> {
    check_athlete(&input)?;
    let mut work = cx.begin().await?;
    let (id, now) = (cx.caller.id, cx.now());
    let held = store::hold_athlete(&mut work, id).await?;
    if input.listed == Some(true) && may_not_be_listed(&held, now) {
        return Err(Error::invalid("listed", "is not possible under 18"));
    }
    check_choices(&mut work, &input).await?;
    let moves = input.university_id.is_some() && input.university_id != held.university_id;
    if moves && store::has_open_contract(&mut work, id).await? {
        let sentence = "The college cannot be changed while a contract is open.";
        return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
    }
    let before = profile::athlete(&mut work, id, now).await?;
    let (whose, place) = (("photo_file_id", cx.caller.user_id), (FileUse::Photo, id.get()));
    let photo = picturing::set(&mut work, whose, &input.photo_file_id, place).await?;
    store::write_athlete(&mut work, id, input, photo, now).await?;
    let after = profile::athlete(&mut work, id, now).await?;
    note_edit(&mut work, id.into(), &before, &after);
    work.done(after).await
}

/// Changes the calling brand's own record (contract: `/editPartnerWebsite`). Only operators change its fee,
/// its plan and its universities.
pub async fn edit_partner(cx: Cx<Partner>, input: EditPartner) -> Result<Done<PartnerProfile>> {
    let mut work = cx.begin().await?;
    let (id, now) = (cx.caller.id, cx.now());
    store::hold_partner(&mut work, id).await?;
    if let Some(category) = input.business_category_id
        && !can_be_chosen(&mut work, Choice::BusinessCategory(category)).await?
    {
        return Err(Error::invalid("business_category_id", "is not a known category"));
    }
    check_state(&mut work, "hq_state", &input.hq_state).await?;
    let before = profile::partner(&mut work, id).await?;
    let (whose, place) = (("logo_file_id", cx.caller.user_id), (FileUse::Logo, id.get()));
    let logo = picturing::set(&mut work, whose, &input.logo_file_id, place).await?;
    store::write_partner(&mut work, id, input, logo, now).await?;
    let after = profile::partner(&mut work, id).await?;
    note_edit(&mut work, id.into(), &before, &after);
    work.done(after).await
}

/// Minors are not listed (model: *athlete*); without a known birth date the athlete may be a minor.
fn may_not_be_listed(held: &store::Held, now: Time) -> bool {
    let born = held.date_of_birth;
    born.is_none_or(|born| is_under(ADULT, born, now.date_naive()))
}

/// The checks that need no database.
fn check_athlete(input: &EditAthlete) -> Result<()> {
    let price = |cents: Cents| (0..=HIGHEST_PRICE).contains(&cents.get());
    let wrong = format!("must be between 0 and {HIGHEST_PRICE}");
    if input.min_rate_cents.value().is_some_and(|cents| !price(*cents)) {
        return Err(Error::invalid("min_rate_cents", wrong));
    }
    let activities = input.activities.as_deref().unwrap_or_default();
    for (at, wanted) in activities.iter().enumerate() {
        if wanted.min_price_cents.is_some_and(|cents| !price(cents)) {
            let field = format!("activities.{at}.min_price_cents");
            return Err(Error::invalid(field, wrong));
        }
        let mut before = activities.iter().take(at);
        if before.any(|other| other.activity == wanted.activity) {
            let field = format!("activities.{at}.activity");
            return Err(Error::invalid(field, "is listed twice"));
        }
    }
    check_socials(input.socials.as_deref().unwrap_or_default())
}

async fn check_choices(session: &mut Session, input: &EditAthlete) -> Result<()> {
    if let Some(sport) = input.sport_id
        && !can_be_chosen(session, Choice::Sport(sport)).await?
    {
        return Err(Error::invalid("sport_id", "is not a known sport"));
    }
    if let Some(college) = input.university_id
        && !can_be_chosen(session, Choice::College(college)).await?
    {
        return Err(Error::invalid("university_id", "is not a known college"));
    }
    check_state(session, "hometown_state", &input.hometown_state).await
}

async fn check_state(
    session: &mut Session,
    field: &'static str,
    state: &Edit<Text<2, 2>>,
) -> Result<()> {
    if let Some(state) = state.value()
        && !can_be_chosen(session, Choice::State(&state.to_uppercase())).await?
    {
        return Err(Error::invalid(field, "must be a two-letter state code"));
    }
    Ok(())
}

/// Adds an audit row with the changed fields before and after the edit.
fn note_edit<T: Serialize>(work: &mut Work, subject: Subject, before: &T, after: &T) {
    let fields = |record: &T| match json!(record) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let (mut was, mut is) = (fields(before), fields(after));
    let same: Vec<String> = was
        .iter()
        .filter(|(name, value)| *name == "updated_at" || is.get(*name) == Some(value))
        .map(|(name, _)| name.clone())
        .collect();
    for name in same {
        was.remove(&name);
        is.remove(&name);
    }
    work.note_change(subject, "edited", Value::Object(was), Value::Object(is));
}
