//! ZIP files that are written while they are sent: nobody holds more of one than a few pieces.

use std::fmt;
use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::digest::{Context, SHA256};
use chrono::{Datelike as _, Timelike as _};
use serde::Serialize;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::error::{Error, Result};
use crate::kernel::Time;
use crate::operation::Pieces;

/// How hard is compressed: an export waits for its reader, not for the last percent.
const LEVEL: i64 = 3;

/// From how many bytes on a piece is sent.
const PIECE: usize = 64 * 1024;

/// The name of the last file, which says what the others are.
const MANIFEST: &str = "manifest.json";

/// A file of an archive, as its manifest names it.
#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    bytes: u64,
    sha256: String,
}

/// What the manifest says.
#[derive(Serialize)]
struct Manifest<'a, T> {
    #[serde(flatten)]
    about: &'a T,
    files: &'a [Listed],
}

/// The file that is being written.
struct Open {
    name: String,
    bytes: u64,
    sum: Context,
}

/// A ZIP file on its way to whoever asked for it. Each file is given by [`begin`](Archive::begin) and
/// any number of [`write`](Archive::write)s; [`finish`](Archive::finish) ends the last one, adds
/// `manifest.json` with every file's size and SHA-256, and closes the archive;
/// [`close`](Archive::close) closes it without that. One that is dropped before is broken, and its
/// reader notices.
pub(crate) struct Archive {
    zip: Box<ZipWriter<StreamWriter<Sink>>>,
    sink: Sink,
    pieces: Pieces,
    options: SimpleFileOptions,
    open: Option<Open>,
    listed: Vec<Listed>,
    wanted: bool,
}

impl Archive {
    /// An empty archive whose files are dated `at` (UTC).
    pub(crate) fn new(pieces: Pieces, at: Time) -> Self {
        let sink = Sink::default();
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(LEVEL))
            .last_modified_time(dated(at))
            .unix_permissions(0o644);
        Self {
            zip: Box::new(ZipWriter::new_stream(sink.clone()).set_auto_large_file()),
            sink,
            pieces,
            options,
            open: None,
            listed: Vec::new(),
            wanted: true,
        }
    }

    /// Ends the file before and begins one with this name. Names are the platform's own: parts of what
    /// people write must not be in them.
    pub(crate) fn begin(&mut self, name: &str) -> Result<()> {
        self.end();
        self.zip.start_file(name, self.options).map_err(Error::internal)?;
        self.open = Some(Open { name: name.to_owned(), bytes: 0, sum: Context::new(&SHA256) });
        Ok(())
    }

    /// Writes on; answers whether anybody still takes the archive.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<bool> {
        if let Some(open) = &mut self.open {
            open.sum.update(bytes);
            open.bytes += u64::try_from(bytes.len()).unwrap_or_default();
        }
        self.zip.write_all(bytes).map_err(Error::internal)?;
        self.send(PIECE).await;
        Ok(self.wanted)
    }

    /// Ends the last file, adds the manifest (`about` and the files) and closes the archive.
    pub(crate) async fn finish<T: Serialize>(mut self, about: &T) -> Result<()> {
        self.end();
        let files = mem::take(&mut self.listed);
        let manifest = Manifest { about, files: &files };
        let manifest = serde_json::to_vec_pretty(&manifest).map_err(Error::internal)?;
        self.begin(MANIFEST)?;
        self.write(&manifest).await?;
        self.close().await
    }

    /// Ends the last file and closes the archive, without a manifest.
    pub(crate) async fn close(self) -> Result<()> {
        let Self { zip, sink, pieces, .. } = self;
        zip.finish().map_err(Error::internal)?;
        let rest = sink.take();
        if !rest.is_empty() {
            pieces.send(rest).await;
        }
        Ok(())
    }

    fn end(&mut self) {
        if let Some(open) = self.open.take() {
            self.listed.push(Listed {
                name: open.name,
                bytes: open.bytes,
                sha256: hex::encode(open.sum.finish()),
            });
        }
    }

    async fn send(&mut self, least: usize) {
        if self.wanted && self.sink.len() >= least {
            self.wanted = self.pieces.send(self.sink.take()).await;
        }
    }
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("listed", &self.listed).finish_non_exhaustive()
    }
}

/// The time as ZIP files keep it; none before 1980.
fn dated(at: Time) -> DateTime {
    let part = |part: u32| u8::try_from(part).unwrap_or_default();
    let year = u16::try_from(at.year()).unwrap_or_default();
    DateTime::from_date_and_time(
        year,
        part(at.month()),
        part(at.day()),
        part(at.hour()),
        part(at.minute()),
        part(at.second()),
    )
    .unwrap_or_default()
}

/// Where the archive's bytes wait until they are sent.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn take(&self) -> Vec<u8> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use aws_lc_rs::digest::digest;
    use serde_json::{Value, json};
    use zip::ZipArchive;

    use super::*;
    use crate::operation::Download;

    fn at() -> Time {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    fn text(archive: &mut ZipArchive<Cursor<Vec<u8>>>, name: &str) -> String {
        let mut text = String::new();
        let mut file = archive.by_name(name).unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    }

    #[tokio::test]
    async fn another_reader_reads_what_was_written_and_the_manifest_adds_up() {
        let long = "a line, and another\r\n".repeat(50_000);
        let written = long.clone();
        let file = Download::growing("x.zip".into(), "application/zip", |pieces| async move {
            let mut archive = Archive::new(pieces, at());
            archive.begin("empty.csv")?;
            archive.begin("long.csv")?;
            for part in written.as_bytes().chunks(7_000) {
                assert!(archive.write(part).await?);
            }
            archive.begin("papers/1.pdf")?;
            archive.write(b"%PDF").await?;
            archive.finish(&json!({ "made_at": at() })).await
        });
        let bytes = file.into_bytes().await.unwrap();
        assert!(bytes.len() < long.len() / 10, "{}", bytes.len());
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let names: Vec<_> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(names, ["empty.csv", "long.csv", "papers/1.pdf", MANIFEST]);
        assert_eq!(text(&mut archive, "long.csv"), long);
        let manifest: Value = serde_json::from_str(&text(&mut archive, MANIFEST)).unwrap();
        assert_eq!(manifest["made_at"], "2026-11-20T12:00:00Z");
        let files = manifest["files"].as_array().unwrap();
        assert_eq!(files.len(), 3);
        for file in files {
            let content = text(&mut archive, file["name"].as_str().unwrap());
            assert_eq!(file["bytes"], content.len());
            let sum = hex::encode(digest(&SHA256, content.as_bytes()));
            assert_eq!(file["sha256"], sum);
        }
    }

    #[tokio::test]
    async fn nobody_writes_for_a_reader_who_left() {
        let (told, heard) = tokio::sync::oneshot::channel();
        let file = Download::growing("x.zip".into(), "application/zip", |pieces| async move {
            let mut archive = Archive::new(pieces, at());
            archive.begin("long.csv")?;
            // Hardly compressible, so that pieces come about.
            let mut state = 1_u64;
            let mut noise = Vec::new();
            while noise.len() < 1_000_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                noise.extend_from_slice(&state.to_be_bytes());
            }
            while archive.write(&noise).await? {}
            told.send(()).unwrap();
            Ok(())
        });
        drop(file);
        heard.await.unwrap();
    }
}
