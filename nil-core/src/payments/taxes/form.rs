//! What an athlete, an agent or a brand has stated for taxes.

use schemars::JsonSchema;
use serde::Serialize;

use super::tin::TinKind;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{TaxFormId, Time};
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

/// A statement for taxes: an athlete's or agent's W-9, or a brand's details as a payer. The taxpayer number is shown by its
/// last four digits only.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
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
