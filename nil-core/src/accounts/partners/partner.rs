//! The brand behind an account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::{
    BusinessCategoryId, CollegeId, CompanyName, Edit, FileId, PartnerId, PlanId, RATE_FORMAT, Text,
    Time, UserId, WebUrl,
};
use crate::storage::FromRow;

/// A university that a brand is associated with.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct AssociatedUniversity {
    /// The college's id.
    pub id: CollegeId,
    /// Its name.
    pub name: String,
}

/// A brand partner.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PartnerProfile {
    /// The partner's id.
    pub id: PartnerId,
    /// The account's id.
    pub user_id: UserId,
    /// The company's name.
    pub company_name: String,
    /// What the company does.
    pub business_category_id: Option<BusinessCategoryId>,
    /// Its web site.
    pub website: Option<String>,
    /// About the company.
    pub about: Option<String>,
    /// Its logo.
    pub logo_url: Option<String>,
    /// City of the head office.
    pub hq_city: Option<String>,
    /// Two-letter state of the head office.
    pub hq_state: Option<String>,
    /// Whether public directories show it.
    pub listed: bool,
    /// The platform's fee for this partner, in basis points; null if the site's fee applies.
    #[schemars(extend("format" = RATE_FORMAT))]
    pub fee_basis_points: Option<i64>,
    /// The partner's subscription plan, while the subscription is paid.
    pub subscription_plan_id: Option<PlanId>,
    /// The universities that operators have associated with the brand, by name.
    #[row(skip)]
    pub universities: Vec<AssociatedUniversity>,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
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
    /// Its logo, which is public: one of the brand's own image files. It is shown as a copy of at
    /// most 1024 by 1024 pixels without metadata.
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

/// A brand and a university.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Association {
    /// The brand.
    pub partner_id: PartnerId,
    /// The university.
    pub university_id: CollegeId,
}
