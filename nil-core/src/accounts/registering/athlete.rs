//! An athlete's registration steps: team and personal data.

use super::super::store::registration::{self as store, Choice};
use super::super::store::steps;
use super::Progress;
use super::athlete_steps::{Person, Team};
use super::progress::{Names, UnderWay};
use super::registration::Step;
use crate::accounts::athletes::athlete_edit::check_socials;
use crate::auth::NewAthlete;
use crate::error::{Error, Result, Wrong};
use crate::kernel::{Date, day_in};
use crate::operation::{Cx, Done};
use crate::people::{ADULT, is_under};

/// The minimum age for registration.
const YOUNGEST: u32 = 13;

/// Saves an athlete's sport and college.
pub async fn set_team(cx: Cx<NewAthlete>, input: Team) -> Result<Done<Progress>> {
    let mut under_way = UnderWay::load(&cx.by(cx.caller.clone().into())).await?;
    let work = &mut under_way.work;
    if !store::can_be_chosen(work, Choice::Sport(input.sport_id)).await? {
        return Err(Error::invalid("sport_id", "is not a known sport"));
    }
    if !store::can_be_chosen(work, Choice::College(input.university_id)).await? {
        return Err(Error::invalid("university_id", "is not a known college"));
    }
    steps::set_team(work, cx.caller.user_id, &input, cx.now()).await?;
    under_way.learn(Names {
        first_name: input.first_name,
        last_name: input.last_name,
        phone: input.phone,
    });
    under_way.complete(Step::Step4).await
}

/// Saves an athlete's personal data. Athletes under 18 must name a guardian, who is asked for
/// consent after the registration is finished. Sends the one-time code.
pub async fn set_person(cx: Cx<NewAthlete>, input: Person) -> Result<Done<Progress>> {
    let mut wrong = Wrong::default();
    let zone = store::zone_of(&mut cx.read().await?, cx.caller.user_id).await?;
    let minor = check_age(input.date_of_birth, day_in(cx.now(), zone), &mut wrong);
    if minor && input.guardian.is_none() {
        wrong.add("guardian", "is required under 18");
    }
    check_socials(input.socials.as_deref().unwrap_or_default(), &mut wrong);
    wrong.refuse()?;
    let mut under_way = UnderWay::load(&cx.by(cx.caller.clone().into())).await?;
    let own = under_way.registration.email.clone();
    let work = &mut under_way.work;
    if let Some(state) = &input.hometown_state
        && !store::can_be_chosen(work, Choice::State(&state.to_uppercase())).await?
    {
        return Err(Error::invalid("hometown_state", "must be a two-letter state code"));
    }
    let guardian = input.guardian.as_ref().filter(|_| minor);
    if guardian.is_some_and(|guardian| own.as_deref() == Some(&*guardian.email)) {
        return Err(Error::invalid("guardian.email", "must not be the athlete's own"));
    }
    let athlete = steps::set_person(work, cx.caller.user_id, &input, cx.now()).await?;
    steps::set_guardian(work, athlete, guardian).await?;
    if let Some(socials) = &input.socials {
        steps::set_socials(work, athlete, socials, cx.now()).await?;
    }
    under_way.learn(Names {
        first_name: input.first_name,
        last_name: input.last_name,
        phone: input.phone,
    });
    under_way.complete(Step::Step5).await
}

/// Whether an athlete with this birth date is a minor on this day; adds what is wrong about an
/// implausible age.
pub(in crate::accounts) fn check_age(born: Date, today: Date, wrong: &mut Wrong) -> bool {
    if is_under(YOUNGEST, born, today) || !is_under(100, born, today) {
        let why = format!("must make the athlete at least {YOUNGEST} years old");
        wrong.add("date_of_birth", why);
    }
    is_under(ADULT, born, today)
}
