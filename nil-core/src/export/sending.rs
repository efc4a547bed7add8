//! Sends tables as CSV or XLSX, and writes them into archives.

use std::sync::Arc;

use futures::StreamExt as _;
use tokio::task::JoinHandle;

use super::archive::Archive;
use super::csv::Sheet;
use super::table::{AT_ONCE, Counter, ExportFormat, FIRST, Table};
use super::xlsx;
use crate::error::{Error, Result};
use crate::operation::Download;
use crate::platform::Platform;

/// Reads a table part by part, always one part ahead. No connection is held while the reader
/// receives a part.
pub(super) struct Parts<T: Table> {
    platform: Platform,
    table: Arc<T>,
    /// The next part; none behind the last.
    ahead: Option<JoinHandle<Result<Vec<T::Row>>>>,
}

impl<T: Table> Parts<T> {
    pub(super) fn of(platform: &Platform, table: T) -> Self {
        let mut parts = Self { platform: platform.clone(), table: Arc::new(table), ahead: None };
        parts.read(None);
        parts
    }

    /// The next rows; none after the last.
    pub(super) async fn next(&mut self) -> Result<Vec<T::Row>> {
        let rows = match self.ahead.take() {
            Some(part) => part.await.map_err(Error::internal)??,
            None => Vec::new(),
        };
        if let Some(last) = rows.last() {
            self.read(Some(last.clone()));
        }
        Ok(rows)
    }

    fn read(&mut self, last: Option<T::Row>) {
        let (platform, table) = (self.platform.clone(), self.table.clone());
        let most = if last.is_some() { AT_ONCE } else { FIRST };
        self.ahead = Some(tokio::spawn(async move {
            let mut session = platform.db().read().await?;
            table.next(&mut session, last.as_ref(), most).await
        }));
    }
}

impl<T: Table> Drop for Parts<T> {
    fn drop(&mut self) {
        if let Some(ahead) = &self.ahead {
            ahead.abort();
        }
    }
}

/// The media type of a file in this format.
pub const fn content_type(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Csv => "text/csv; charset=utf-8",
        ExportFormat::Xlsx => xlsx::MEDIA_TYPE,
    }
}

/// Sends a table as a file in this format, with this name before the ending.
pub fn send<T: Table>(
    platform: &Platform,
    name: &str,
    format: ExportFormat,
    table: T,
    counter: Counter,
) -> Download {
    let name = format!("{name}.{format}");
    match format {
        ExportFormat::Csv => send_csv(platform, name, table, counter),
        ExportFormat::Xlsx => send_xlsx(platform, name, table, counter),
    }
}

fn send_csv<T: Table>(platform: &Platform, name: String, table: T, counter: Counter) -> Download {
    let platform = platform.clone();
    Download::growing(name, content_type(ExportFormat::Csv), |pieces| async move {
        let mut sheet = Sheet::of::<T>();
        let mut parts = Parts::of(&platform, table);
        // The titles are sent before the first rows are read.
        while pieces.send(sheet.take()).await {
            let rows = parts.next().await?;
            if rows.is_empty() {
                break;
            }
            sheet.lines::<T>(&rows);
            counter.add(rows.len());
        }
        Ok(())
    })
}

fn send_xlsx<T: Table>(platform: &Platform, name: String, table: T, counter: Counter) -> Download {
    let platform = platform.clone();
    Download::growing(name, content_type(ExportFormat::Xlsx), |pieces| async move {
        let mut book = xlsx::Book::new(pieces, platform.now());
        let mut parts = Parts::of(&platform, table);
        loop {
            let rows = parts.next().await?;
            if rows.is_empty() {
                return book.finish::<T>().await;
            }
            counter.add(rows.len());
            if !book.lines::<T>(&rows).await? {
                return Ok(());
            }
        }
    })
}

/// Writes a table in this format into a file of an archive, with this name before the ending;
/// returns whether the reader is still there.
pub async fn into_archive<T: Table>(
    platform: &Platform,
    archive: &mut Archive,
    name: &str,
    format: ExportFormat,
    table: T,
) -> Result<bool> {
    let name = format!("{name}.{format}");
    archive.begin(&name).await?;
    match format {
        ExportFormat::Csv => lines_into_archive(platform, archive, table).await,
        ExportFormat::Xlsx => {
            let mut book = send_xlsx(platform, name, table, Counter::default()).bytes;
            while let Some(piece) = book.next().await {
                if !archive.write(piece?).await? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

async fn lines_into_archive<T: Table>(
    platform: &Platform,
    archive: &mut Archive,
    table: T,
) -> Result<bool> {
    let mut sheet = Sheet::of::<T>();
    let mut parts = Parts::of(platform, table);
    loop {
        let rows = parts.next().await?;
        sheet.lines::<T>(&rows);
        let over = rows.is_empty();
        let wanted = archive.write(sheet.take()).await?;
        if over || !wanted {
            return Ok(wanted);
        }
    }
}
