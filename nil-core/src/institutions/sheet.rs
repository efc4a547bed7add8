//! Reads a file of colleges: CSV with a header, a college a line.

use std::collections::BTreeMap;

use super::admin::CollegeChanges;
use crate::error::{Error, Result};
use crate::export::UTF8_MARK;
use crate::operation::{self, Fields};

/// The columns that a file may have: the fields of [`CollegeChanges`].
pub const COLUMNS: &[&str] = &[
    "slug",
    "name",
    "short_name",
    "conference",
    "division",
    "state",
    "time_zone",
    "email_domains",
    "listed",
    "participation",
];

/// The most bytes of a file.
pub const MOST_BYTES: usize = 10 * 1024 * 1024;

/// The most lines of a file behind its header.
pub const MOST_LINES: usize = 10_000;

/// A line of the file.
#[derive(Debug)]
pub(super) struct Line {
    /// Its number, 1 for the header.
    pub number: u64,
    /// The slug as it is written.
    pub slug: String,
    /// The values that can be read; empty ones are left out.
    pub changes: CollegeChanges,
    /// What is wrong about the others, by their columns.
    pub wrong: BTreeMap<String, Vec<String>>,
}

/// Reads a file. 422 names what is wrong about the file as a whole: its size, its encoding, its
/// columns; what is wrong about a line is in the line.
pub(super) fn read(file: &[u8]) -> Result<Vec<Line>> {
    if file.len() > MOST_BYTES {
        return Err(refused(format!("must have at most {} MiB", MOST_BYTES / 1024 / 1024)));
    }
    let file = file.strip_prefix(UTF8_MARK).unwrap_or(file);
    std::str::from_utf8(file).map_err(|error| {
        let (before, _) = file.split_at(error.valid_up_to());
        refused(format!("must be UTF-8: line {} is not", lines_in(before) + 1))
    })?;
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(file);
    let unreadable = |error: csv::Error| refused(format!("must be CSV: {error}"));
    let columns: Vec<String> =
        reader.headers().map_err(unreadable)?.iter().map(str::to_owned).collect();
    check_columns(&columns)?;
    let mut lines = Vec::new();
    for record in reader.records() {
        if lines.len() == MOST_LINES {
            return Err(refused(format!("must have at most {MOST_LINES} lines behind the header")));
        }
        let record = record.map_err(unreadable)?;
        let number = record.position().map_or(0, |begin| line_of(file, begin));
        lines.push(line(number, &columns, &record));
    }
    Ok(lines)
}

fn refused(why: String) -> Error {
    Error::invalid("file", why)
}

fn lines_in(bytes: &[u8]) -> u64 {
    let ends = bytes.split(|byte| *byte == b'\n').skip(1);
    u64::try_from(ends.count()).unwrap_or(u64::MAX)
}

/// The number of the line in which a record begins: the reader says where the empty lines before it
/// begin.
pub fn line_of(file: &[u8], begin: &csv::Position) -> u64 {
    let byte = usize::try_from(begin.byte()).unwrap_or(usize::MAX);
    let rest = file.get(byte..).unwrap_or_default();
    let text = rest.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(rest.len());
    let (empty, _) = rest.split_at(text);
    begin.line() + lines_in(empty)
}

/// 422 unless the header has columns that colleges have, each once, and `slug` among them.
fn check_columns(columns: &[String]) -> Result<()> {
    let mut wrong = Vec::new();
    for (index, name) in columns.iter().enumerate() {
        if !COLUMNS.contains(&name.as_str()) {
            let known = COLUMNS.join(", ");
            wrong.push(format!("there is no column `{name}`; there are {known}"));
        } else if columns.iter().take(index).any(|before| before == name) {
            wrong.push(format!("the column `{name}` is there twice"));
        }
    }
    if !columns.iter().any(|name| name == "slug") {
        wrong.push("the column `slug` is missing".into());
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Error::invalid_fields(wrong.into_iter().map(|why| ("header", why))))
}

