//! A college or university.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CollegeId, Time};

vocabulary! {
    /// Where a college competes.
    Division {
        /// NCAA Division I.
        D1 = "D1",
        /// NCAA Division II.
        D2 = "D2",
        /// NCAA Division III.
        D3 = "D3",
        /// NAIA.
        Naia = "NAIA",
        /// NJCAA.
        Njcaa = "NJCAA",
        /// Anywhere else.
        Other = "other",
    }
}

/// A college or university, as anybody may see it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct College {
    /// Its id; `university_id` and `college_id` both mean it.
    pub id: CollegeId,
    /// Full name.
    pub name: String,
    /// What it is called for short.
    pub short_name: String,
    /// Its name in addresses.
    pub slug: String,
    /// The conference it plays in.
    pub conference: Option<String>,
    /// The division it competes in.
    pub division: Division,
    /// Two-letter code of the state it lies in.
    pub state: String,
    /// Its IANA time zone; deadlines end by it.
    pub time_zone: String,
    /// The domains its members' mail comes from.
    pub email_domains: Value,
    /// Whether people can choose it.
    pub listed: bool,
    /// When it was entered.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
