//! Translates the engines' values to ours, and ours to SQLite's.

use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef as Kept};
use sea_query::Value;
use sqlx::postgres::{PgValueFormat, PgValueRef};
use sqlx::{Decode, Postgres, TypeInfo as _, ValueRef as _};

use crate::kernel::{Cell, Unfit};

/// A value of SQLite.
#[inline]
pub(super) fn of_sqlite(kept: Kept<'_>) -> Result<Cell<'_>, Unfit> {
    Ok(match kept {
        Kept::Null => Cell::Nothing,
        Kept::Integer(number) => Cell::Number(number),
        Kept::Real(number) => Cell::Real(number),
        Kept::Text(bytes) => Cell::Text(std::str::from_utf8(bytes)?),
        Kept::Blob(bytes) => Cell::Bytes(bytes),
    })
}

/// A value of PostgreSQL, read by sqlx's driver.
pub(super) fn of_postgres(value: PgValueRef<'_>) -> Result<Cell<'_>, Unfit> {
    fn read<'r, T: Decode<'r, Postgres>>(value: PgValueRef<'r>) -> Result<T, Unfit> {
        T::decode(value)
    }
    if value.is_null() {
        return Ok(Cell::Nothing);
    }
    let kind = value.type_info().into_owned();
    Ok(match kind.name() {
        "INT8" => Cell::Number(read(value)?),
        "INT4" => Cell::Number(read::<i32>(value)?.into()),
        "INT2" => Cell::Number(read::<i16>(value)?.into()),
        "BOOL" => Cell::Truth(read(value)?),
        "FLOAT8" => Cell::Real(read(value)?),
        "TEXT" | "VARCHAR" | "CHAR" | "NAME" => Cell::Text(read(value)?),
        "BYTEA" => Cell::Bytes(read(value)?),
        "TIMESTAMPTZ" => Cell::Time(read(value)?),
        "DATE" => Cell::Date(read(value)?),
        "JSONB" => Cell::Json(json(&value)?),
        other => return Err(format!("no column has the type {other}").into()),
    })
}

/// A value of PostgreSQL that stands in JSON.
pub(super) fn of_written(value: &serde_json::Value) -> Cell<'_> {
    match value {
        serde_json::Value::Null => Cell::Nothing,
        value => Cell::Written(value),
    }
}

/// The text of JSON. The binary form begins with its version, which is 1.
fn json<'r>(value: &PgValueRef<'r>) -> Result<&'r str, Unfit> {
    let bytes = value.as_bytes()?;
    let text = match value.format() {
        PgValueFormat::Binary => bytes.strip_prefix(&[1]).ok_or("an unknown form of JSON")?,
        PgValueFormat::Text => bytes,
    };
    Ok(std::str::from_utf8(text)?)
}

/// A value bound for SQLite. Instants, dates and JSON are stored as text.
pub(super) struct Bound<'a>(pub(super) &'a Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Bool(value) => number(*value),
            Value::TinyInt(value) => number(*value),
            Value::SmallInt(value) => number(*value),
            Value::Int(value) => number(*value),
            Value::BigInt(value) => number(*value),
            Value::TinyUnsigned(value) => number(*value),
            Value::SmallUnsigned(value) => number(*value),
            Value::Unsigned(value) => number(*value),
            Value::BigUnsigned(value) => {
                number(value.map(i64::try_from).transpose().map_err(unfit)?)
            }
            Value::Double(value) => borrowed(value.map(Kept::Real)),
            Value::String(value) => {
                borrowed(value.as_ref().map(|text| Kept::Text(text.as_bytes())))
            }
            Value::Bytes(value) => borrowed(value.as_ref().map(|bytes| Kept::Blob(bytes))),
            Value::Json(value) => {
                owned(value.as_ref().map(serde_json::to_string).transpose().map_err(unfit)?)
            }
            Value::ChronoDate(value) => owned(value.map(|date| date.to_string())),
            Value::ChronoDateTimeUtc(value) => owned(value.map(stored)),
            _ => return Err(unfit("a value of this type is never stored")),
        })
    }
}

/// An instant in its stored form: these texts sort in the order of the instants.
fn stored(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}

fn number<'a>(value: Option<impl Into<i64>>) -> ToSqlOutput<'a> {
    borrowed(value.map(|value| Kept::Integer(value.into())))
}

fn borrowed(cell: Option<Kept<'_>>) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(cell.unwrap_or(Kept::Null))
}

fn owned<'a>(text: Option<String>) -> ToSqlOutput<'a> {
    text.map_or(ToSqlOutput::Borrowed(Kept::Null), ToSqlOutput::from)
}

fn unfit(error: impl Into<Unfit>) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use serde_json::Value as Json;

    use super::super::cells::Cells;
    use super::super::record::{FromRow, Read, Rows};
    use super::*;
    use crate::kernel::FromColumn;

    fn read<T: FromRow>(text: &str) -> Read<T> {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let mut statement = connection.prepare(&format!("SELECT {text} AS value")).unwrap();
        let mut cells = Cells::default();
        let mut rows = statement.raw_query();
        cells.add(rows.next().unwrap().unwrap()).unwrap();
        Ok(Rows::Cells(cells).decode::<T>()?.remove(0))
    }

    fn refused<T: FromColumn>(texts: &[&str]) {
        for text in texts {
            let error = read::<(T,)>(text).err().map(|error| error.to_string());
            assert!(error.is_some(), "{text} is no {}", std::any::type_name::<T>());
        }
    }

    #[test]
    fn only_what_a_type_can_be_is_read_as_it() {
        refused::<i64>(&["NULL", "1.0", "'1'", "x'01'"]);
        refused::<i32>(&["NULL", "2147483648"]);
        refused::<i16>(&["NULL", "32768"]);
        refused::<bool>(&["NULL", "2", "-1", "1.0", "'true'"]);
        refused::<f64>(&["NULL", "1", "'1.0'"]);
        refused::<String>(&["NULL", "1", "1.0", "x'61'", "CAST(x'ff' AS TEXT)"]);
        refused::<Vec<u8>>(&["NULL", "1", "'a'"]);
        refused::<NaiveDate>(&["NULL", "20261122", "'22.11.2026'", "'2026-11-22T00:00:00Z'"]);
        refused::<DateTime<Utc>>(&["NULL", "0", "'2026-11-22'", "'2026-11-22 10:00:00'"]);
        refused::<Json>(&["NULL", "5", "'five'", "x'35'"]);
    }

    #[test]
    fn nothing_is_read_where_nothing_may_be() {
        assert_eq!(read::<(Option<i64>,)>("NULL").unwrap(), (None,));
        assert_eq!(read::<(Option<String>,)>("NULL").unwrap(), (None,));
        assert_eq!(read::<(Option<Json>,)>("NULL").unwrap(), (None,));
        assert_eq!(read::<(Option<Json>,)>("'5'").unwrap(), (Some(5.into()),));
    }

    #[test]
    fn an_error_names_the_column_and_no_value() {
        let error = read::<(i64,)>("'jordan@example.com'").unwrap_err().to_string();
        assert_eq!(error, "the column `0` cannot be read: expected a whole number, found text");
    }

    #[test]
    fn texts_of_instants_sort_as_the_instants_do() {
        let instants = [0, 1_000, 120_000_000, 123_000_000, 123_456_000, 123_456_789, 999_999_999];
        let texts = instants.map(|nanos| stored(DateTime::from_timestamp(1, nanos).unwrap()));
        assert!(texts.is_sorted(), "{texts:?}");
        assert_eq!(texts[0], "1970-01-01T00:00:01+00:00");
    }
}
