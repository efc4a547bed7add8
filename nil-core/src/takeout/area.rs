//! An area of a person's data: a statement, and the columns that are shown of its rows.

use std::marker::PhantomData;

use chrono::SecondsFormat;
use serde_json::Value;

use crate::accounts::UserKind;
use crate::kernel::{Date, Time, UserId};
use crate::storage::{FromRow, Read, Record};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    Cents,
    Moment,
    Day,
    Yes,
    Json,
}

/// What names the person in the statement, as `$1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// The account's id.
    Account,
    /// The id of the record of the person's kind.
    Profile,
    /// The account's key, such as `user:7`.
    Key,
    /// The owner of money, such as `athlete:3`.
    Owner,
}

/// An area. The statement takes the person, the `id` to continue behind, and the number of rows; it
/// selects `id` and the columns, in the order of `id`.
pub(super) trait Area: Send + Sync + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    const WHOSE: Whose;
    const COLUMNS: &'static [(&'static str, Kind)];
    const TEXT: &'static str;
}

/// Declares areas.
macro_rules! areas {
    ($($area:ident = $name:literal $title:literal of $whose:ident
        [$($column:ident: $kind:ident),+ $(,)?] $text:expr;)+) => {$(
        #[derive(Debug)]
        pub(super) struct $area;

        impl Area for $area {
            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;
            const WHOSE: Whose = Whose::$whose;
            const COLUMNS: &'static [(&'static str, Kind)] =
                &[$((stringify!($column), Kind::$kind)),+];
            const TEXT: &'static str = $text;
        }
    )+
        /// The statements of these areas.
        #[cfg(test)]
        pub(super) const STATEMENTS: &[&str] = &[$($area::TEXT),+];
    };
}
pub(super) use areas;

/// A row of an area.
#[derive(Debug)]
pub(super) struct Line<A> {
    pub(super) id: i64,
    /// In the order of the area's columns.
    pub(super) values: Vec<Value>,
    area: PhantomData<fn() -> A>,
}

impl<A: Area> FromRow for Line<A> {
    fn from_row(row: &Record) -> Read<Self> {
        let value = |(name, kind): &(&'static str, Kind)| -> Read<Value> {
            let name = *name;
            Ok(match kind {
                Kind::Text => row.get::<Option<String>>(name)?.into(),
                Kind::Number | Kind::Cents => row.get::<Option<i64>>(name)?.into(),
                Kind::Moment => {
                    let at: Option<Time> = row.get(name)?;
                    at.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true)).into()
                }
                Kind::Day => {
                    let day: Option<Date> = row.get(name)?;
                    day.map(|day| day.to_string()).into()
                }
                Kind::Yes => row.get::<Option<bool>>(name)?.into(),
                Kind::Json => row.get::<Option<Value>>(name)?.unwrap_or_default(),
            })
        };
        let values = A::COLUMNS.iter().map(value).collect::<Read<_>>()?;
        Ok(Self { id: row.get("id")?, values, area: PhantomData })
    }
}

/// The person whose data it is.
#[derive(Clone, Copy, Debug, FromRow)]
pub(super) struct Taker {
    pub(super) user_id: UserId,
    pub(super) kind: UserKind,
    pub(super) profile_id: i64,
}
