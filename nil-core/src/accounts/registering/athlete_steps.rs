//! What athletes state when they register: their team, and who they are.

use schemars::JsonSchema;
use serde::Deserialize;

use super::registration::Name;
use crate::accounts::athletes::athlete_edit::SocialAccount;
use crate::accounts::{ClassYear, Gender};
use crate::kernel::{CollegeId, Date, Email, Many, PersonName, Phone, SportId, Text};

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
