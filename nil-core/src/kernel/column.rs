//! What is read from a column: the same on both engines.

use std::error::Error;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::{Date, KeyValue, Time};

/// A column's value, as an engine gives it. SQLite has no truth values, instants, days and JSON of
/// its own: they come as numbers and texts.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'r> {
    /// NULL.
    Nothing,
    /// A whole number.
    Number(i64),
    /// A number with a fraction.
    Real(f64),
    /// A truth value.
    Truth(bool),
    /// A text.
    Text(&'r str),
    /// Bytes.
    Bytes(&'r [u8]),
    /// An instant.
    Time(Time),
    /// A day.
    Date(Date),
    /// JSON.
    Json(&'r str),
    /// A value of any kind but NULL, in the form that PostgreSQL gives it in JSON.
    Written(&'r Value),
}

/// Why a value is not what the type needs.
pub type Unfit = Box<dyn Error + Send + Sync>;

impl<'r> Cell<'r> {
    /// The text of JSON.
    pub fn json(self) -> Result<&'r str, Unfit> {
        match self {
            Self::Json(text) | Self::Text(text) => Ok(text),
            other => Err(other.is_not("JSON")),
        }
    }

    /// A text.
    pub fn text(self) -> Result<&'r str, Unfit> {
        match self.plain() {
            Self::Text(text) => Ok(text),
            other => Err(other.is_not("text")),
        }
    }

    /// The number, truth value or text that stands in JSON; every other value as it is.
    #[inline]
    fn plain(self) -> Self {
        match self {
            Self::Written(Value::Bool(truth)) => Self::Truth(*truth),
            Self::Written(Value::String(text)) => Self::Text(text),
            Self::Written(Value::Number(number)) => match number.as_i64() {
                Some(number) => Self::Number(number),
                None => number.as_f64().map_or(self, Self::Real),
            },
            cell => cell,
        }
    }

    /// The error for a value of another kind. It does not repeat the value: that may be somebody's
    /// data.
    fn is_not(self, wanted: &str) -> Unfit {
        let found = match self {
            Self::Nothing => "NULL",
            Self::Number(_) => "a whole number",
            Self::Real(_) => "a number with a fraction",
            Self::Truth(_) => "a truth value",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::Time(_) => "an instant",
            Self::Date(_) => "a day",
            Self::Json(_) => "JSON",
            Self::Written(_) => "a value in JSON",
        };
        format!("expected {wanted}, found {found}").into()
    }
}

/// A type that is read from a column. It is as strict as the type: NULL is not 0, a number is not
/// text.
pub trait FromColumn: Sized {
    /// Reads the value.
    fn from_column(cell: Cell<'_>) -> Result<Self, Unfit>;
}

/// Types that are read from cells of a few kinds.
macro_rules! read {
    ($($type:ty, $wanted:literal: { $($cell:pat => $value:expr,)+ })+) => {$(
        impl FromColumn for $type {
            #[inline]
            fn from_column(cell: Cell<'_>) -> Result<Self, Unfit> {
                match cell.plain() {
                    $($cell => $value,)+
                    other => Err(other.is_not($wanted)),
                }
            }
        }
    )+};
}

read! {
    i64, "a whole number": { Cell::Number(number) => Ok(number), }
    i32, "a whole number": { Cell::Number(number) => Ok(number.try_into()?), }
    i16, "a whole number": { Cell::Number(number) => Ok(number.try_into()?), }
    bool, "a truth value": {
        Cell::Truth(truth) => Ok(truth),
        Cell::Number(0) => Ok(false),
        Cell::Number(1) => Ok(true),
    }
    f64, "a number with a fraction": { Cell::Real(number) => Ok(number), }
    String, "text": { Cell::Text(text) => Ok(text.to_owned()), }
    Vec<u8>, "bytes": { Cell::Bytes(bytes) => Ok(bytes.to_vec()), }
    Time, "an instant": {
        Cell::Time(at) => Ok(at),
        Cell::Text(text) => Ok(DateTime::parse_from_rfc3339(text)?.with_timezone(&Utc)),
    }
    Date, "a day": {
        Cell::Date(day) => Ok(day),
        Cell::Text(text) => Ok(text.parse()?),
    }
    KeyValue, "a value that lists are sorted by": {
        Cell::Nothing => Ok(Self::Nothing),
        Cell::Number(number) => Ok(Self::Number(number)),
        Cell::Truth(truth) => Ok(Self::Truth(truth)),
        Cell::Text(text) => Ok(Self::Text(text.to_owned())),
        Cell::Time(at) => Ok(Self::Time(at)),
        Cell::Date(day) => Ok(Self::Date(day)),
    }
}

impl FromColumn for Value {
    fn from_column(cell: Cell<'_>) -> Result<Self, Unfit> {
        match cell {
            Cell::Written(value) => Ok(value.clone()),
            cell => Ok(serde_json::from_str(cell.json()?)?),
        }
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    #[inline]
    fn from_column(cell: Cell<'_>) -> Result<Self, Unfit> {
        match cell {
            Cell::Nothing => Ok(None),
            cell => T::from_column(cell).map(Some),
        }
    }
}

/// Makes a tuple struct over `$inner` readable from a row and bindable in a statement.
#[macro_export]
macro_rules! column {
    ($name:ident($inner:ty), $null:ident) => {
        impl $crate::kernel::FromColumn for $name {
            #[inline]
            fn from_column(cell: $crate::kernel::Cell<'_>) -> Result<Self, $crate::kernel::Unfit> {
                <$inner as $crate::kernel::FromColumn>::from_column(cell).map(Self)
            }
        }

        impl From<$name> for sea_query::Value {
            fn from(value: $name) -> Self {
                value.0.into()
            }
        }

        impl sea_query::Nullable for $name {
            fn null() -> sea_query::Value {
                sea_query::Value::$null(None)
            }
        }
    };
}

pub use column;
