//! A row of a file as a member of a squad list.

use std::collections::BTreeMap;

use super::class_years::class_year;
use super::column::{Column, Columns};
use super::heights::centimetres;
use super::hometowns::hometown;
use super::member::MemberFacts;
use super::sheet::{Cell, Row, plain};
use crate::kernel::{Date, Email, SportId};

/// What is said about cells, by the names of their columns in the file.
pub(super) type Said = BTreeMap<String, Vec<String>>;

/// The sports that a row may be of.
#[derive(Debug)]
pub(super) struct Sports {
    /// Their names and slugs in small letters and digits alone.
    pub(super) named: BTreeMap<String, SportId>,
    /// The one of rows that name none.
    pub(super) usual: Option<SportId>,
    /// Those that the caller is limited to; empty means all.
    pub(super) allowed: Vec<SportId>,
}

/// A row that was read.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) number: u64,
    /// The name as far as it could be read.
    pub(super) name: String,
    /// None if something is wrong.
    pub(super) facts: Option<MemberFacts>,
    pub(super) errors: Said,
    pub(super) warnings: Said,
}

/// Reads a row.
pub(super) fn read(row: &Row, columns: &Columns, sports: &Sports) -> Line {
    let mut reading = Reading { row, columns, errors: BTreeMap::new(), warnings: BTreeMap::new() };
    let name = reading.name();
    let facts = reading.facts(name.clone(), sports);
    let Reading { errors, warnings, .. } = reading;
    let facts = facts.filter(|_| errors.is_empty());
    Line { number: row.number, name, facts, errors, warnings }
}

struct Reading<'r> {
    row: &'r Row,
    columns: &'r Columns,
    errors: Said,
    warnings: Said,
}

impl Reading<'_> {
    fn wrong(&mut self, column: Column, why: impl Into<String>) {
        let name = self.columns.name(column).to_owned();
        self.errors.entry(name).or_default().push(why.into());
    }

    fn warn(&mut self, column: Column, why: impl Into<String>) {
        let name = self.columns.name(column).to_owned();
        self.warnings.entry(name).or_default().push(why.into());
    }

    /// The text of a cell, within a length.
    fn text(&mut self, column: Column, most: usize) -> Option<String> {
        let cell = self.columns.cell(self.row, column)?;
        let text = cell.text();
        if *cell == Cell::Unreadable {
            self.wrong(column, "is an error or a time in the spreadsheet");
        } else if text.chars().any(char::is_control) {
            self.wrong(column, "must not contain control characters");
        } else if text.chars().count() > most {
            self.wrong(column, format!("must have at most {most} characters"));
        } else {
            return Some(text).filter(|text| !text.is_empty());
        }
        None
    }

    /// The name, the given one first.
    fn name(&mut self) -> String {
        let whole = self.text(Column::Name, 120).map(|name| in_order(&name));
        let whole = whole.or_else(|| {
            let first = self.text(Column::FirstName, 60);
            let last = self.text(Column::LastName, 60);
            let parts: Vec<String> = [first, last].into_iter().flatten().collect();
            (!parts.is_empty()).then(|| parts.join(" "))
        });
        if whole.is_none() && self.errors.is_empty() {
            let column =
                if self.columns.has(Column::Name) { Column::Name } else { Column::LastName };
            self.wrong(column, "is required");
        }
        whole.unwrap_or_default()
    }

    fn facts(&mut self, name: String, sports: &Sports) -> Option<MemberFacts> {
        let sport_id = self.sport(sports);
        let email = self.text(Column::Email, 254).and_then(|text| match Email::new(&text) {
            Ok(email) => Some(email.to_string()),
            Err(why) => {
                self.wrong(Column::Email, why);
                None
            }
        });
        let student_id = self.student_id();
        let class = self.text(Column::Class, 60);
        let class = class.filter(|text| !is_none(text)).and_then(|text| {
            let found = class_year(&text);
            if found.is_none() {
                self.wrong(Column::Class, format!("is no class year that is known: {text}"));
            }
            found
        });
        let height_cm = self.height();
        let town = self.text(Column::Hometown, 160).map(|text| hometown(&text)).unwrap_or_default();
        Some(MemberFacts {
            sport_id: sport_id?,
            name,
            email,
            student_id,
            class_year: class.map(|(year, _)| year),
            redshirt: class.is_some_and(|(_, redshirt)| redshirt),
            position: self.text(Column::Position, 60).filter(|text| !is_none(text)),
            jersey_number: self.text(Column::Jersey, 10).filter(|text| !is_none(text)),
            height_cm,
            hometown_city: town.city,
            hometown_region: town.region,
            hometown_country: town.country,
            enrolled_on: self.day(Column::Enrolled),
        })
    }

    fn sport(&mut self, sports: &Sports) -> Option<SportId> {
        let found = match self.text(Column::Sport, 120) {
            None => sports.usual,
            Some(text) => {
                let found = sports.named.get(&plain(&text)).copied();
                if found.is_none() {
                    self.wrong(Column::Sport, format!("is no sport of this site: {text}"));
                    return None;
                }
                found
            }
        };
        let allowed = |id: &SportId| sports.allowed.is_empty() || sports.allowed.contains(id);
        match found {
            None => self.wrong(Column::Sport, "is required, here or as `sport_id` of the call"),
            Some(id) if !allowed(&id) => {
                self.wrong(Column::Sport, "is a sport that you have no access to");
            }
            Some(_) => {}
        }
        found
    }

    /// Spreadsheets keep numbers without the zeros before them, and only fifteen digits of them.
    fn student_id(&mut self) -> Option<String> {
        let text = self.text(Column::StudentId, 40)?;
        if let Some(Cell::Number(number)) = self.columns.cell(self.row, Column::StudentId) {
            let digits = number.bytes().filter(u8::is_ascii_digit).count();
            if digits > 15 || number.contains(['.', 'e', '-']) {
                self.wrong(
                    Column::StudentId,
                    "is a number in the spreadsheet that has lost digits: format the column as text",
                );
            } else {
                self.warn(
                    Column::StudentId,
                    "is a number in the spreadsheet: zeros at its beginning are lost",
                );
            }
        }
        Some(text)
    }

    fn height(&mut self) -> Option<i64> {
        if let Some(Cell::Day(_)) = self.columns.cell(self.row, Column::Height) {
            self.wrong(
                Column::Height,
                "is a date in the spreadsheet, which made one of a height such as 6-2: format the \
                 column as text",
            );
            return None;
        }
        let text = self.text(Column::Height, 40).filter(|text| !is_none(text))?;
        let height = centimetres(&text);
        if height.is_none() {
            self.wrong(Column::Height, format!("is no height of a person: {text}"));
        }
        height
    }

    fn day(&mut self, column: Column) -> Option<Date> {
        if let Some(Cell::Day(day)) = self.columns.cell(self.row, column) {
            return Some(*day);
        }
        let text = self.text(column, 40).filter(|text| !is_none(text))?;
        let day = ["%Y-%m-%d", "%m/%d/%Y", "%B %d, %Y", "%d %B %Y"]
            .iter()
            .find_map(|form| Date::parse_from_str(&text, form).ok())
            .filter(|day| (1990..=2100).contains(&chrono::Datelike::year(day)));
        if day.is_none() {
            self.wrong(column, format!("is no date such as 2026-08-24 or 8/24/2026: {text}"));
        }
        day
    }
}

