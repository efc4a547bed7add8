//! A fan's registration steps: name and college; the college finishes the registration.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::store::registration::{self as store, Choice};
use super::super::store::steps;
use super::progress::{Names, UnderWay};
use super::registration::{Name, Step};
use super::{LogIn, Progress};
use crate::auth::NewFan;
use crate::error::{Error, Result};
use crate::kernel::{CollegeId, Phone};
use crate::operation::{Cx, Done};

/// A fan's name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct FullName {
    /// First name.
    pub first_name: Name,
    /// Last name.
    pub last_name: Name,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// A fan's college.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct FanCollege {
    /// The college whose athletes the fan wants to see first.
    pub university_id: CollegeId,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// Saves a fan's name.
pub async fn set_name(cx: Cx<NewFan>, input: FullName) -> Result<Done<Progress>> {
    let mut under_way = UnderWay::load(&cx.by(cx.caller.clone().into())).await?;
    under_way.learn(Names {
        first_name: Some(input.first_name),
        last_name: Some(input.last_name),
        phone: input.phone,
    });
    under_way.complete(Step::Step3).await
}

/// Saves a fan's college and finishes the registration: the account is active at once, and a link
/// to verify the e-mail is sent. 422 names any missing step.
pub async fn set_college(cx: Cx<NewFan>, input: FanCollege) -> Result<Done<LogIn>> {
    let mut under_way = UnderWay::load(&cx.by(cx.caller.clone().into())).await?;
    under_way.learn(Names { first_name: None, last_name: None, phone: input.phone });
    let work = &mut under_way.work;
    if !store::can_be_chosen(work, Choice::College(input.university_id)).await? {
        return Err(Error::invalid("university_id", "is not a known college"));
    }
    steps::set_fan_college(work, cx.caller.user_id, input.university_id, cx.now()).await?;
    under_way.nothing_else_missing()?;
    under_way.finish(false).await
}
