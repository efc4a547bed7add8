//! Athletes and brands edit their own records. An input type has only the fields that its caller may change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::accounts::registering::athlete::{SocialAccount, check_socials};
use crate::accounts::store::registration::{Choice, can_be_chosen};
use crate::accounts::store::{editing as store, profile};
use crate::accounts::{AthleteProfile, ClassYear, Gender, PartnerProfile};
use crate::auth::{Athlete, Partner};
use crate::content::FileUse;
use crate::content::picturing::{self, Prepared};
use crate::error::{Result, Wrong, codes};
use crate::kernel::Activity;
use crate::kernel::{
    AthleteId, BusinessCategoryId, Cents, CollegeId, CompanyName, Date, Edit, FileId, Many,
    PartnerId, PersonName, SportId, Text, UserId, WebUrl,
};
use crate::operation::{Cx, Done, Subject, Work};
use crate::people::{self, ADULT, is_under};
use crate::storage::Session;

/// The highest minimum price an athlete can ask: $1,000,000.
const HIGHEST_PRICE: i64 = 100_000_000;

const PHOTO: &str = "photo_file_id";
const LOGO: &str = "logo_file_id";

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
    /// A public picture: one of the athlete's own files. It is shown as a copy of at most 1024 by 1024 pixels without
    /// metadata.
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
    /// Its logo, which is public: one of the brand's own image files. It is shown as a copy of at most 1024 by 1024
    /// pixels without metadata.
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
    let profile = (cx.caller.user_id, cx.caller.id.get());
    let photo = prepare_photo(&cx, Some(profile), &input).await?;
    let mut work = cx.begin().await?;
    let held = store::lock_athlete(&mut work, cx.caller.id).await?;
    let mut wrong = Wrong::default();
    let college = input.university_id.or(held.university_id);
    let today = people::today(&mut work, college, cx.now()).await?;
    check_athlete(&mut work, &input, (held.date_of_birth, today), &mut wrong).await?;
    wrong.refuse()?;
    let after = change_athlete(&mut work, cx.caller.id, &held, (input, photo)).await?;
    work.done(after).await
}

/// Changes the calling brand's own record (contract: `/editPartnerWebsite`). Only operators change its fee,
/// its plan and its universities.
pub async fn edit_partner(cx: Cx<Partner>, input: EditPartner) -> Result<Done<PartnerProfile>> {
    let profile = (cx.caller.user_id, cx.caller.id.get());
    let logo = prepare_logo(&cx, Some(profile), &input).await?;
    let mut work = cx.begin().await?;
    let user = store::lock_partner(&mut work, cx.caller.id).await?;
    let mut wrong = Wrong::default();
    check_partner(&mut work, &input, &mut wrong).await?;
    wrong.refuse()?;
    let after = change_partner(&mut work, cx.caller.id, user, (input, logo)).await?;
    work.done(after).await
}

/// Prepares the picture that the input names, outside any transaction, for this account and athlete.
pub(crate) async fn prepare_photo<C>(
    cx: &Cx<C>,
    profile: Option<(UserId, i64)>,
    input: &EditAthlete,
) -> Result<Edit<Prepared>> {
    picturing::prepare(cx, (PHOTO, &input.photo_file_id), FileUse::Photo, profile).await
}

/// Prepares the logo that the input names, outside any transaction, for this account and brand.
pub(crate) async fn prepare_logo<C>(
    cx: &Cx<C>,
    profile: Option<(UserId, i64)>,
    input: &EditPartner,
) -> Result<Edit<Prepared>> {
    picturing::prepare(cx, (LOGO, &input.logo_file_id), FileUse::Logo, profile).await
}

/// Writes checked changes to a held athlete and adds the audit row. 409 for another college while a contract
/// is open.
pub(crate) async fn change_athlete(
    work: &mut Work,
    id: AthleteId,
    held: &store::Held,
    (input, photo): (EditAthlete, Edit<Prepared>),
) -> Result<AthleteProfile> {
    let moves = input.university_id.is_some() && input.university_id != held.university_id;
    if moves && store::has_open_contract(work, id).await? {
        let sentence = "The college cannot be changed while a contract is open.";
        return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
    }
    let now = work.now();
    let before = profile::athlete(work, id, now).await?;
    write_athlete(work, id, held.user_id, (input, photo)).await?;
    let after = profile::athlete(work, id, now).await?;
    note_edit(work, id, &before, &after);
    Ok(after)
}

/// Writes an athlete's checked fields.
pub(crate) async fn write_athlete(
    work: &mut Work,
    id: AthleteId,
    user: UserId,
    (input, photo): (EditAthlete, Edit<Prepared>),
) -> Result<()> {
    let photo = picturing::set(work, (PHOTO, user), photo, (FileUse::Photo, id.get())).await?;
    let now = work.now();
    store::write_athlete(work, id, input, photo, now).await
}

