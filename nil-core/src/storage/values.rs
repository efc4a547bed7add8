//! Converts values of rows into our types, and binds our values for SQLite. PostgreSQL's values are read by sqlx's
//! driver, SQLite's are read here, just as strictly: NULL is not 0, a number is not text, an instant is RFC 3339.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef as Cell};
use sea_query::Value;
use serde::Deserialize;
use sqlx::error::{BoxDynError, UnexpectedNullError};
use sqlx::types::Json;
use sqlx::{Decode, Postgres, Type, TypeInfo as _, ValueRef as _};

use super::record::{Field, Kind, Store};
use crate::kernel::KeyValue;

type Read<T> = Result<T, BoxDynError>;

/// Types whose values are read from cells of `$kind` by `$read`, and by sqlx's driver from PostgreSQL.
macro_rules! read {
    ($($type:ty: $kind:ident by $read:expr;)+) => {$(
        impl Type<Store> for $type {
            fn type_info() -> Kind {
                Kind::$kind
            }

            #[inline]
            fn compatible(kind: &Kind) -> bool {
                match kind {
                    Kind::Sqlite(_) => *kind == Kind::$kind,
                    Kind::Postgres(kind) => <$type as Type<Postgres>>::compatible(kind),
                }
            }
        }

        impl<'r> Decode<'r, Store> for $type {
            #[inline]
            fn decode(field: Field<'r>) -> Read<Self> {
                match field {
                    Field::Cell(cell) => $read(cell),
                    Field::Postgres(value) => <Self as Decode<'r, Postgres>>::decode(value),
                }
            }
        }
    )+};
}

read! {
    i64: INTEGER by integer;
    i32: INTEGER by |cell| Ok(integer(cell)?.try_into()?);
    i16: INTEGER by |cell| Ok(integer(cell)?.try_into()?);
    bool: INTEGER by truth;
    f64: REAL by real;
    String: TEXT by |cell| text(cell).map(str::to_owned);
    Vec<u8>: BLOB by |cell| blob(cell).map(<[u8]>::to_vec);
    DateTime<Utc>: TEXT by instant;
    NaiveDate: TEXT by |cell| Ok(text(cell)?.parse()?);
}

impl Type<Store> for str {
    fn type_info() -> Kind {
        Kind::TEXT
    }

    fn compatible(kind: &Kind) -> bool {
        <String as Type<Store>>::compatible(kind)
    }
}

impl<'r> Decode<'r, Store> for &'r str {
    fn decode(field: Field<'r>) -> Read<Self> {
        match field {
            Field::Cell(cell) => text(cell),
            Field::Postgres(value) => <Self as Decode<'r, Postgres>>::decode(value),
        }
    }
}

impl<T> Type<Store> for Json<T> {
    fn type_info() -> Kind {
        Kind::TEXT
    }

    fn compatible(kind: &Kind) -> bool {
        match kind {
            Kind::Sqlite(_) => *kind == Kind::TEXT,
            Kind::Postgres(kind) => <Self as Type<Postgres>>::compatible(kind),
        }
    }
}

impl<'r, T: Deserialize<'r> + 'r> Decode<'r, Store> for Json<T> {
    fn decode(field: Field<'r>) -> Read<Self> {
        match field {
            Field::Cell(cell) => Ok(Self(serde_json::from_str(text(cell)?)?)),
            Field::Postgres(value) => <Self as Decode<'r, Postgres>>::decode(value),
        }
    }
}

/// Reads what a value is from the engine: a list's page is continued with the values that its rows are sorted by.
impl Type<Store> for KeyValue {
    fn type_info() -> Kind {
        Kind::NULL
    }

    fn compatible(_: &Kind) -> bool {
        true
    }
}

impl<'r> Decode<'r, Store> for KeyValue {
    fn decode(field: Field<'r>) -> Read<Self> {
        let value = match field {
            Field::Cell(Cell::Null) => return Ok(Self::Nothing),
            Field::Cell(Cell::Integer(number)) => return Ok(Self::Number(number)),
            Field::Cell(cell) => return Ok(Self::Text(text(cell)?.to_owned())),
            Field::Postgres(value) => value,
        };
        if value.is_null() {
            return Ok(Self::Nothing);
        }
        let kind = value.type_info().name().to_owned();
        match kind.as_str() {
            "INT8" => Ok(Self::Number(Decode::<Postgres>::decode(value)?)),
            "TEXT" => Ok(Self::Text(Decode::<Postgres>::decode(value)?)),
            "TIMESTAMPTZ" => Ok(Self::Time(Decode::<Postgres>::decode(value)?)),
            "DATE" => Ok(Self::Date(Decode::<Postgres>::decode(value)?)),
            _ => Err(format!("a list is not sorted by values of the type {kind}").into()),
        }
    }
}

