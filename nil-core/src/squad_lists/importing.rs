//! Officers import a squad list from a file.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::column::{Column, Columns};
use super::line::{self, Line, Sports};
use super::matching::Index;
use super::member::{Known, MemberFacts, MissingMember};
use super::sheet::{self, refused};
use super::store;
use crate::auth::PortalUser;
use crate::content::FileContent;
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{SportId, SquadMemberId, Time};
use crate::operation::{Cx, Done, Work};
use crate::storage::{Compared as _, Session};

/// The most members of all lists of an institution.
const MOST_MEMBERS: usize = 20_000;

/// A file with a squad list.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ImportSquadList {
    /// The file: XLSX, of which the first sheet is read, or text with commas, semicolons or tabs
    /// between the values; at most 5 MiB and 5,000 rows below the header. In JSON in base64.
    pub content: FileContent,
    /// The sport of rows that name none.
    pub sport_id: Option<SportId>,
    /// Whether to say only what an import would do (default: no).
    pub dry_run: Option<bool>,
    /// Whether members of the file's sports whom it does not name are removed (default: no).
    pub remove_missing: Option<bool>,
}

vocabulary! {
    /// What happens to the member of a row.
    RowOutcome {
        /// There is none yet: one is added.
        New = "new",
        /// The list says something else of them now.
        Changed = "changed",
        /// The list says the same already.
        Unchanged = "unchanged",
        /// Something is wrong about the row.
        Wrong = "wrong",
    }
}

/// A row of the file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ImportedRow {
    /// The number of the row in a workbook, or of the line in which it begins in a text.
    pub row: u64,
    /// The name in it.
    pub name: String,
    /// What happens.
    pub outcome: RowOutcome,
    /// The fields that change.
    pub changed: Vec<&'static str>,
    /// What is wrong, by the names of the columns in the file.
    pub errors: BTreeMap<String, Vec<String>>,
    /// What may be wrong, by the names of the columns in the file.
    pub warnings: BTreeMap<String, Vec<String>>,
}

/// How many rows there are of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SquadCounts {
    /// Members who are added.
    pub new: u64,
    /// Members of whom the list says something else now.
    pub changed: u64,
    /// Members of whom the list says the same.
    pub unchanged: u64,
    /// Rows with something wrong.
    pub wrong: u64,
    /// Members of the file's sports whom it does not name.
    pub missing: u64,
}

/// What an import did, or would do.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SquadImport {
    /// Whether it was done: not if any row is wrong, and not in a dry run.
    pub written: bool,
    /// How many rows there are of each outcome.
    pub counts: SquadCounts,
    /// The rows in their order, apart from unchanged ones without a warning.
    pub rows: Vec<ImportedRow>,
    /// The members of the file's sports whom it does not name. They are removed if that was asked
    /// for, and stay otherwise.
    pub missing: Vec<MissingMember>,
    /// The columns of the file that are not read.
    pub ignored_columns: Vec<String>,
}

/// Imports a squad list from a file, such as a roster that the institution's systems export
/// (extension). All rows are written, or none if anything is wrong with one; the answer says what
/// is new, has changed or is missing in the file, and what is wrong with which row and column. A
/// dry run does the same, and takes it back. A row is about the member of its sport with its
/// student id, else with its e-mail, else with its name. What the file has no column for stays as
/// it is. Officers who are limited to certain sports import those. 422 for a file that cannot be
/// read.
pub async fn import(cx: Cx<PortalUser>, input: ImportSquadList) -> Result<Done<SquadImport>> {
    let content = input.content.shared();
    let account = &cx.facts().actor;
    let allowed = cx.caller.sports.clone();
    let mut session = cx.read().await?;
    let named = store::sports(&mut session).await?.into_iter().collect();
    drop(session);
    let sports = Sports { named, usual: input.sport_id, allowed: allowed.clone() };
    let reading = move || {
        let sheet = sheet::read(&content)?;
        let lines = sheet.rows.iter().map(|row| line::read(row, &sheet.columns, &sports));
        let lines: Vec<Line> = lines.collect();
        Ok((lines, sheet.columns))
    };
    let read: Result<(Vec<Line>, Columns)> = cx.platform().workshop().run(account, reading).await?;
    let (lines, columns) = read?;
    let is_dry = input.dry_run.unwrap_or(false);
    let mut work = cx.begin().await?;
    // One import of the institution at a time: what it compares with stays as it is.
    work.lock("college", cx.caller.college_id).await?;
    let known = store::known(&mut work, cx.caller.college_id, &allowed).await?;
    let mut plan = Plan::of(&lines, &columns, &known);
    let counts = plan.counts();
    if known.len() + plan.new.len() > MOST_MEMBERS {
        return Err(refused(format!("would make the list longer than {MOST_MEMBERS} members")));
    }
    plan.write(&mut work, &cx, input.remove_missing.unwrap_or(false)).await?;
    let written = !is_dry && counts.wrong == 0;
    if written {
        let told = serde_json::to_value(counts).map_err(crate::error::Error::internal)?;
        work.note_change(cx.caller.college_id, "squad_list_imported", None, Some(told));
    } else {
        // Nothing of it stays; the answer alone is kept.
        drop(work);
        work = cx.begin().await?;
    }
    let missing = plan.missing.iter().map(|known| MissingMember {
        id: known.id,
        name: known.facts.name.clone(),
        sport_id: known.facts.sport_id,
    });
    let answer = SquadImport {
        written,
        counts,
        missing: missing.collect(),
        rows: std::mem::take(&mut plan.rows),
        ignored_columns: columns.ignored(),
    };
    work.done(answer).await
}

