//! Operators create and change colleges.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{College, Division, store};
use crate::auth::Operator;
use crate::error::{Error, Result};
use crate::kernel::{CollegeId, Many, Slug, Text};
use crate::operation::{Cx, Done};

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
}

/// Creates or changes a college (extension: the specification lists colleges but has no operation to create
/// one). 422 for an unknown time zone or state, 404 for an unknown id, 409 `duplicate` for a slug that is
/// taken.
pub async fn save(cx: Cx<Operator>, input: SaveCollege) -> Result<Done<College>> {
    if input.time_zone.parse::<chrono_tz::Tz>().is_err() {
        return Err(Error::invalid("time_zone", "must be an IANA time zone"));
    }
    let mut work = cx.begin().await?;
    if !store::state_exists(&mut work, &input.state).await? {
        return Err(Error::invalid("state", "must be a two-letter state code"));
    }
    let now = cx.now();
    let (college, action) = match input.id {
        None => (store::add(&mut work, &input, now).await?, "created"),
        Some(id) => (store::change(&mut work, id, &input, now).await?, "changed"),
    };
    work.note(college.id, action);
    work.done(college).await
}

#[cfg(test)]
mod tests {
    use super::store::slug_of;

    #[test]
    fn slugs_are_made_from_names() {
        assert_eq!(slug_of("St. Mary’s  College (CA)"), "st-mary-s-college-ca");
        assert_eq!(slug_of("Ü"), "college");
    }
}
