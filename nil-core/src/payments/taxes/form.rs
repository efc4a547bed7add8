//! What an athlete, an agent or a brand has stated for taxes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tin::{TinKind, TypedTin};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CompanyName, PersonName, Phone, TaxFormId, Text, Time};
use crate::storage::FromRow;

vocabulary! {
    /// How a person or company is taxed.
    TaxClass {
        /// An individual, a sole proprietor, or a limited liability company with a single owner.
        Individual = "individual",
        /// A C corporation.
        CCorporation = "c_corporation",
        /// An S corporation.
        SCorporation = "s_corporation",
        /// A partnership.
        Partnership = "partnership",
        /// A trust or an estate.
        TrustEstate = "trust_estate",
        /// A limited liability company taxed as a C corporation.
        LlcCCorporation = "llc_c_corporation",
        /// A limited liability company taxed as an S corporation.
        LlcSCorporation = "llc_s_corporation",
        /// A limited liability company taxed as a partnership.
        LlcPartnership = "llc_partnership",
    }
}

impl TaxClass {
    /// Whether payments for services to it are not reported.
    pub(super) fn is_corporation(self) -> bool {
        matches!(
            self,
            Self::CCorporation | Self::SCorporation | Self::LlcCCorporation | Self::LlcSCorporation
        )
    }
}

/// A statement for taxes: an athlete's or agent's W-9, or a brand's details as a payer. The
/// taxpayer number is shown by its last four digits only.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct TaxForm {
    /// The statement's id.
    pub id: TaxFormId,
    /// Whose it is, such as `athlete:3`.
    pub owner: String,
    /// Its number among the owner's statements, from 1. The last one counts; earlier ones are kept.
    pub version: i64,
    /// How the owner is taxed.
    pub classification: TaxClass,
    /// The first name of an individual.
    pub first_name: Option<String>,
    /// The last name of an individual.
    pub last_name: Option<String>,
    /// The name of the business.
    pub business_name: Option<String>,
    /// Street and number.
    pub street: String,
    /// The second line of the address.
    pub street2: Option<String>,
    /// The city.
    pub city: String,
    /// The state, such as `IL`.
    pub state: String,
    /// The postal code: five or nine digits.
    pub postal_code: String,
    /// The phone number.
    pub phone: Option<String>,
    /// The kind of the taxpayer number.
    pub tin_kind: TinKind,
    /// Its last four digits.
    pub tin_last4: String,
    /// The version of the statement that was signed.
    pub statement_version: String,
    /// The name it was signed with.
    pub signature: String,
    /// When it was signed.
    pub certified_at: Time,
}

/// A statement for taxes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct TaxDetails {
    /// How the caller is taxed.
    pub classification: TaxClass,
    /// The first name, as on the tax return; required for individuals.
    pub first_name: Option<PersonName<40>>,
    /// The last name, as on the tax return; required for individuals.
    pub last_name: Option<PersonName<40>>,
    /// The name of the business, if it has one; required unless `classification` is `individual`.
    pub business_name: Option<CompanyName<75>>,
    /// Street and number.
    #[schemars(extend("examples" = ["12 College Avenue"]))]
    pub street: Text<1, 35>,
    /// The second line of the address.
    #[schemars(extend("examples" = ["Apt 3"]))]
    pub street2: Option<Text<1, 35>>,
    /// The city.
    #[schemars(extend("examples" = ["Springfield"]))]
    pub city: Text<1, 40>,
    /// The state or territory, such as `IL`.
    pub state: Text<2, 2>,
    /// The postal code: five or nine digits.
    #[schemars(extend("examples" = ["62701"]))]
    pub postal_code: Text<5, 10>,
    /// The phone number; required for brands.
    pub phone: Option<Phone>,
    /// The kind of the taxpayer number; `ein` unless `classification` is `individual`.
    pub tin_kind: TinKind,
    /// The taxpayer number. It is stored sealed; answers show its last four digits.
    pub tin: TypedTin,
    /// The version of the statement that is signed, from `GET`.
    #[schemars(extend("examples" = ["2026-11"]))]
    pub statement_version: Text<1, 40>,
    /// Whether the caller certifies the statement; must be true.
    pub certified: bool,
    /// The caller's name, as a signature.
    #[schemars(extend("examples" = ["Jordan Rivera"]))]
    pub signature: Text<1, 120>,
}