fn line(number: u64, columns: &[String], record: &csv::StringRecord) -> Line {
    let mut given = BTreeMap::new();
    for (name, value) in columns.iter().zip(record) {
        if !value.is_empty() {
            given.insert(name.as_str(), value.to_owned());
        }
    }
    let slug = given.get("slug").cloned().unwrap_or_default();
    if let Some(domains) = given.get_mut("email_domains") {
        let each: Vec<&str> = domains.split([',', ';']).map(str::trim).collect();
        *domains = each.join(",");
    }
    let mut line =
        Line { number, slug, changes: CollegeChanges::default(), wrong: BTreeMap::new() };
    if record.len() != columns.len() {
        // Its values may stand in other columns than theirs.
        let why = format!("has {} values, the header {}", record.len(), columns.len());
        line.wrong.insert("line".into(), vec![why]);
        return line;
    }
    if line.slug.is_empty() {
        line.wrong.insert("slug".into(), vec!["is required".into()]);
    }
    // What is wrong is put aside, and the rest read again: every wrong value is found, and the
    // others are checked further.
    while let Err(error) = changes(&given).map(|changes| line.changes = changes) {
        let left = given.len();
        for (field, why) in error.fields() {
            let column = field.split_once('.').map_or(field.as_str(), |(column, _)| column);
            given.remove(column);
            line.wrong.entry(column.to_owned()).or_default().extend(why.iter().cloned());
        }
        if given.len() == left {
            break;
        }
    }
    line
}

/// The values as the types of a college; 422 names every one that is wrong.
fn changes(given: &BTreeMap<&str, String>) -> Result<CollegeChanges> {
    CollegeChanges::from_texts(given.iter().map(|(name, value)| (*name, Some(value.clone()))))
}

/// What stands for a college that has always taken part, where its participation is text.
const ALWAYS: &str = "always";

