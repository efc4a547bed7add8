//! Athletes edit their own records. An input type has only the fields that its caller may change.

use super::athlete_edit::{EditAthlete, check_socials};
use crate::accounts::AthleteProfile;
use crate::accounts::edit_note::note_edit;
use crate::accounts::store::registration::{Choice, can_be_chosen};
use crate::accounts::store::{editing as store, profile};
use crate::auth::Athlete;
use crate::content::FileUse;
use crate::content::picturing::{self, Prepared};
use crate::error::{Result, Wrong, codes};
use crate::kernel::{AthleteId, Cents, Date, Edit, UserId};
use crate::operation::{Cx, Done, Work};
use crate::people::{self, ADULT, is_under};

/// The highest minimum price an athlete can ask: $1,000,000.
const HIGHEST_PRICE: i64 = 100_000_000;

const PHOTO: &str = "photo_file_id";

/// Changes the calling athlete's own record (contract: `/editAthleteWebsite`). Athletes cannot
/// change their birth date, their legal name or the fields the platform maintains. 409 for another
/// college while a contract is open.
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

/// Prepares the picture that the input names, outside any transaction, for this account and
/// athlete.
pub(crate) async fn prepare_photo<C>(
    cx: &Cx<C>,
    profile: Option<(UserId, i64)>,
    input: &EditAthlete,
) -> Result<Edit<Prepared>> {
    picturing::prepare(cx, (PHOTO, &input.photo_file_id), FileUse::Photo, profile).await
}

/// Writes checked changes to a held athlete and adds the audit row. 409 for another college while a
/// contract is open.
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

/// Adds what is wrong about the fields of an athlete born on this day. Minors are not listed
/// (model: *athlete*); without a known birth date the athlete may be a minor.
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
    if let Some(state) = input.hometown_state.value()
        && !can_be_chosen(work, Choice::State(&state.to_uppercase())).await?
    {
        wrong.add("hometown_state", "must be a two-letter state code");
    }
    Ok(())
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
