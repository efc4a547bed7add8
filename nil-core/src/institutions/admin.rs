//! Operators create and change colleges.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::college::{ListAllColleges, SaveCollege, WhichCollege};
use super::{College, Division, Participation, store as rows};
use crate::auth::{Anyone, Operator, Principal};
use crate::error::{Error, Result, Wrong, codes};
use crate::kernel::{Listing, Many, Paged, Slug, Text};
use crate::operation::{Cx, Done, Revisable, Revised, Work, run_typed};
use crate::platform::Platform;

/// Lists colleges by name, also those that users cannot select (extension: the specification's
/// lists show only the others). 404 for an unknown id.
pub async fn page(
    cx: Cx<Operator>,
    input: Paged<ListAllColleges>,
) -> Result<Listing<Revised<College>>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    let page = rows::page_of_all(&mut session, &input, paging).await?;
    Ok(input.id.found(page)?.map(Revised::from))
}

/// Creates or changes a college (extension: the specification lists colleges but has no operation
/// to create one). 422 for an unknown time zone or state, or a day of `participation` that is named
/// twice, 404 for an unknown id, 409 `duplicate` for a slug that is taken, and `state_changed` for
/// a college that somebody else has changed meanwhile.
pub async fn save(cx: Cx<Operator>, input: SaveCollege) -> Result<Done<Revised<College>>> {
    let mut work = cx.begin().await?;
    let before = match input.id {
        None => None,
        Some(id) => {
            let held = rows::lock(&mut work, &WhichCollege::Id(id)).await?;
            let held = held.ok_or(codes::NOT_FOUND)?;
            work.as_seen(id, &held, input.revision.as_ref()).await?;
            Some(held)
        }
    };
    let college = store(&mut work, &input, before.as_ref()).await?;
    work.done(college.into()).await
}

/// What is wrong about a time zone, and about a state.
pub(super) const NO_ZONE: &str = "must be an IANA time zone";
pub(super) const NO_STATE: &str = "must be a two-letter state code";

/// Whether this is the name of a time zone.
pub(super) fn is_zone(name: &str) -> bool {
    name.parse::<chrono_tz::Tz>().is_ok()
}

/// Checks a college, writes it inside an operation and adds the audit row.
async fn store(work: &mut Work, input: &SaveCollege, before: Option<&College>) -> Result<College> {
    let mut wrong = Wrong::default();
    if !is_zone(&input.time_zone) {
        wrong.add("time_zone", NO_ZONE);
    }
    if !rows::state_exists(work, &input.state).await? {
        wrong.add("state", NO_STATE);
    }
    if let Some(why) = twice(input.participation.as_deref()) {
        wrong.add("participation", why);
    }
    wrong.refuse()?;
    put(work, input, before).await
}

/// What is wrong about changes that name a day twice.
pub(super) fn twice(participation: Option<&[Participation]>) -> Option<&'static str> {
    let changes = participation?;
    let days: BTreeSet<_> = changes.iter().map(|change| change.from).collect();
    (days.len() < changes.len()).then_some("must name each day once")
}

/// Writes a college that has been checked, and adds the audit row.
pub(super) async fn put(
    work: &mut Work,
    input: &SaveCollege,
    before: Option<&College>,
) -> Result<College> {
    let now = work.now();
    let (saved, action) = match input.id {
        None => (rows::add(work, input, now).await, "created"),
        Some(id) => (rows::change(work, id, input, now).await, "changed"),
    };
    let college = saved
        .map_err(|error| error.reworded(codes::DUPLICATE, "Another college has this slug."))?;
    let before = before.map(Revisable::content);
    work.note_change(college.id, action, before, college.content());
    Ok(college)
}

