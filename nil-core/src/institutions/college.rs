//! A college or university.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CollegeId, Time};

vocabulary! {
    /// A college's athletic division or association.
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
        /// Any other.
        Other = "other",
    }
}

/// A college or university, as the public sees it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct College {
    /// The id; `university_id` and `college_id` both refer to it.
    pub id: CollegeId,
    /// Full name.
    pub name: String,
    /// Short name.
    pub short_name: String,
    /// The name in URLs.
    pub slug: String,
    /// The conference it plays in.
    pub conference: Option<String>,
    /// The division it competes in.
    pub division: Division,
    /// Two-letter code of the state it is in.
    pub state: String,
    /// The IANA time zone for its deadlines.
    pub time_zone: String,
    /// The mail domains of its members.
    #[schemars(with = "Vec<String>")]
    pub email_domains: Value,
    /// Whether users can select it.
    pub listed: bool,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}
