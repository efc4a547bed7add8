//! Athletes and brands edit their own records. An input names every field that its caller owns;
//! whatever else is sent has nowhere to go.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::athlete::is_under;
use super::registering::athlete::{SocialAccount, check_socials};
use super::store::registration::{Choice, can_be_chosen};
use super::store::{editing as store, profile};
use super::{AthleteProfile, ClassYear, Gender, PartnerProfile};
use crate::auth::{Athlete, Partner};
use crate::content::{FileUse, picturing};
use crate::error::{Error, Result, codes};
use crate::jobs::Activity;
use crate::kernel::{
    BusinessCategoryId, Cents, CollegeId, CompanyName, Edit, FileId, Many, PersonName, SportId,
    Text, Time, WebUrl,
};
use crate::operation::{Cx, Done, Subject, Work};
use crate::storage::Session;

/// The most that can be asked for a deal: a million dollars.
const HIGHEST_PRICE: i64 = 100_000_000;

/// An activity the athlete opts in to.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedActivity {
    /// What it is.
    pub activity: Activity,
    /// The least it should pay (0 to 100,000,000).
    pub min_price_cents: Option<Cents>,
    /// Whether others are shown that price (default false).
    pub price_shown: Option<bool>,
}

/// What is to change. What is left out stays; `null` empties a field that may be empty.
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
    /// How far the studies are.
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
    /// A picture that everybody may see: a file of the athlete's own.
    #[serde(default)]
    pub photo_file_id: Edit<FileId>,
    /// About the athlete, in their own words.
    #[serde(default)]
    pub bio: Edit<Text<0, 2_000>>,
    /// Words to be found by, instead of those there are; kept in small letters.
    pub tags: Option<Many<Text<1, 40>, 0, 20>>,
    /// Accounts on social networks, one for each, instead of those there are.
    pub socials: Option<Many<SocialAccount, 0, 20>>,
    /// What the athlete does for brands, each once, instead of what there is.
    pub activities: Option<Many<WantedActivity, 0, 20>>,
    /// The least a deal should pay (0 to 100,000,000).
    #[serde(default)]
    pub min_rate_cents: Edit<Cents>,
    /// Whether the athlete takes deals at present.
    pub available: Option<bool>,
    /// Whether public directories show the athlete; not possible under 18.
    pub listed: Option<bool>,
}

/// What is to change. What is left out stays; `null` empties a field that may be empty.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct EditPartner {
    /// The company's name.
    pub company_name: Option<CompanyName<160>>,
    /// What the company does.
    pub business_category_id: Option<BusinessCategoryId>,
    /// Its web site.
    #[serde(default)]
    pub website: Edit<WebUrl>,
    /// Its logo, which everybody may see: a picture among the caller's own files.
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

/// Changes the calling athlete's own record (contract: `/editAthleteWebsite`). The birth date, the
/// legal name and whatever the platform keeps are not the athlete's to change. 409 for another college
/// while a contract is open.
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

/// Changes the calling brand's own record (contract: `/editPartnerWebsite`). Its fee, its plan and its
/// universities are the operators' to change.
pub async fn edit_partner(cx: Cx<Partner>, input: EditPartner) -> Result<Done<PartnerProfile>> {
    let mut work = cx.begin().await?;
    let (id, now) = (cx.caller.id, cx.now());
    store::hold_partner(&mut work, id).await?;
    if let Some(category) = input.business_category_id
        && !can_be_chosen(&mut work, Choice::BusinessCategory(category)).await?
    {
        return Err(Error::invalid("business_category_id", "is no category"));
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

/// Minors are not listed (model: *athlete*); somebody whose age is not known might be one.
fn may_not_be_listed(held: &store::Held, now: Time) -> bool {
    let born = held.date_of_birth;
    born.is_none_or(|born| is_under(18, born, now.date_naive()))
}

/// What can be told wrong without the database.
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
            return Err(Error::invalid(field, "comes twice"));
        }
    }
    check_socials(input.socials.as_deref().unwrap_or_default())
}

async fn check_choices(session: &mut Session, input: &EditAthlete) -> Result<()> {
    if let Some(sport) = input.sport_id
        && !can_be_chosen(session, Choice::Sport(sport)).await?
    {
        return Err(Error::invalid("sport_id", "is no sport"));
    }
    if let Some(college) = input.university_id
        && !can_be_chosen(session, Choice::College(college)).await?
    {
        return Err(Error::invalid("university_id", "is no college"));
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
        return Err(Error::invalid(field, "must be the code of a state"));
    }
    Ok(())
}

/// An audit row with the fields that have changed, as they were and as they are.
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
