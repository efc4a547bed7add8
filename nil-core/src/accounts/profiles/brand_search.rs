//! Which brands the directory lists, in which order, and what it shows of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{BusinessCategoryId, Many, PartnerId, Text};
use crate::storage::FromRow;

vocabulary! {
    /// The order of brands.
    BrandSort {
        /// Best match first; without search words the newest first.
        Relevance = "relevance",
        /// The newest first.
        Newest = "newest",
        /// The oldest first.
        Oldest = "-newest",
        /// By name, from A; accented letters sort after Z.
        NameUp = "name",
        /// By name, Z to A.
        NameDown = "-name",
    }
}

/// Filters for brands. All must match; of a list, one match is enough.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct BrandDirectory {
    /// The order (default `relevance` with `q`, else `newest`).
    pub sort: Option<BrandSort>,
    /// Words of the name, business or description. All must match; the last one may be the
    /// beginning of a word.
    pub q: Option<Text<0, 200>>,
    /// In these categories of business.
    pub business_category_ids: Option<Many<BusinessCategoryId, 1, 100>>,
    /// With their head office in these states (two-letter codes).
    pub states: Option<Many<Text<2, 2>, 1, 60>>,
}

/// A listed brand, as the public sees it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PublicBrand {
    /// The partner's id.
    pub id: PartnerId,
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
}