/// Changes to a college, or the fields of a new one: what is left out stays, or gets its default.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct CollegeChanges {
    /// Full name.
    pub name: Option<Text<1, 200>>,
    /// Short name.
    pub short_name: Option<Text<1, 60>>,
    /// The name in URLs.
    pub slug: Option<Slug>,
    /// The conference it plays in.
    pub conference: Option<Text<1, 100>>,
    /// The division it competes in.
    pub division: Option<Division>,
    /// Two-letter code of the state it is in.
    pub state: Option<Text<2, 2>>,
    /// Its IANA time zone.
    pub time_zone: Option<Text<1, 60>>,
    /// The mail domains of its members.
    pub email_domains: Option<Many<Text<1, 253>, 0, 20>>,
    /// Whether users can select it.
    pub listed: Option<bool>,
    /// From when on it takes part in what the clearinghouse asks of its division, and from when
    /// not.
    pub participation: Option<Many<Participation, 0, 50>>,
}

impl CollegeChanges {
    /// The whole input of a save; 422 names every field that a new college lacks.
    pub(super) fn onto(self, old: Option<&College>) -> Result<SaveCollege> {
        let name = self.name.or_else(|| Text::new(&*old?.name).ok());
        let division = self.division.or_else(|| Some(old?.division));
        let state = self.state.or_else(|| Text::new(&*old?.state).ok());
        let time_zone = self.time_zone.or_else(|| Text::new(&*old?.time_zone).ok());
        let needed = [
            ("name", name.is_some()),
            ("division", division.is_some()),
            ("state", state.is_some()),
            ("time_zone", time_zone.is_some()),
        ];
        let (Some(name), Some(division), Some(state), Some(time_zone)) =
            (name, division, state, time_zone)
        else {
            let lacking = needed.into_iter().filter(|(_, given)| !given);
            let told = lacking.map(|(field, _)| (field, "is required for a new college"));
            return Err(Error::invalid_fields(told));
        };
        Ok(SaveCollege {
            id: old.map(|college| college.id),
            name,
            short_name: self.short_name,
            slug: self.slug,
            conference: self.conference,
            division,
            state,
            time_zone,
            email_domains: self.email_domains,
            listed: self.listed,
            participation: self.participation,
            revision: None,
        })
    }
}

/// [`save`] for the command line, where access to the host is the authorization: changes the named
/// college, or creates one. 422 names every field that a new college lacks, 404 for an unknown
/// college, 409 `duplicate` for a slug that is taken.
pub async fn change(
    platform: &Platform,
    which: Option<WhichCollege>,
    changes: CollegeChanges,
) -> Result<College> {
    type Input = (Option<WhichCollege>, CollegeChanges);
    let operation = async |cx: Cx<Anyone>, (which, changes): Input| {
        let mut work = cx.begin().await?;
        let before = match which {
            None => None,
            Some(which) => {
                Some(rows::lock(&mut work, &which).await?.ok_or_else(|| unknown(&which))?)
            }
        };
        let input = changes.onto(before.as_ref())?;
        let college = store(&mut work, &input, before.as_ref()).await?;
        work.done(college).await
    };
    let nobody = Anyone(Principal::Anonymous);
    let done = run_typed(platform, nobody, "host".into(), operation, (which, changes)).await?;
    Ok(done.into_inner())
}

fn unknown(which: &WhichCollege) -> Error {
    codes::NOT_FOUND.saying(match which {
        WhichCollege::Id(id) => format!("There is no college with the id {id}."),
        WhichCollege::Slug(slug) => format!("There is no college with the slug {slug}."),
    })
}

/// Every college by name, also those that users cannot select; only those with this text in a name,
/// the slug or the conference, if given. For the command line.
pub async fn list(platform: &Platform, text: Option<&str>) -> Result<Vec<College>> {
    let mut session = platform.db().read().await?;
    rows::all(&mut session, text).await
}

#[cfg(test)]
mod tests {
    use super::rows::slug_of;

    #[test]
    fn slugs_are_made_from_names() {
        assert_eq!(slug_of("St. Mary’s  College (CA)"), "st-marys-college-ca");
        assert_eq!(slug_of("Ü"), "u");
        assert_eq!(slug_of("王"), "college");
    }
}
