//! One row type for both engines. `#[derive(sqlx::FromRow)]` is generic over sqlx's `Row`, and a row belongs to a
//! `Database`: [`Store`] presents both engines as one such database, for reading rows only.

use std::borrow::Cow;
use std::fmt;

use rusqlite::types::{Type as Class, Value as Kept, ValueRef as Cell};
use sqlx::postgres::{PgRow, PgTypeInfo, PgValue, PgValueRef};
use sqlx::{ColumnIndex, Database, FromRow, Value, ValueRef};

use super::cells::Cells;
use super::unused::{NoArguments, Unused};

/// Both engines as one database for reading rows. It is never used to run statements: see [`Unused`].
#[derive(Debug)]
pub struct Store;

impl Database for Store {
    type Connection = Unused;
    type TransactionManager = Unused;
    type Row = Record;
    type QueryResult = ();
    type Column = Unused;
    type TypeInfo = Kind;
    type Value = Owned;
    type ValueRef<'r> = Field<'r>;
    type Arguments = NoArguments;
    type ArgumentBuffer = ();
    type Statement = Unused;
    const NAME: &'static str = "store";
    const URL_SCHEMES: &'static [&'static str] = &[];
}

/// A row of either engine.
#[derive(Debug)]
pub struct Record(Of);

#[derive(Debug)]
enum Of {
    /// The current row of these cells.
    Cells(Cells),
    Postgres(PgRow),
}

/// The rows of a result, not yet read into structs.
#[derive(Debug)]
pub(super) enum Rows {
    Cells(Cells),
    Postgres(Vec<PgRow>),
}

impl Rows {
    /// Whether there are no rows.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Cells(cells) => cells.rows() == 0,
            Self::Postgres(rows) => rows.is_empty(),
        }
    }

    /// Reads every row into a struct.
    pub(super) fn decode<T: for<'r> FromRow<'r, Record>>(self) -> sqlx::Result<Vec<T>> {
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
            Of::Postgres(_) => Ok(()),
        }
    }

    /// Moves to the next row of SQLite's cells.
    fn advance(&mut self) -> bool {
        match &mut self.0 {
            Of::Cells(cells) => cells.advance(),
            Of::Postgres(_) => false,
        }
    }
}

impl sqlx::Row for Record {
    type Database = Store;

    /// Rows are read by name or number only; the columns are never listed.
    fn columns(&self) -> &[Unused] {
        &[]
    }

    #[inline]
    fn try_get_raw<I: ColumnIndex<Self>>(&self, index: I) -> sqlx::Result<Field<'_>> {
        let index = index.index(self)?;
        match &self.0 {
            Of::Cells(cells) => match cells.get(index) {
                Some(cell) => Ok(Field::Cell(cell)),
                None => Err(sqlx::Error::ColumnIndexOutOfBounds { index, len: cells.columns() }),
            },
            Of::Postgres(row) => row.try_get_raw(index).map(Field::Postgres),
        }
    }
}

impl ColumnIndex<Record> for usize {
    fn index(&self, _: &Record) -> sqlx::Result<usize> {
        Ok(*self)
    }
}

impl ColumnIndex<Record> for &'_ str {
    #[inline]
    fn index(&self, record: &Record) -> sqlx::Result<usize> {
        match &record.0 {
            Of::Cells(cells) => {
                cells.position(self).ok_or_else(|| sqlx::Error::ColumnNotFound((*self).to_owned()))
            }
            Of::Postgres(row) => ColumnIndex::<PgRow>::index(self, row),
        }
    }
}

/// A record of a left join: none where its `id` is null.
#[derive(Debug)]
pub struct Joined<T>(pub Option<T>);

impl<'r, T: FromRow<'r, Record>> FromRow<'r, Record> for Joined<T> {
    fn from_row(row: &'r Record) -> sqlx::Result<Self> {
        let id: Option<i64> = sqlx::Row::try_get(row, "id")?;
        id.map(|_| T::from_row(row)).transpose().map(Self)
    }
}

/// One value of a row.
pub enum Field<'r> {
    /// A value from SQLite.
    Cell(Cell<'r>),
    /// A value from PostgreSQL.
    Postgres(PgValueRef<'r>),
}

impl<'r> ValueRef<'r> for Field<'r> {
    type Database = Store;

    fn to_owned(&self) -> Owned {
        match self {
            // Text that is not valid UTF-8 is kept as bytes.
            Self::Cell(cell) => Owned::Cell(
                Kept::try_from(*cell)
                    .unwrap_or_else(|_| Kept::Blob(cell.as_bytes().unwrap_or_default().to_vec())),
            ),
            Self::Postgres(value) => Owned::Postgres(ValueRef::to_owned(value)),
        }
    }

    #[inline]
    fn type_info(&self) -> Cow<'_, Kind> {
        Cow::Owned(match self {
            Self::Cell(cell) => Kind::Sqlite(cell.data_type()),
            Self::Postgres(value) => Kind::Postgres(value.type_info().into_owned()),
        })
    }

    #[inline]
    fn is_null(&self) -> bool {
        match self {
            Self::Cell(cell) => matches!(cell, Cell::Null),
            Self::Postgres(value) => value.is_null(),
        }
    }
}

/// A value that outlives its row.
pub enum Owned {
    /// A value from SQLite.
    Cell(Kept),
    /// A value from PostgreSQL.
    Postgres(PgValue),
}

impl Value for Owned {
    type Database = Store;

    fn as_ref(&self) -> Field<'_> {
        match self {
            Self::Cell(kept) => Field::Cell(kept.into()),
            Self::Postgres(value) => Field::Postgres(value.as_ref()),
        }
    }

    fn type_info(&self) -> Cow<'_, Kind> {
        Cow::Owned(self.as_ref().type_info().into_owned())
    }

    fn is_null(&self) -> bool {
        self.as_ref().is_null()
    }
}

/// The type of a value in its engine's terms.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One of SQLite's five storage classes.
    Sqlite(Class),
    /// A PostgreSQL type.
    Postgres(PgTypeInfo),
}

impl Kind {
    pub(super) const NULL: Self = Self::Sqlite(Class::Null);
    pub(super) const INTEGER: Self = Self::Sqlite(Class::Integer);
    pub(super) const REAL: Self = Self::Sqlite(Class::Real);
    pub(super) const TEXT: Self = Self::Sqlite(Class::Text);
    pub(super) const BLOB: Self = Self::Sqlite(Class::Blob);
}

impl sqlx::TypeInfo for Kind {
    #[inline]
    fn is_null(&self) -> bool {
        match self {
            Self::Sqlite(_) => *self == Self::NULL,
            Self::Postgres(kind) => kind.is_null(),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Sqlite(Class::Null) => "NULL",
            Self::Sqlite(Class::Integer) => "INTEGER",
            Self::Sqlite(Class::Real) => "REAL",
            Self::Sqlite(Class::Text) => "TEXT",
            Self::Sqlite(Class::Blob) => "BLOB",
            Self::Postgres(kind) => kind.name(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(sqlx::TypeInfo::name(self))
    }
}
