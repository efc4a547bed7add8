//! A member of a squad list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::ClassYear;
use crate::kernel::{AthleteId, Date, Many, SportId, SquadMemberId, Text, Time};
use crate::storage::{Compared, FromRow, Stored};

/// What a squad list says of somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow, Stored, Compared)]
#[non_exhaustive]
pub struct MemberFacts {
    /// The sport of the squad.
    pub sport_id: SportId,
    /// The name.
    pub name: String,
    /// The e-mail address at the institution.
    pub email: Option<String>,
    /// The institution's own number of the student, as the file has it.
    pub student_id: Option<String>,
    /// The year of study. A fifth year is a senior.
    pub class_year: Option<ClassYear>,
    /// Whether the file says that a year was spent as a redshirt.
    pub redshirt: bool,
    /// The position played.
    pub position: Option<String>,
    /// The number on the jersey.
    pub jersey_number: Option<String>,
    /// The height in centimetres.
    pub height_cm: Option<i64>,
    /// The city of the home town.
    pub hometown_city: Option<String>,
    /// The two-letter code of the state or province of the home town in the United States and
    /// Canada, elsewhere the region as the file has it.
    pub hometown_region: Option<String>,
    /// The country of the home town, as the file has it; `United States` and `Canada` if it names
    /// one of their states and provinces.
    pub hometown_country: Option<String>,
    /// The day of enrolment.
    pub enrolled_on: Option<Date>,
}

/// A member of an institution's squad list.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct SquadMember {
    /// Their id.
    pub id: SquadMemberId,
    /// What the list says of them.
    #[row(flatten)]
    #[serde(flatten)]
    pub facts: MemberFacts,
    /// The athlete of the institution whose verified e-mail is theirs; null if there is none.
    pub athlete_id: Option<AthleteId>,
    /// When they were first imported.
    pub created_at: Time,
    /// When an import last changed what the list says of them.
    pub updated_at: Time,
    /// When a file last named them. Members whom no file names for 400 days are removed.
    pub seen_at: Time,
}

/// Filters for squad lists.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListSquad {
    /// Only of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// Only members whose e-mail is (true) or is not (false) the verified one of an athlete of the
    /// institution.
    pub registered: Option<bool>,
    /// Only with this in their name or e-mail, or with this student id.
    pub q: Option<Text<0, 100>>,
}

/// A member whom a file does not name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct MissingMember {
    /// Their id.
    pub id: SquadMemberId,
    /// Their name.
    pub name: String,
    /// The sport of the squad.
    pub sport_id: SportId,
}

/// A member as an import finds them.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Known {
    pub(super) id: SquadMemberId,
    #[row(flatten)]
    pub(super) facts: MemberFacts,
}
