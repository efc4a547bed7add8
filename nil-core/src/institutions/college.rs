//! A college or university.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AllOr, CollegeId, Date, Many, NameSort, Revision, Slug, Text, Time, ZeroOr};
use crate::operation::{Revisable, without};
use crate::storage::FromRow;

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

/// From a day on a college takes part in what the clearinghouse of its division asks for, or no
/// longer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Participation {
    /// The first day.
    #[schemars(extend("examples" = ["2026-07-01"]))]
    pub from: Date,
    /// Whether it takes part.
    pub takes_part: bool,
}

/// Whether a college with these changes takes part on a day: before the first of them it does.
pub fn takes_part_on(changes: &[Participation], day: Date) -> bool {
    let begun = changes.iter().filter(|change| change.from <= day);
    begun.max_by_key(|change| change.from).is_none_or(|change| change.takes_part)
}

/// The changes, the earliest first.
pub(super) fn in_order(changes: &[Participation]) -> Vec<Participation> {
    let mut changes = changes.to_vec();
    changes.sort_unstable_by_key(|change| change.from);
    changes
}

/// A college or university, as the public sees it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
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
    /// Since when its athletes report to the clearinghouse, or no longer do; empty: as their
    /// division does.
    #[row(json)]
    pub participation: Vec<Participation>,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Revisable for College {
    fn content(&self) -> Value {
        // Not edited; its portal, too, changes when it was changed.
        without(json!(self), &["created_at", "updated_at"])
    }
}

/// A college to create (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveCollege {
    /// The college to change; omit it to create one.
    pub id: Option<CollegeId>,
    /// Full name.
    pub name: Text<1, 200>,
    /// Short name; default: the full name.
    pub short_name: Option<Text<1, 60>>,
    /// The name in URLs; default: derived from the name.
    pub slug: Option<Slug>,
    /// The conference it plays in.
    pub conference: Option<Text<1, 100>>,
    /// The division it competes in.
    pub division: Division,
    /// Two-letter code of the state it is in.
    pub state: Text<2, 2>,
    /// Its IANA time zone, such as `America/Chicago`.
    pub time_zone: Text<1, 60>,
    /// The mail domains of its members.
    pub email_domains: Option<Many<Text<1, 253>, 0, 20>>,
    /// Whether users can select it (default true).
    pub listed: Option<bool>,
    /// From which days on it takes part in what the clearinghouse asks of its division, and from
    /// which it does not (default: it always does). Only deals signed while it takes part are
    /// reported. The list replaces the earlier one.
    pub participation: Option<Many<Participation, 0, 50>>,
    /// The revision that the caller has seen; 409 `state_changed` if the college has another one.
    pub revision: Option<Revision>,
}

vocabulary! {
    /// Whether users can select a college.
    CollegeStatus {
        /// Users can select it.
        Listed = "listed",
        /// Users cannot select it.
        Unlisted = "unlisted",
    }
}

/// Selects colleges.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListAllColleges {
    /// `all`, `listed` or `unlisted`.
    pub status: AllOr<CollegeStatus>,
    /// 0 for all, or the one college's id.
    pub id: ZeroOr<CollegeId>,
    /// Part of a name, of the slug or of the conference.
    pub q: Option<Text<0, 100>>,
    /// The order (default by name).
    pub sort: Option<NameSort>,
}

/// How a person names a college.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhichCollege {
    /// By its id.
    Id(CollegeId),
    /// By its name in URLs.
    Slug(String),
}

impl WhichCollege {
    /// A number is an id, any other text a slug.
    #[must_use]
    pub fn named(text: &str) -> Self {
        let id = text.parse().ok().and_then(CollegeId::new);
        id.map_or_else(|| Self::Slug(text.to_owned()), Self::Id)
    }
}

/// Selects colleges.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListColleges {
    /// Part of the name.
    pub q: Option<Text<0, 100>>,
    /// Two-letter code of a state.
    pub state: Option<Text<2, 2>>,
    /// The exact name of a conference.
    pub conference: Option<Text<1, 100>>,
    /// A division.
    pub division: Option<Division>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_college_takes_part_until_a_change_says_otherwise() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let change = |from, takes_part| Participation { from: day(from), takes_part };
        let changes = [change("2026-07-01", true), change("2025-07-01", false)];
        for (on, wanted) in [
            ("2025-06-30", true),
            ("2025-07-01", false),
            ("2026-06-30", false),
            ("2026-07-01", true),
        ] {
            assert_eq!(takes_part_on(&changes, day(on)), wanted, "{on}");
        }
        assert!(takes_part_on(&[], day("2026-01-01")));
    }
}
