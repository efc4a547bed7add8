//! An athlete's registration steps: team and personal data.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::store::registration::{self as store, Choice};
use super::super::store::steps;
use super::progress::{Names, UnderWay};
use super::registration::Step;
use super::{Name, Progress};
use crate::accounts::{ClassYear, Gender, SocialNetwork};
use crate::auth::NewAthlete;
use crate::error::{Error, Result, Wrong};
use crate::kernel::{CollegeId, Date, Email, Many, PersonName, Phone, SportId, Text, day_in};
use crate::operation::{Cx, Done};
use crate::people::{ADULT, is_under};

/// The minimum age for registration.
const YOUNGEST: u32 = 13;

/// An athlete's sport and college.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Team {
    /// The sport.
    pub sport_id: SportId,
    /// The college.
    pub university_id: CollegeId,
    /// The position played.
    pub position: Option<Text<1, 60>>,
    /// Year of study.
    pub class_year: Option<ClassYear>,
    /// The number on the jersey.
    pub jersey_number: Option<Text<1, 5>>,
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// An account on a social network.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SocialAccount {
    /// The network.
    pub platform: SocialNetwork,
    /// The handle, with or without `@`.
    pub handle: Text<1, 100>,
    /// The number of followers (0 to 10,000,000,000).
    pub followers: Option<i64>,
    /// Reactions per follower and post in basis points (0 to 10,000).
    pub engagement_rate: Option<i64>,
}

/// The parent or guardian of a minor.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Guardian {
    /// Full name.
    pub name: PersonName<160>,
    /// The e-mail that receives the request for consent.
    pub email: Email,
}

/// An athlete's personal data.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Person {
    /// Date of birth; athletes are at least 13 years old.
    pub date_of_birth: Date,
    /// Gender.
    pub gender: Option<Gender>,
    /// City of the home town.
    pub hometown_city: Option<Text<1, 100>>,
    /// Two-letter state of the home town.
    pub hometown_state: Option<Text<2, 2>>,
    /// The athlete's self-description.
    pub bio: Option<Text<0, 2_000>>,
    /// Accounts on social networks, one per network.
    pub socials: Option<Many<SocialAccount, 0, 20>>,
    /// Required for athletes under 18.
    pub guardian: Option<Guardian>,
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
}

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

/// Saves an athlete's personal data. Athletes under 18 must name a guardian, who is asked for consent after
/// the registration is finished. Sends the one-time code.
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

/// Whether an athlete with this birth date is a minor on this day; adds what is wrong about an implausible age.
pub(in crate::accounts) fn check_age(born: Date, today: Date, wrong: &mut Wrong) -> bool {
    if is_under(YOUNGEST, born, today) || !is_under(100, born, today) {
        let why = format!("must make the athlete at least {YOUNGEST} years old");
        wrong.add("date_of_birth", why);
    }
    is_under(ADULT, born, today)
}

/// Adds what is wrong about accounts on networks: numbers out of range, and a network that is listed twice.
pub(in crate::accounts) fn check_socials(socials: &[SocialAccount], wrong: &mut Wrong) {
    for (at, social) in socials.iter().enumerate() {
        let mut add =
            |field: &str, message: &str| wrong.add(format!("socials.{at}.{field}"), message);
        if social.followers.is_some_and(|n| !(0..=10_000_000_000).contains(&n)) {
            add("followers", "must be between 0 and 10000000000");
        }
        if social.engagement_rate.is_some_and(|rate| !(0..=10_000).contains(&rate)) {
            add("engagement_rate", "must be between 0 and 10000");
        }
        let mut before = socials.iter().take(at);
        if before.any(|other| other.platform == social.platform) {
            add("platform", "is listed twice");
        }
    }
}
