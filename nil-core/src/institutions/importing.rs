//! The host creates and changes many colleges from a file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde::Serialize;

use super::admin::{self, CollegeChanges, NO_STATE, NO_ZONE, is_zone, twice};
use super::college::{SaveCollege, in_order};
use super::sheet::{self, Line};
use super::{College, store as rows};
use crate::auth::{Anyone, Principal};
use crate::error::{Kind, Result};
use crate::operation::{Cx, run_typed};
use crate::platform::Platform;
use crate::storage::Session;

pub use super::sheet::{COLUMNS, MOST_BYTES, MOST_LINES};

/// What happens to the college of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// There is none with this slug yet: it is created.
    Created,
    /// It gets other values.
    Changed,
    /// It has these values already.
    Unchanged,
    /// The line is wrong.
    Wrong,
}

/// A line of a file that was imported, or was to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// The number of the line in the file; the header has 1.
    pub line: u64,
    /// The slug as it is written there.
    pub slug: String,
    /// What happens.
    pub outcome: Outcome,
    /// What is wrong about the line, by columns; `line` is the line as a whole. Empty unless the
    /// line is wrong.
    pub errors: BTreeMap<String, Vec<String>>,
}

/// What an import did, or would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The lines in their order.
    pub lines: Vec<Imported>,
    /// Whether the colleges have been written.
    pub written: bool,
}

/// Creates or changes the colleges of a CSV file, of which each line names one by its slug; an
/// empty value leaves what is there. All is written in one transaction, or nothing if any line is
/// wrong or it is a `dry_run`. A college that has the values already is not touched. For the
/// command line, where access to the host is the authorization. 422 for a file that cannot be read,
/// 409 `duplicate` if somebody else creates a college with one of the slugs meanwhile.
pub async fn import(platform: &Platform, file: &[u8], dry_run: bool) -> Result<Import> {
    let lines = Arc::new(sheet::read(file)?);
    let operation = async |cx: Cx<Anyone>, (lines, dry_run): (Arc<Vec<Line>>, bool)| {
        let mut work = cx.begin().await?;
        let planned = plan(&mut work, &lines).await?;
        let wrong = planned.iter().any(|(line, _)| line.outcome == Outcome::Wrong);
        let written = !wrong && !dry_run;
        if written {
            for (_, input) in &planned {
                if let Some((input, before)) = input {
                    admin::put(&mut work, input, before.as_ref()).await?;
                }
            }
            work.done(()).await?;
        }
        Ok(Import { lines: planned.into_iter().map(|(line, _)| line).collect(), written })
    };
    let nobody = Anyone(Principal::Anonymous);
    run_typed(platform, nobody, "host".into(), operation, (lines, dry_run)).await
}

/// What is written for a line, and the college as it was.
type Written = (SaveCollege, Option<College>);

/// What happens to the college of each line, and what is to be written for it.
async fn plan(session: &mut Session, lines: &[Line]) -> Result<Vec<(Imported, Option<Written>)>> {
    let slugs = lines.iter().filter_map(|line| line.changes.slug.as_deref());
    let known = rows::lock_named(session, slugs).await?;
    let known: HashMap<&str, &College> =
        known.iter().map(|college| (college.slug.as_str(), college)).collect();
    let codes = lines.iter().filter_map(|line| line.changes.state.as_ref());
    let codes: HashSet<String> = codes.map(|code| code.to_uppercase()).collect();
    let states = rows::states_among(session, codes).await?;
    let states: HashSet<String> = states.into_iter().map(|(code,)| code).collect();
    let mut first: HashMap<&str, u64> = HashMap::new();
    let mut planned = Vec::with_capacity(lines.len());
    for line in lines {
        let changes = &line.changes;
        let mut errors = line.wrong.clone();
        let mut add = |column: &str, why: String| {
            errors.entry(column.to_owned()).or_default().push(why);
        };
        if changes.time_zone.as_ref().is_some_and(|zone| !is_zone(zone)) {
            add("time_zone", NO_ZONE.into());
        }
        if changes.state.as_ref().is_some_and(|code| !states.contains(&code.to_uppercase())) {
            add("state", NO_STATE.into());
        }
        if let Some(why) = twice(changes.participation.as_deref()) {
            add("participation", why.into());
        }
        let mut ready = None;
        if let Some(slug) = changes.slug.as_deref() {
            let before = *first.entry(slug).or_insert(line.number);
            if before != line.number {
                add("slug", format!("is in line {before} too"));
            }
            let old = known.get(slug).copied();
            match changes.clone().onto(old) {
                Ok(input) => ready = Some((input, old)),
                Err(error) if error.kind() == Kind::Invalid => {
                    // A value that cannot be read is not missing.
                    let lacking = error.fields().iter();
                    for (column, why) in
                        lacking.filter(|(column, _)| !line.wrong.contains_key(*column))
                    {
                        errors.insert(column.clone(), why.clone());
                    }
                }
                Err(error) => return Err(error),
            }
        }
        let (outcome, input) = match ready.filter(|_| errors.is_empty()) {
            None => (Outcome::Wrong, None),
            Some((input, None)) => (Outcome::Created, Some((input, None))),
            Some((input, Some(old))) if alters(changes, old) => {
                (Outcome::Changed, Some((input, Some(old.clone()))))
            }
            Some(_) => (Outcome::Unchanged, None),
        };
        let (number, slug) = (line.number, line.slug.clone());
        planned.push((Imported { line: number, slug, outcome, errors }, input));
    }
    Ok(planned)
}

/// Whether a college gets another value.
fn alters(changes: &CollegeChanges, old: &College) -> bool {
    fn other<T: PartialEq>(new: Option<T>, old: &T) -> bool {
        new.is_some_and(|new| new != *old)
    }
    let CollegeChanges {
        name,
        short_name,
        slug: _,
        conference,
        division,
        state,
        time_zone,
        email_domains,
        listed,
        participation,
    } = changes;
    other(name.as_deref(), &&*old.name)
        || other(short_name.as_deref(), &&*old.short_name)
        || other(conference.as_deref(), &old.conference.as_deref().unwrap_or_default())
        || other(*division, &old.division)
        || other(state.as_ref().map(|code| code.to_uppercase()), &old.state)
        || other(time_zone.as_deref(), &&*old.time_zone)
        || other(
            email_domains.as_ref().map(|domains| serde_json::json!(domains)),
            &old.email_domains,
        )
        || other(*listed, &old.listed)
        || other(participation.as_deref().map(in_order), &old.participation)
}
