//! Rows of either engine, and the structs that are read from them.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use super::cells::Cells;
use super::values;
use crate::error::{Error, codes};
use crate::kernel::{Cell, FromColumn, Unfit};

/// A struct that is read from a row. Derived: `#[derive(storage::FromRow)]`.
pub trait FromRow: Sized {
    /// Reads the struct.
    fn from_row(row: &Record) -> Read<Self>;
}

/// A struct that names its columns. Derived with [`FromRow`].
pub trait Selected {
    /// The columns that it is read from.
    const COLUMNS: &'static [&'static str];
}

/// A row of either engine.
#[derive(Debug)]
pub struct Record(Of);

#[derive(Debug)]
enum Of {
    /// The current row of these cells.
    Cells(Cells),
    Postgres(PgRow),
    /// A row of PostgreSQL that it has written as JSON.
    Written(Map<String, Value>),
}

/// A column that cannot be read: it is not there, or its value is not what the type needs.
#[derive(Debug)]
pub struct Unread {
    column: String,
    why: Unfit,
}

/// What is read from a row.
pub type Read<T> = Result<T, Unread>;

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the column `{}` cannot be read: {}", self.column, self.why)
    }
}

impl std::error::Error for Unread {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.why.as_ref())
    }
}

impl From<Unread> for Error {
    fn from(error: Unread) -> Self {
        Self::from(codes::INTERNAL).because(error)
    }
}

/// The rows of a result, not yet read into structs.
#[derive(Debug)]
pub(super) enum Rows {
    Cells(Cells),
    Postgres(Vec<PgRow>),
    Written(Vec<Map<String, Value>>),
}

/// The result of a statement, on either engine.
pub(super) struct Answered {
    pub(super) rows: Rows,
    /// The number of rows changed. On PostgreSQL it is set only for statements whose rows are not
    /// read.
    pub(super) changed: u64,
}

impl Rows {
    /// Whether there are no rows.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Cells(cells) => cells.rows() == 0,
            Self::Postgres(rows) => rows.is_empty(),
            Self::Written(rows) => rows.is_empty(),
        }
    }

    /// Reads every row into a struct.
    pub(super) fn decode<T: FromRow>(self) -> Read<Vec<T>> {
        match self {
            Self::Cells(cells) => {
                let mut structs = Vec::with_capacity(cells.rows());
                let mut record = Record::from(cells);
                while record.advance() {
                    structs.push(T::from_row(&record)?);
                }
                Ok(structs)
            }
            Self::Postgres(rows) => {
                let records = rows.into_iter().map(Record::from);
                records.map(|record| T::from_row(&record)).collect()
            }
            Self::Written(rows) => {
                let records = rows.into_iter().map(|row| Record(Of::Written(row)));
                records.map(|record| T::from_row(&record)).collect()
            }
        }
    }
}

impl From<Cells> for Record {
    fn from(cells: Cells) -> Self {
        Self(Of::Cells(cells))
    }
}

impl From<PgRow> for Record {
    fn from(row: PgRow) -> Self {
        Self(Of::Postgres(row))
    }
}

impl Record {
    /// Replaces SQLite's cells by this row.
    #[inline]
    pub(super) fn replace(&mut self, row: &rusqlite::Row<'_>) -> rusqlite::Result<()> {
        match &mut self.0 {
            Of::Cells(cells) => cells.replace(row),
            Of::Postgres(_) | Of::Written(_) => Ok(()),
        }
    }

    /// Moves to the next row of SQLite's cells.
    fn advance(&mut self) -> bool {
        match &mut self.0 {
            Of::Cells(cells) => cells.advance(),
            Of::Postgres(_) | Of::Written(_) => false,
        }
    }