#[inline]
fn integer(cell: Cell<'_>) -> Read<i64> {
    match cell {
        Cell::Integer(number) => Ok(number),
        other => Err(not("a whole number", other)),
    }
}

#[inline]
fn truth(cell: Cell<'_>) -> Read<bool> {
    match cell {
        Cell::Integer(0) => Ok(false),
        Cell::Integer(1) => Ok(true),
        other => Err(not("0 or 1", other)),
    }
}

fn real(cell: Cell<'_>) -> Read<f64> {
    match cell {
        Cell::Real(number) => Ok(number),
        other => Err(not("a number with a fraction", other)),
    }
}

#[inline]
fn text(cell: Cell<'_>) -> Read<&str> {
    match cell {
        Cell::Text(bytes) => Ok(std::str::from_utf8(bytes)?),
        other => Err(not("text", other)),
    }
}

fn blob(cell: Cell<'_>) -> Read<&[u8]> {
    match cell {
        Cell::Blob(bytes) => Ok(bytes),
        other => Err(not("bytes", other)),
    }
}

fn instant(cell: Cell<'_>) -> Read<DateTime<Utc>> {
    Ok(DateTime::parse_from_rfc3339(text(cell)?)?.to_utc())
}

fn not(wanted: &str, cell: Cell<'_>) -> BoxDynError {
    match cell {
        Cell::Null => UnexpectedNullError.into(),
        other => format!("expected {wanted}, found {}", other.data_type()).into(),
    }
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
            Value::Double(value) => borrowed(value.map(Cell::Real)),
            Value::String(value) => {
                borrowed(value.as_ref().map(|text| Cell::Text(text.as_bytes())))
            }
            Value::Bytes(value) => borrowed(value.as_ref().map(|bytes| Cell::Blob(bytes))),
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
    borrowed(value.map(|value| Cell::Integer(value.into())))
}

fn borrowed(cell: Option<Cell<'_>>) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(cell.unwrap_or(Cell::Null))
}

fn owned<'a>(text: Option<String>) -> ToSqlOutput<'a> {
    text.map_or(ToSqlOutput::Borrowed(Cell::Null), ToSqlOutput::from)
}

fn unfit(error: impl Into<BoxDynError>) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}

#[cfg(test)]
mod tests {
    use sqlx::FromRow;

    use super::super::cells::Cells;
    use super::super::record::{Record, Rows};
    use super::*;

    fn read<T: for<'r> FromRow<'r, Record>>(text: &str) -> sqlx::Result<T> {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let mut statement = connection.prepare(&format!("SELECT {text} AS value")).unwrap();
        let mut cells = Cells::default();
        let mut rows = statement.raw_query();
        cells.add(rows.next().unwrap().unwrap()).unwrap();
        Ok(Rows::Cells(cells).decode::<T>()?.remove(0))
    }

    fn refused<T: for<'r> Decode<'r, Store> + Type<Store> + Send + Unpin>(texts: &[&str]) {
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
        refused::<Json<i64>>(&["NULL", "5", "'five'", "'\"5\"'"]);
    }

    #[test]
    fn nothing_is_read_where_nothing_may_be() {
        assert_eq!(read::<(Option<i64>,)>("NULL").unwrap(), (None,));
        assert_eq!(read::<(Option<String>,)>("NULL").unwrap(), (None,));
        assert_eq!(read::<(Option<Json<i64>>,)>("NULL").unwrap().0.map(|json| json.0), None);
        assert_eq!(read::<(Option<Json<i64>>,)>("'5'").unwrap().0.map(|json| json.0), Some(5));
    }

    #[test]
    fn texts_of_instants_sort_as_the_instants_do() {
        let instants = [0, 1_000, 120_000_000, 123_000_000, 123_456_000, 123_456_789, 999_999_999];
        let texts = instants.map(|nanos| stored(DateTime::from_timestamp(1, nanos).unwrap()));
        assert!(texts.is_sorted(), "{texts:?}");
        assert_eq!(texts[0], "1970-01-01T00:00:01+00:00");
    }
}