/// What people write where there is nothing.
fn is_none(text: &str) -> bool {
    matches!(&*text.to_lowercase(), "-" | "--" | "–" | "—" | "n/a" | "na" | "none" | "tbd" | "?")
}

/// What stands behind a name after a comma and belongs to it.
const SUFFIXES: [&str; 6] = ["jr", "sr", "ii", "iii", "iv", "v"];

/// A name with the given one first: `Okafor, Zoe` becomes `Zoe Okafor`.
fn in_order(name: &str) -> String {
    let Some((last, rest)) = name.split_once(',') else { return name.to_owned() };
    let (last, rest) = (last.trim(), rest.trim());
    let suffix = rest.trim_end_matches('.').to_lowercase();
    if rest.is_empty() {
        last.to_owned()
    } else if SUFFIXES.contains(&&*suffix) {
        format!("{last} {rest}")
    } else {
        match rest.rsplit_once(',') {
            Some((first, suffix)) => format!("{} {last} {}", first.trim(), suffix.trim()),
            None => format!("{rest} {last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_given_one_first() {
        for (text, name) in [
            ("Zoe Okafor", "Zoe Okafor"),
            ("Okafor, Zoe", "Zoe Okafor"),
            ("Lake, Jordan, Jr.", "Jordan Lake Jr."),
            ("Jordan Lake, Jr.", "Jordan Lake Jr."),
            ("Jordan Lake, III", "Jordan Lake III"),
            ("Lake,", "Lake"),
        ] {
            assert_eq!(in_order(text), name, "{text}");
        }
    }

    #[test]
    fn what_a_spreadsheet_has_made_of_a_value_is_said() {
        let texts = ["Name", "Student ID", "Ht.", "Enrolled", "Class"];
        let header = texts.iter().map(|text| Cell::Text((*text).to_owned())).collect();
        let columns = Columns::of(&Row { number: 1, cells: header });
        let sport = SportId::new(1);
        let sports = Sports { named: BTreeMap::new(), usual: sport, allowed: Vec::new() };
        let line = |id: &str, height: Cell, enrolled: Cell| {
            let cells = vec![
                Cell::Text("Zoe Okafor".into()),
                Cell::Number(id.into()),
                height,
                enrolled,
                Cell::Text("R-So.".into()),
            ];
            read(&Row { number: 2, cells }, &columns, &sports)
        };
        let day: Date = "2026-08-24".parse().unwrap();
        let text = |text: &str| Cell::Text(text.into());
        let fine = line("4711", text("6-2"), Cell::Day(day));
        let facts = fine.facts.unwrap();
        assert_eq!((facts.height_cm, facts.enrolled_on), (Some(188), Some(day)));
        assert_eq!((facts.student_id.as_deref(), facts.redshirt), (Some("4711"), true));
        assert_eq!(fine.warnings.keys().collect::<Vec<_>>(), ["Student ID"]);
        let wrong = line("12345678901234567", Cell::Day(day), text("24.8.2026"));
        let named: Vec<_> = wrong.errors.keys().map(String::as_str).collect();
        assert_eq!(named, ["Enrolled", "Ht.", "Student ID"]);
        assert!(wrong.facts.is_none());
        assert_eq!(line("1", text("-"), text("8/24/2026")).facts.unwrap().enrolled_on, Some(day));
    }
}
