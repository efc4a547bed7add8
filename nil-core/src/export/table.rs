//! The description of a table, and the loop that reads it.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{Datelike as _, SecondsFormat, Timelike as _};

use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, Date, Time, utc_day};
use crate::storage::Session;

/// The number of rows read first: few, so that the reader sees them soon.
pub(super) const FIRST: u64 = 500;

/// The number of rows read at once, after the first ones.
pub(super) const AT_ONCE: u64 = 2_000;

vocabulary! {
    /// The format of an exported file.
    ExportFormat {
        /// Comma-separated values (RFC 4180).
        Csv = "csv",
        /// A spreadsheet (Office Open XML).
        Xlsx = "xlsx",
    }
}

/// Counts the rows of a file while it is written.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicI64>);

impl Counter {
    /// The number of rows so far.
    pub fn rows(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts these rows.
    pub fn add(&self, rows: usize) {
        self.0.fetch_add(i64::try_from(rows).unwrap_or_default(), Ordering::Relaxed);
    }
}

/// A table of any length. Its rows have a fixed order, and each row can find the ones after it.
pub trait Table: Send + Sync + 'static {
    /// A row of the table.
    type Row: Clone + Send + Sync + 'static;

    /// The name of its sheets in a spreadsheet: what a row is, in the plural. At most 28 letters
    /// and spaces.
    const SHEET: &'static str;

    /// The columns, from the left.
    const COLUMNS: &'static [Column<Self::Row>];

    /// Whether people open it as CSV in a spreadsheet; otherwise a program takes it that wants no
    /// byte order mark.
    const FOR_SPREADSHEETS: bool = true;

    /// Reads at most so many rows after this one, or the first rows; none after the last.
    fn next(
        &self,
        session: &mut Session,
        after: Option<&Self::Row>,
        most: u64,
    ) -> impl Future<Output = Result<Vec<Self::Row>>> + Send;
}

/// A column: its title, and the cell it shows for a row.
pub struct Column<R>(pub &'static str, pub fn(&R) -> Cell<'_>);

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'r> {
    Empty,
    Text(Cow<'r, str>),
    Number(i64),
    /// An amount of money.
    Cents(i64),
    /// An instant, in UTC.
    Time(Time),
    Date(Date),
}

impl<'r> From<&'r str> for Cell<'r> {
    fn from(text: &'r str) -> Self {
        Self::Text(text.into())
    }
}

impl<'r> From<&'r String> for Cell<'r> {
    fn from(text: &'r String) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'r> From<&'r Option<String>> for Cell<'r> {
    fn from(text: &'r Option<String>) -> Self {
        text.as_deref().into()
    }
}

impl From<i64> for Cell<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<Cents> for Cell<'_> {
    fn from(cents: Cents) -> Self {
        Self::Cents(cents.get())
    }
}

impl From<Time> for Cell<'_> {
    fn from(time: Time) -> Self {
        Self::Time(time)
    }
}

impl From<Date> for Cell<'_> {
    fn from(date: Date) -> Self {
        Self::Date(date)
    }
}

impl From<bool> for Cell<'_> {
    fn from(yes: bool) -> Self {
        if yes { "yes" } else { "no" }.into()
    }
}

impl<'r, T: Into<Cell<'r>>> From<Option<T>> for Cell<'r> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// Writes an instant in the format of tables: to the second, in UTC.
pub(super) fn moment(at: Time, to: &mut Vec<u8>) {
    let (day, time) = (utc_day(at), at.time());
    // A leap second is the second before it with too many nanoseconds.
    if !(1_000..=9_999).contains(&day.year()) || time.nanosecond() >= 1_000_000_000 {
        to.extend_from_slice(at.to_rfc3339_opts(SecondsFormat::Secs, true).as_bytes());
        return;
    }
    self::day(day, to);
    for (mark, part) in [(b'T', time.hour()), (b':', time.minute()), (b':', time.second())] {
        to.push(mark);
        two(part, to);
    }
    to.push(b'Z');
}

/// Writes a day in the format of tables.
pub(super) fn day(day: Date, to: &mut Vec<u8>) {
    if !(1_000..=9_999).contains(&day.year()) {
        to.extend_from_slice(day.to_string().as_bytes());
        return;
    }
    number(day.year().into(), to);
    for part in [day.month(), day.day()] {
        to.push(b'-');
        two(part, to);
    }
}

/// Writes a whole number.
pub(super) fn number(number: i64, to: &mut Vec<u8>) {
    to.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Writes an amount of money, with two decimals and no separators.
pub(super) fn amount(cents: i64, to: &mut Vec<u8>) {
    if cents < 0 {
        to.push(b'-');
    }
    let cents = cents.unsigned_abs();
    to.extend_from_slice(itoa::Buffer::new().format(cents / 100).as_bytes());
    to.push(b'.');
    two(u32::try_from(cents % 100).unwrap_or_default(), to);
}

/// Writes a number below 100 with two digits.
#[inline]
fn two(number: u32, to: &mut Vec<u8>) {
    let digit = |digit: u32| b'0' + u8::try_from(digit % 10).unwrap_or_default();
    to.extend_from_slice(&[digit(number / 10), digit(number)]);
}
