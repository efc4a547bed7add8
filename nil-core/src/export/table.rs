//! The description of a table, and the loop that reads it.

use std::borrow::Cow;

use chrono::SecondsFormat;

use super::archive::Archive;
use super::csv::Sheet;
use super::xlsx;
use crate::error::Result;
use crate::kernel::{Cents, Date, Time};
use crate::operation::Download;
use crate::platform::Platform;
use crate::storage::Session;

/// The number of rows read at once.
pub(crate) const AT_ONCE: u64 = 500;

/// A table of any length. Its rows have a fixed order, and each row can find the ones after it.
pub(crate) trait Table: Send + Sync + 'static {
    /// A row of the table.
    type Row: Send + Sync + 'static;

    /// The columns, from the left.
    const COLUMNS: &'static [Column<Self::Row>];

    /// Reads at most [`AT_ONCE`] rows after this one, or the first rows; none after the last.
    fn next(
        &self,
        session: &mut Session,
        after: Option<&Self::Row>,
    ) -> impl Future<Output = Result<Vec<Self::Row>>> + Send;
}

/// A column: its title, and the cell it shows for a row.
pub(crate) struct Column<R>(pub(crate) &'static str, pub(crate) fn(&R) -> Cell<'_>);

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell<'r> {
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

/// An instant in the format of tables: to the second, in UTC.
pub(super) fn moment(at: Time) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Reads a table part by part. No connection is held while the reader receives a part.
pub(super) struct Parts<'t, T: Table> {
    platform: &'t Platform,
    table: &'t T,
    rows: Vec<T::Row>,
}

impl<'t, T: Table> Parts<'t, T> {
    pub(super) fn of(platform: &'t Platform, table: &'t T) -> Self {
        Self { platform, table, rows: Vec::new() }
    }

    /// The next rows; none after the last.
    pub(super) async fn next(&mut self) -> Result<&[T::Row]> {
        let mut session = self.platform.db().read().await?;
        self.rows = self.table.next(&mut session, self.rows.last()).await?;
        Ok(&self.rows)
    }
}

/// Sends a table as CSV.
pub(crate) fn send_csv(platform: &Platform, name: String, table: impl Table) -> Download {
    let platform = platform.clone();
    Download::growing(name, "text/csv; charset=utf-8", |pieces| async move {
        let mut sheet = Sheet::of(&table);
        let mut parts = Parts::of(&platform, &table);
        loop {
            let rows = parts.next().await?;
            sheet.lines(&table, rows);
            let over = rows.is_empty();
            let piece = sheet.take();
            let wanted = piece.is_empty() || pieces.send(piece).await;
            if over || !wanted {
                return Ok(());
            }
        }
    })
}

/// Sends a table as a spreadsheet (Office Open XML).
pub(crate) fn send_xlsx(platform: &Platform, name: String, table: impl Table) -> Download {
    let platform = platform.clone();
    Download::growing(name, xlsx::MEDIA_TYPE, |pieces| async move {
        let mut book = xlsx::Book::new(pieces, platform.now());
        let mut parts = Parts::of(&platform, &table);
        loop {
            let rows = parts.next().await?;
            if rows.is_empty() {
                return book.finish(&table).await;
            }
            if !book.lines(&table, rows).await? {
                return Ok(());
            }
        }
    })
}

/// Writes a table as CSV into a file of an archive; returns whether the reader is still there.
pub(crate) async fn into_archive(
    platform: &Platform,
    archive: &mut Archive,
    name: &str,
    table: impl Table,
) -> Result<bool> {
    archive.begin(name)?;
    let mut sheet = Sheet::of(&table);
    let mut parts = Parts::of(platform, &table);
    loop {
        let rows = parts.next().await?;
        sheet.lines(&table, rows);
        let over = rows.is_empty();
        let wanted = archive.write(&sheet.take()).await?;
        if over || !wanted {
            return Ok(wanted);
        }
    }
}
