//! Short forms of brands and athletes, shown beside a job, an application or a deal.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::ClassYear;
use crate::kernel::{AthleteId, BusinessCategoryId, CollegeId, PartnerId, SportId};
use crate::storage::FromRow;

/// The short form of a brand.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PartnerCard {
    /// Its id.
    #[row(rename = "partner_id")]
    pub id: PartnerId,
    /// The company's name.
    pub company_name: String,
    /// Its logo.
    pub logo_url: Option<String>,
    /// Its business category.
    pub business_category_id: Option<BusinessCategoryId>,
    /// The city of its headquarters.
    pub hq_city: Option<String>,
    /// The state of its headquarters.
    pub hq_state: Option<String>,
}

/// The short form of an athlete.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct AthleteCard {
    /// Their id.
    pub id: AthleteId,
    /// Their public name.
    pub display_name: String,
    /// Their picture.
    pub photo_url: Option<String>,
    /// Their sport.
    pub sport_id: Option<SportId>,
    /// The name of the sport.
    pub sport: Option<String>,
    /// Their university.
    pub university_id: Option<CollegeId>,
    /// The name of the university.
    pub university: Option<String>,
    /// Their class year.
    pub class_year: Option<ClassYear>,
    /// Followers over all platforms.
    pub followers: i64,
}