    /// The value of this column; none if there is no such column.
    fn named(&self, column: &str) -> Option<Result<Cell<'_>, Unfit>> {
        match &self.0 {
            Of::Cells(cells) => {
                cells.position(column).and_then(|index| cells.get(index)).map(values::of_sqlite)
            }
            Of::Postgres(row) => row.try_get_raw(column).ok().map(values::of_postgres),
            Of::Written(row) => row.get(column).map(|value| Ok(values::of_written(value))),
        }
    }

    /// The value of the column with this number, from 0.
    fn numbered(&self, index: usize) -> Option<Result<Cell<'_>, Unfit>> {
        match &self.0 {
            Of::Cells(cells) => cells.get(index).map(values::of_sqlite),
            Of::Postgres(row) => row.try_get_raw(index).ok().map(values::of_postgres),
            // Their order is lost.
            Of::Written(_) => None,
        }
    }

    fn cell(&self, column: &str) -> Read<Cell<'_>> {
        match self.named(column) {
            Some(cell) => cell.map_err(|why| unread(column, why)),
            None => Err(unread(column, "it is not there".into())),
        }
    }

    /// The value of this column.
    #[inline]
    pub fn get<T: FromColumn>(&self, column: &str) -> Read<T> {
        as_type(column, self.cell(column)?)
    }

    /// The value of this column; none if there is no such column.
    pub fn find<T: FromColumn>(&self, column: &str) -> Read<Option<T>> {
        let Some(cell) = self.named(column) else { return Ok(None) };
        as_type(column, cell.map_err(|why| unread(column, why))?).map(Some)
    }

    /// The value of this column, or the type's default if there is no such column.
    pub fn get_or_default<T: FromColumn + Default>(&self, column: &str) -> Read<T> {
        self.find(column).map(Option::unwrap_or_default)
    }

    /// The value of this column, which is JSON.
    pub fn json<T: DeserializeOwned>(&self, column: &str) -> Read<T> {
        parsed(column, self.cell(column)?)
    }

    /// The value of this column, which is JSON or NULL.
    pub fn json_or_null<T: DeserializeOwned>(&self, column: &str) -> Read<Option<T>> {
        match self.cell(column)? {
            Cell::Nothing => Ok(None),
            cell => parsed(column, cell).map(Some),
        }
    }

    /// The value of the column with this number, from 0.
    #[inline]
    pub fn at<T: FromColumn>(&self, index: usize) -> Read<T> {
        let wrong = |why| unread(&index.to_string(), why);
        match self.numbered(index) {
            Some(cell) => cell.and_then(T::from_column).map_err(wrong),
            None => Err(wrong("it is not there".into())),
        }
    }
}

#[inline]
fn as_type<T: FromColumn>(column: &str, cell: Cell<'_>) -> Read<T> {
    T::from_column(cell).map_err(|why| unread(column, why))
}

fn parsed<T: DeserializeOwned>(column: &str, cell: Cell<'_>) -> Read<T> {
    let parsed = match cell {
        Cell::Written(value) => T::deserialize(value),
        cell => serde_json::from_str(cell.json().map_err(|why| unread(column, why))?),
    };
    parsed.map_err(|why| unread(column, why.into()))
}

#[cold]
fn unread(column: &str, why: Unfit) -> Unread {
    Unread { column: column.to_owned(), why }
}

/// A record of a left join: none where its `id` is null.
#[derive(Debug)]
pub struct Joined<T>(pub Option<T>);

impl<T: FromRow> FromRow for Joined<T> {
    fn from_row(row: &Record) -> Read<Self> {
        let id: Option<i64> = row.get("id")?;
        id.map(|_| T::from_row(row)).transpose().map(Self)
    }
}

/// Rows of a few columns are read into tuples, by the columns' order.
macro_rules! tuples {
    ($($($name:ident $index:literal),+;)+) => {$(
        impl<$($name: FromColumn),+> FromRow for ($($name,)+) {
            #[inline]
            fn from_row(row: &Record) -> Read<Self> {
                Ok(($(row.at::<$name>($index)?,)+))
            }
        }
    )+};
}

tuples! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
}