impl CollegeChanges {
    /// From texts, as columns and flags have them: `email_domains` are separated by commas,
    /// `participation` is like `2025-07-01 no; 2026-07-01 yes` (days and whether it takes part from
    /// then on) or `always`. What is not given is left out. 422 names every value that is wrong.
    pub fn from_texts<'n>(
        given: impl IntoIterator<Item = (&'n str, Option<String>)>,
    ) -> Result<Self> {
        let mut pairs = Vec::new();
        let mut always = false;
        for (name, value) in given {
            match (name, value) {
                (_, None) => {}
                ("participation", Some(value)) if value.trim() != ALWAYS => {
                    let changes = value.split([';', ',']).map(str::trim);
                    for (index, change) in changes.filter(|one| !one.is_empty()).enumerate() {
                        let (from, takes_part) =
                            change.split_once([' ', '=']).unwrap_or((change, ""));
                        pairs.push((format!("{name}[{index}][from]"), from.to_owned()));
                        let takes_part = takes_part.trim();
                        // A day without an answer is refused: nothing reads as no.
                        if !takes_part.is_empty() {
                            let answer = format!("{name}[{index}][takes_part]");
                            pairs.push((answer, takes_part.to_owned()));
                        }
                    }
                }
                ("participation", Some(_)) => always = true,
                (_, Some(value)) => pairs.push((name.to_owned(), value)),
            }
        }
        let mut fields = Fields::from_pairs(pairs)?;
        if always {
            // Text has no empty list.
            let none = serde_json::json!([]);
            fields.complete(Fields::from_object(
                [("participation".to_owned(), none)].into_iter().collect(),
            ));
        }
        Ok(operation::read(&fields)?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(file: &[u8]) -> String {
        read(file).unwrap_err().to_string()
    }

    #[test]
    fn what_spreadsheets_make_of_a_truth_value_is_one() {
        let file = "slug,listed\na,TRUE\nb,FALSE\nc,Yes\nd,no\ne, True \nf,maybe\n";
        let lines = read(file.as_bytes()).unwrap();
        let listed: Vec<Option<bool>> = lines.iter().map(|line| line.changes.listed).collect();
        let expected = [Some(true), Some(false), Some(true), Some(false), Some(true), None];
        assert_eq!(listed, expected);
        assert!(lines[5].wrong.contains_key("listed"), "{:?}", lines[5].wrong);
    }

    #[test]
    fn lines_are_read_as_the_types_of_a_college() {
        let file = "\u{feff}slug, name ,email_domains,listed,conference\r\n\
                    a,\"Ann Arbor, \"\"U\"\"\",a.example; b.example,no,\r\n\r\n\r\n\
                    b, B ,\"c.example,d.example\",,Great Lakes\n";
        let lines = read(file.as_bytes()).unwrap();
        let [a, b] = lines.as_slice() else { panic!("{lines:?}") };
        assert!(a.wrong.is_empty() && b.wrong.is_empty(), "{lines:?}");
        assert_eq!((a.number, b.number, a.slug.as_str()), (2, 5, "a"));
        assert_eq!(a.changes.name.as_deref(), Some("Ann Arbor, \"U\""));
        assert_eq!(b.changes.name.as_deref(), Some("B"));
        let domains = |line: &Line| serde_json::json!(line.changes.email_domains);
        assert_eq!(domains(a), serde_json::json!(["a.example", "b.example"]));
        assert_eq!(domains(b), serde_json::json!(["c.example", "d.example"]));
        assert_eq!((a.changes.listed, b.changes.listed), (Some(false), None));
        assert!(a.changes.conference.is_none() && b.changes.conference.is_some());
        assert!(read(b"slug\n").unwrap().is_empty());
    }

    #[test]
    fn participation_is_days_and_answers() {
        let read = |text: &str| {
            let texts = [("participation", Some(text.to_owned()))];
            CollegeChanges::from_texts(texts)
                .map(|changes| serde_json::json!(changes.participation))
        };
        let wanted = serde_json::json!([{ "from": "2025-07-01", "takes_part": false },
            { "from": "2026-07-01", "takes_part": true }]);
        assert_eq!(read("2025-07-01 no; 2026-07-01 yes").unwrap(), wanted);
        assert_eq!(read("2025-07-01=FALSE,2026-07-01=true").unwrap(), wanted);
        assert_eq!(read("2025-07-01 no; 2026-07-01 yes;").unwrap(), wanted);
        assert_eq!(read("always").unwrap(), serde_json::json!([]));
        for wrong in ["never", "2025-07-01", "no", "2025-02-30 no"] {
            let why = read(wrong).unwrap_err();
            assert!(why.fields().keys().all(|name| name.starts_with("participation")), "{why:?}");
        }
        let file = "slug,participation\na,2025-07-01 no\nb,\nc,maybe\n";
        let lines = super::read(file.as_bytes()).unwrap();
        assert!(lines[0].changes.participation.is_some());
        assert!(lines[1].changes.participation.is_none() && lines[1].wrong.is_empty());
        let wrong: Vec<&str> = lines[2].wrong.keys().map(String::as_str).collect();
        assert_eq!(wrong, ["participation"]);
    }

    #[test]
    fn the_columns_are_the_fields_of_a_college() {
        let schema = schemars::schema_for!(CollegeChanges);
        let mut fields: Vec<&str> = schema
            .get("properties")
            .unwrap()
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let mut columns = COLUMNS.to_vec();
        fields.sort_unstable();
        columns.sort_unstable();
        assert_eq!(columns, fields);
    }

    #[test]
    fn every_wrong_value_of_a_line_is_named_and_the_others_are_kept() {
        let file = b"slug,division,state,listed\nA B,D9,Illinois,maybe\nb,D1\nc,D1,IL,true,more\n,D1,IL,true\n";
        let lines = read(file).unwrap();
        let wrong: Vec<Vec<&str>> =
            lines.iter().map(|line| line.wrong.keys().map(String::as_str).collect()).collect();
        let first = vec!["division", "listed", "slug", "state"];
        assert_eq!(wrong, [first, vec!["line"], vec!["line"], vec!["slug"]]);
        assert_eq!(lines[0].slug, "A B");
        assert!(lines[1].changes.division.is_none(), "it may be the value of another column");
        assert!(lines[3].changes.state.is_some() && lines[3].changes.listed.is_some());
    }

    #[test]
    fn a_file_with_other_columns_or_in_another_encoding_is_refused() {
        let told = why(b"slug,colour,name,name,Slug\n");
        for column in ["no column `colour`", "`name` is there twice", "no column `Slug`"] {
            assert!(told.contains(column), "{told}");
        }
        assert!(why(b"name\n").contains("`slug` is missing"));
        assert!(why(b"").contains("`slug` is missing"));
        assert!(why(b"slug,name\na,A\nb,Z\xfcrich\n").contains("line 3 is not"));
        let many = "slug\n".to_owned() + &"a\n".repeat(MOST_LINES + 1);
        assert!(why(many.as_bytes()).contains("at most 10000 lines"));
        read(&many.as_bytes()[..many.len() - 2]).unwrap();
        assert!(why(&vec![b' '; MOST_BYTES + 1]).contains("at most 10 MiB"));
    }
}
