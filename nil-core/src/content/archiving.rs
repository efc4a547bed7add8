//! Files packed into one archive (ZIP) while it is sent, with a list of them and their sums.
//!
//! Nothing is written to a disk, and no more than a few pieces are in memory. Every byte is held against
//! the sum that was taken when the file was handed over: an archive that does not match breaks off.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::digest::{Context, SHA256};
use chrono::{Datelike as _, Timelike as _};
use futures::TryStreamExt as _;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::file::StoredFile;
use super::naming::safe_name;
use super::reading::send;
use crate::error::{Error, Result};
use crate::kernel::{Sheet, Time};
use crate::operation::{Download, Pieces};
use crate::platform::Platform;

/// The archive of these files under `name`: `documents/01-….pdf` and so on, and at the end
/// `manifest.csv` with each one's size and SHA-256.
pub(crate) fn archive(
    platform: &Platform,
    name: String,
    files: Vec<StoredFile>,
    now: Time,
) -> Download {
    let platform = platform.clone();
    Download::growing(name, "application/zip", move |pieces| async move {
        let mut packing = Packing::new(pieces);
        let mut manifest =
            Sheet::headed(&["file", "name", "media_type", "size", "sha256", "added"]);
        for (number, file) in files.into_iter().enumerate() {
            let place = place(number + 1, &file);
            if !packing.file(&platform, &place, &file).await? {
                return Ok(());
            }
            manifest.text(&place);
            manifest.text(&file.name);
            manifest.text(file.media_type.as_str());
            manifest.number(file.size);
            manifest.text(&file.sha256);
            manifest.text(&file.created_at.to_rfc3339());
            manifest.end_line();
        }
        packing.end(&manifest.take(), now).await
    })
}

/// Where a file stands in the archive. Its number makes it the only one of that name; the name is made
/// safe again, so that nothing that once got into a row leads out of whoever's folder it is unpacked in.
fn place(number: usize, file: &StoredFile) -> String {
    let name = safe_name(&file.name, file.media_type);
    format!("documents/{number:02}-{name}")
}

/// What the packer has written and nobody has taken yet.
#[derive(Clone, Debug, Default)]
struct Tray(Arc<Mutex<Vec<u8>>>);

impl Tray {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Tray {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut tray = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tray.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Packing {
    zip: Box<ZipWriter<StreamWriter<Tray>>>,
    tray: Tray,
    pieces: Pieces,
}

impl Packing {
    fn new(pieces: Pieces) -> Self {
        let tray = Tray::default();
        Self {
            zip: Box::new(ZipWriter::new_stream(tray.clone())),
            tray,
            pieces,
        }
    }

    fn begin(&mut self, place: &str, at: Time) -> Result<()> {
        let mut options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            // What is worth packing is small, and the rest is packed already.
            .compression_level(Some(1))
            .unix_permissions(0o644);
        if let Some(at) = moment(at) {
            options = options.last_modified_time(at);
        }
        self.zip.start_file(place, options).map_err(Error::internal)
    }

    /// Packs a file; answers whether anybody still wants more.
    async fn file(&mut self, platform: &Platform, place: &str, file: &StoredFile) -> Result<bool> {
        self.begin(place, file.created_at)?;
        let mut sum = Context::new(&SHA256);
        let mut bytes = send(platform, file.clone()).await?.bytes;
        while let Some(piece) = bytes.try_next().await? {
            sum.update(&piece);
            self.zip.write_all(&piece).map_err(Error::internal)?;
            if !self.hand_over().await {
                return Ok(false);
            }
        }
        if hex::encode(sum.finish()) == file.sha256 {
            return Ok(true);
        }
        Err(Error::internal(format!(
            "the object of file {} is not what was handed over",
            file.id
        )))
    }

    /// Sends what there is; answers whether anybody still wants more.
    async fn hand_over(&self) -> bool {
        match self.tray.take() {
            nothing if nothing.is_empty() => true,
            piece => self.pieces.send(piece).await,
        }
    }

    async fn end(mut self, manifest: &[u8], now: Time) -> Result<()> {
        self.begin("manifest.csv", now)?;
        self.zip.write_all(manifest).map_err(Error::internal)?;
        let Self { zip, tray, pieces } = self;
        (*zip).finish().map_err(Error::internal)?;
        pieces.send(tray.take()).await;
        Ok(())
    }
}

/// The instant as archives keep it: from 1980 on, in steps of two seconds.
fn moment(at: Time) -> Option<DateTime> {
    let small = |number: u32| u8::try_from(number).ok();
    let year = u16::try_from(at.year()).ok()?;
    let (month, day) = (small(at.month())?, small(at.day())?);
    let (hour, minute, second) = (small(at.hour())?, small(at.minute())?, small(at.second())?);
    DateTime::from_date_and_time(year, month, day, hour, minute, second).ok()
}
