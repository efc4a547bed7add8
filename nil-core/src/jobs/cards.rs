//! The little that is shown of brands and athletes beside a job, an application or a deal.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::accounts::ClassYear;
use crate::kernel::{AthleteId, BusinessCategoryId, CollegeId, PartnerId, SportId};

/// A brand, in short.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct PartnerCard {
    /// Its id.
    pub id: PartnerId,
    /// The company's name.
    pub company_name: String,
    /// Its logo.
    pub logo_url: Option<String>,
    /// What it does.
    pub business_category_id: Option<BusinessCategoryId>,
    /// The city of its headquarters.
    pub hq_city: Option<String>,
    /// The state of its headquarters.
    pub hq_state: Option<String>,
}

/// An athlete, in short.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AthleteCard {
    /// Their id.
    pub id: AthleteId,
    /// The name they are known by.
    pub display_name: String,
    /// Their picture.
    pub photo_url: Option<String>,
    /// Their sport.
    pub sport_id: Option<SportId>,
    /// What the sport is called.
    pub sport: Option<String>,
    /// Their university.
    pub university_id: Option<CollegeId>,
    /// What the university is called.
    pub university: Option<String>,
    /// How far their studies are.
    pub class_year: Option<ClassYear>,
    /// Followers over all platforms.
    pub followers: i64,
}