/// Writes checked changes to a held brand and adds the audit row.
pub(crate) async fn change_partner(
    work: &mut Work,
    id: PartnerId,
    user: UserId,
    (input, logo): (EditPartner, Edit<Prepared>),
) -> Result<PartnerProfile> {
    let before = profile::partner(work, id).await?;
    write_partner(work, id, user, (input, logo)).await?;
    let after = profile::partner(work, id).await?;
    note_edit(work, id, &before, &after);
    Ok(after)
}

/// Writes a brand's checked fields.
pub(crate) async fn write_partner(
    work: &mut Work,
    id: PartnerId,
    user: UserId,
    (input, logo): (EditPartner, Edit<Prepared>),
) -> Result<()> {
    let logo = picturing::set(work, (LOGO, user), logo, (FileUse::Logo, id.get())).await?;
    let now = work.now();
    store::write_partner(work, id, input, logo, now).await
}

/// Adds what is wrong about the fields of an athlete born on this day. Minors are not listed (model: *athlete*);
/// without a known birth date the athlete may be a minor.
pub(crate) async fn check_athlete(
    work: &mut Work,
    input: &EditAthlete,
    (born, today): (Option<Date>, Date),
    wrong: &mut Wrong,
) -> Result<()> {
    if input.listed == Some(true) && born.is_none_or(|born| is_under(ADULT, born, today)) {
        wrong.add("listed", "is not possible under 18");
    }
    check_prices(input, wrong);
    check_socials(input.socials.as_deref().unwrap_or_default(), wrong);
    if let Some(sport) = input.sport_id
        && !can_be_chosen(work, Choice::Sport(sport)).await?
    {
        wrong.add("sport_id", "is not a known sport");
    }
    if let Some(college) = input.university_id
        && !can_be_chosen(work, Choice::College(college)).await?
    {
        wrong.add("university_id", "is not a known college");
    }
    check_state(work, "hometown_state", &input.hometown_state, wrong).await
}

/// Adds what is wrong about a brand's fields.
pub(crate) async fn check_partner(
    session: &mut Session,
    input: &EditPartner,
    wrong: &mut Wrong,
) -> Result<()> {
    if let Some(category) = input.business_category_id
        && !can_be_chosen(session, Choice::BusinessCategory(category)).await?
    {
        wrong.add("business_category_id", "is not a known category");
    }
    check_state(session, "hq_state", &input.hq_state, wrong).await
}

fn check_prices(input: &EditAthlete, wrong: &mut Wrong) {
    let price = |cents: Cents| (0..=HIGHEST_PRICE).contains(&cents.get());
    let why = format!("must be between 0 and {HIGHEST_PRICE}");
    if input.min_rate_cents.value().is_some_and(|cents| !price(*cents)) {
        wrong.add("min_rate_cents", why.as_str());
    }
    let activities = input.activities.as_deref().unwrap_or_default();
    for (at, wanted) in activities.iter().enumerate() {
        if wanted.min_price_cents.is_some_and(|cents| !price(cents)) {
            wrong.add(format!("activities.{at}.min_price_cents"), why.as_str());
        }
        let mut before = activities.iter().take(at);
        if before.any(|other| other.activity == wanted.activity) {
            wrong.add(format!("activities.{at}.activity"), "is listed twice");
        }
    }
}

async fn check_state(
    session: &mut Session,
    field: &str,
    state: &Edit<Text<2, 2>>,
    wrong: &mut Wrong,
) -> Result<()> {
    if let Some(state) = state.value()
        && !can_be_chosen(session, Choice::State(&state.to_uppercase())).await?
    {
        wrong.add(field, "must be a two-letter state code");
    }
    Ok(())
}

/// The fields of profiles whose values the audit trail keeps. Of all others it says only that they were changed: the trail
/// outlives the person's other data (decision 29).
const TOLD: &[&str] = &[
    "agent_id",
    "available",
    "business_category_id",
    "listed",
    "sport_id",
    "status",
    "university_id",
    "universities",
];

/// Adds an audit row with the names of the changed fields, and the values of those that say nothing about a person.
pub(crate) fn note_edit<T: Serialize>(
    work: &mut Work,
    subject: impl Into<Subject>,
    before: &T,
    after: &T,
) {
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
    let changed: Vec<String> = is.keys().cloned().collect();
    for fields in [&mut was, &mut is] {
        fields.retain(|name, _| TOLD.contains(&name.as_str()));
    }
    is.insert("changed".into(), json!(changed));
    work.note_change(subject, "edited", Value::Object(was), Value::Object(is));
}
