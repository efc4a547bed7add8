//! The columns of a squad list, by the names that programs and people give them.

use super::sheet::{Cell, Row, plain, refused};
use crate::error::Result;

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Column {
    Name,
    FirstName,
    LastName,
    Email,
    StudentId,
    Sport,
    Class,
    Position,
    Jersey,
    Height,
    Hometown,
    Enrolled,
}

/// The names of columns, in small letters and digits alone.
const NAMES: &[(Column, &[&str])] = &[
    (
        Column::Name,
        &[
            "name",
            "fullname",
            "athlete",
            "athletename",
            "player",
            "playername",
            "student",
            "studentname",
            "studentathlete",
            "studentathletename",
            "namelastfirst",
            "displayname",
        ],
    ),
    (
        Column::FirstName,
        &[
            "first",
            "firstname",
            "fname",
            "given",
            "givenname",
            "preferredname",
            "preferredfirstname",
        ],
    ),
    (Column::LastName, &["last", "lastname", "lname", "surname", "family", "familyname"]),
    (
        Column::Email,
        &[
            "email",
            "emailaddress",
            "mail",
            "schoolemail",
            "studentemail",
            "universityemail",
            "collegeemail",
            "campusemail",
            "institutionalemail",
        ],
    ),
    (
        Column::StudentId,
        &[
            "studentid",
            "id",
            "sid",
            "studentno",
            "studentnumber",
            "studentidnumber",
            "idnumber",
            "uin",
            "uid",
            "universityid",
            "schoolid",
            "collegeid",
            "bannerid",
            "emplid",
            "puid",
        ],
    ),
    (Column::Sport, &["sport", "team", "sportname", "teamname", "squad"]),
    (
        Column::Class,
        &[
            "class",
            "classyear",
            "year",
            "yr",
            "cl",
            "acadyr",
            "acadyear",
            "academicyear",
            "academicclass",
            "elig",
            "eligibility",
            "eligibilityyear",
            "yearinschool",
            "grade",
            "classification",
            "expyr",
        ],
    ),
    (Column::Position, &["position", "pos", "positions", "event", "events", "positionevent"]),
    (
        Column::Jersey,
        &["no", "num", "number", "jersey", "jerseyno", "jerseynumber", "uniform", "uniformnumber"],
    ),
    (Column::Height, &["height", "ht", "hgt", "heightftin", "heightcm", "hght"]),
    (
        Column::Hometown,
        &[
            "hometown",
            "hometownhighschool",
            "hometownhs",
            "hometownpreviousschool",
            "hometownlastschool",
            "hometownhighschoolpreviousschool",
            "homecity",
        ],
    ),
    (
        Column::Enrolled,
        &[
            "enrolled",
            "enrolledon",
            "enrollmentdate",
            "enrolmentdate",
            "dateenrolled",
            "dateofenrollment",
            "dateofenrolment",
            "startdate",
            "firstenrolled",
            "fulltimedate",
            "initialenrollment",
            "initialfulltimeenrollment",
        ],
    ),
];

impl Column {
    /// The column with this name, if it is one that is read.
    fn named(name: &str) -> Option<Self> {
        if name.trim() == "#" {
            return Some(Self::Jersey);
        }
        let plain = plain(name);
        let found = NAMES.iter().find(|(_, names)| names.contains(&&*plain));
        found.map(|(column, _)| *column)
    }
}

/// The columns of a file.
#[derive(Debug)]
pub(super) struct Columns {
    /// By their places: the name in the file, and the column if it is read.
    all: Vec<(String, Option<Column>)>,
}

impl Columns {
    /// The columns whose names a row has.
    pub(super) fn of(row: &Row) -> Self {
        let all = row.cells.iter().map(Cell::text);
        Self { all: all.map(|name| (name.clone(), Column::named(&name))).collect() }
    }

    /// How many of them are read.
    pub(super) fn known(&self) -> usize {
        self.all.iter().filter(|(_, column)| column.is_some()).count()
    }

    /// Whether the file has it.
    pub(super) fn has(&self, wanted: Column) -> bool {
        self.all.iter().any(|(_, column)| *column == Some(wanted))
    }

    /// The name of a column in the file.
    pub(super) fn name(&self, wanted: Column) -> &str {
        let found = self.all.iter().find(|(_, column)| *column == Some(wanted));
        found.map_or("name", |(name, _)| name)
    }

    /// The cell of a row in a column.
    pub(super) fn cell<'r>(&self, row: &'r Row, wanted: Column) -> Option<&'r Cell> {
        let place = self.all.iter().position(|(_, column)| *column == Some(wanted))?;
        row.cells.get(place).filter(|cell| !cell.is_empty())
    }

    /// The names of the columns that are not read.
    pub(super) fn ignored(&self) -> Vec<String> {
        let ignored = self.all.iter().filter(|(name, column)| column.is_none() && !name.is_empty());
        ignored.map(|(name, _)| name.clone()).collect()
    }

    /// 422 unless there is a name, and no column twice.
    pub(super) fn check(&self) -> Result<()> {
        let twice = self.all.iter().enumerate().find(|(place, (_, column))| {
            let before = self.all.iter().take(*place);
            column.is_some() && before.into_iter().any(|(_, other)| other == column)
        });
        if let Some((_, (name, column))) = twice {
            let first = column.map_or("", |column| self.name(column));
            return Err(refused(format!("has two columns for the same: {first} and {name}")));
        }
        let named =
            self.has(Column::Name) || self.has(Column::FirstName) && self.has(Column::LastName);
        if named { Ok(()) } else { Err(refused("has no column with names")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &[&str]) -> Columns {
        let cells = names.iter().map(|name| Cell::Text((*name).to_owned())).collect();
        Columns::of(&Row { number: 1, cells })
    }

    #[test]
    fn columns_are_found_by_their_usual_names() {
        for (name, column) in [
            ("Full Name", Column::Name),
            ("STUDENT-ATHLETE", Column::Name),
            ("E-mail", Column::Email),
            ("Student ID #", Column::StudentId),
            ("No.", Column::Jersey),
            ("#", Column::Jersey),
            ("Cl.", Column::Class),
            ("Acad. Yr.", Column::Class),
            ("Pos.", Column::Position),
            ("Ht.", Column::Height),
            ("Hometown / High School", Column::Hometown),
            ("Hometown (Last School)", Column::Hometown),
            ("Enrollment Date", Column::Enrolled),
            ("Team", Column::Sport),
        ] {
            assert_eq!(Column::named(name), Some(column), "{name}");
        }
        for name in ["", "Wt.", "GPA", "Bio", "Namen"] {
            assert_eq!(Column::named(name), None, "{name}");
        }
        let mut all: Vec<&str> = NAMES.iter().flat_map(|(_, names)| *names).copied().collect();
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number, "a name leads to one column");
    }

    #[test]
    fn a_list_needs_names_and_no_column_twice() {
        assert!(columns(&["Name", "Wt.", ""]).check().is_ok());
        assert_eq!(columns(&["Name", "Wt.", ""]).ignored(), ["Wt."]);
        assert!(columns(&["First", "Last", "Yr"]).check().is_ok());
        assert!(columns(&["First", "Yr"]).check().is_err());
        let twice = columns(&["Name", "Yr", "Class"]).check().unwrap_err().to_string();
        assert!(twice.contains("Yr and Class"), "{twice}");
    }
}