/// What an import does.
#[derive(Debug, Default)]
struct Plan<'k> {
    /// The rows to answer.
    rows: Vec<ImportedRow>,
    new: Vec<MemberFacts>,
    changed: Vec<(SquadMemberId, MemberFacts)>,
    unchanged: Vec<SquadMemberId>,
    missing: Vec<&'k Known>,
    wrong: u64,
}

impl<'k> Plan<'k> {
    fn of(lines: &[Line], columns: &Columns, known: &'k [Known]) -> Self {
        let index = Index::of(known.iter().map(|known| &known.facts));
        let mut plan = Self::default();
        let mut first: HashMap<(SportId, String), u64> = HashMap::new();
        let mut taken: HashMap<usize, u64> = HashMap::new();
        let mut sports: BTreeSet<SportId> = BTreeSet::new();
        for line in lines {
            let mut row = ImportedRow {
                row: line.number,
                name: line.name.clone(),
                outcome: RowOutcome::Wrong,
                changed: Vec::new(),
                errors: line.errors.clone(),
                warnings: line.warnings.clone(),
            };
            if let Some(facts) = &line.facts {
                sports.insert(facts.sport_id);
                let place = index.find(facts, known);
                let before = names(facts).into_iter().find_map(|(column, name)| {
                    let before = first.insert((facts.sport_id, name), line.number)?;
                    Some((column, before))
                });
                let before =
                    before.or_else(|| Some((Column::Name, taken.insert(place?, line.number)?)));
                if let Some((column, before)) = before {
                    let why = format!("names the same member as row {before}");
                    row.errors.entry(columns.name(column).to_owned()).or_default().push(why);
                } else {
                    plan.take(&mut row, facts, place.and_then(|place| known.get(place)), columns);
                }
            }
            plan.wrong += u64::from(row.outcome == RowOutcome::Wrong);
            if row.outcome != RowOutcome::Unchanged || !row.warnings.is_empty() {
                plan.rows.push(row);
            }
        }
        let named: HashSet<usize> = taken.into_keys().collect();
        plan.missing = known
            .iter()
            .enumerate()
            .filter(|(place, one)| !named.contains(place) && sports.contains(&one.facts.sport_id))
            .map(|(_, one)| one)
            .collect();
        plan
    }

    /// Takes a row that is about this member, or about a new one.
    fn take(
        &mut self,
        row: &mut ImportedRow,
        facts: &MemberFacts,
        known: Option<&Known>,
        columns: &Columns,
    ) {
        let Some(known) = known else {
            row.outcome = RowOutcome::New;
            self.new.push(facts.clone());
            return;
        };
        let facts = kept(facts, &known.facts, columns);
        row.changed = known.facts.differences(&facts);
        if row.changed.is_empty() {
            row.outcome = RowOutcome::Unchanged;
            self.unchanged.push(known.id);
        } else {
            row.outcome = RowOutcome::Changed;
            self.changed.push((known.id, facts));
        }
    }

    fn counts(&self) -> SquadCounts {
        let number = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        SquadCounts {
            new: number(self.new.len()),
            changed: number(self.changed.len()),
            unchanged: number(self.unchanged.len()),
            wrong: self.wrong,
            missing: number(self.missing.len()),
        }
    }

    async fn write(
        &self,
        work: &mut Work,
        cx: &Cx<PortalUser>,
        remove_missing: bool,
    ) -> Result<()> {
        let (session, now): (&mut Session, Time) = (&mut *work, cx.now());
        store::add(session, cx.caller.college_id, &self.new, now).await?;
        for (id, facts) in &self.changed {
            store::change(session, *id, facts, now).await?;
        }
        let changed = self.changed.iter().map(|(id, _)| *id);
        let seen: Vec<SquadMemberId> = self.unchanged.iter().copied().chain(changed).collect();
        store::note_seen(session, &seen, now).await?;
        if remove_missing {
            let missing: Vec<SquadMemberId> = self.missing.iter().map(|known| known.id).collect();
            store::remove_all(session, &missing).await?;
        }
        Ok(())
    }
}

/// What names a member in a file, with the column it is in: a name only where there is nothing
/// else.
fn names(facts: &MemberFacts) -> Vec<(Column, String)> {
    let student = facts.student_id.as_ref().map(|id| (Column::StudentId, format!("id {id}")));
    let email = facts.email.as_ref().map(|email| (Column::Email, format!("mail {email}")));
    let ids: Vec<_> = [student, email].into_iter().flatten().collect();
    if ids.is_empty() {
        return vec![(Column::Name, format!("name {}", crate::kernel::fold(&facts.name)))];
    }
    ids
}

/// What a row says of a member, with what is known where the file has no column.
fn kept(facts: &MemberFacts, known: &MemberFacts, columns: &Columns) -> MemberFacts {
    let mut facts = facts.clone();
    let lacks = |column| !columns.has(column);
    if lacks(Column::Email) {
        facts.email.clone_from(&known.email);
    }
    if lacks(Column::StudentId) {
        facts.student_id.clone_from(&known.student_id);
    }
    if lacks(Column::Class) {
        facts.class_year = known.class_year;
        facts.redshirt = known.redshirt;
    }
    if lacks(Column::Position) {
        facts.position.clone_from(&known.position);
    }
    if lacks(Column::Jersey) {
        facts.jersey_number.clone_from(&known.jersey_number);
    }
    if lacks(Column::Height) {
        facts.height_cm = known.height_cm;
    }
    if lacks(Column::Hometown) {
        facts.hometown_city.clone_from(&known.hometown_city);
        facts.hometown_region.clone_from(&known.hometown_region);
        facts.hometown_country.clone_from(&known.hometown_country);
    }
    if lacks(Column::Enrolled) {
        facts.enrolled_on = known.enrolled_on;
    }
    facts
}
