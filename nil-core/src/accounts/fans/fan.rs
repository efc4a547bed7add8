//! The fan behind an account.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{AthleteId, CollegeId, FanId, SportId, Time, UserId};
use crate::storage::FromRow;

/// An athlete the fan follows.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct FollowedAthlete {
    /// The athlete's id.
    pub id: AthleteId,
    /// The athlete's name.
    pub display_name: String,
    /// The sport.
    pub sport_id: Option<SportId>,
    /// The college.
    pub university_id: Option<CollegeId>,
    /// A picture.
    pub photo_url: Option<String>,
    /// The athlete's name in the public profile's URL.
    pub share_slug: String,
    /// When the fan began to follow the athlete.
    pub followed_at: Time,
}

/// A fan.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FanProfile {
    /// The fan's id.
    pub id: FanId,
    /// The account's id.
    pub user_id: UserId,
    /// The fan's college.
    pub university_id: Option<CollegeId>,
    /// The athletes the fan follows, latest first; at most 500.
    pub followed_athletes: Vec<FollowedAthlete>,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
