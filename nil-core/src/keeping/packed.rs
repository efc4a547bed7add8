//! Reads a backup, on a thread that may block.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Seek};

use aws_lc_rs::digest::{Context, SHA256};
use serde::Deserialize;
use tokio::sync::mpsc::Sender;
use zip::ZipArchive;

use super::manifest::{MANIFEST, Manifest, SECRET_KEY, path_of};
use super::putting::PIECE;
use crate::error::{Error, Result, codes};
use crate::keys::MasterKey;
use crate::ports::objects::ObjectKey;

/// About how many bytes of rows are written at once.
const ROWS_BYTES: usize = 2 * 1024 * 1024;
/// The most bytes of a manifest.
const MANIFEST_BYTES: u64 = 1024 * 1024 * 1024;
/// The most bytes of a row.
const ROW_BYTES: u64 = 256 * 1024 * 1024;

/// Where a backup is read from.
pub trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// A backup that is open.
pub struct Packed {
    zip: ZipArchive<Box<dyn Source>>,
    manifest: Manifest,
    listed: HashMap<String, Listed>,
}

/// What the manifest says of a file.
#[derive(Deserialize)]
struct Listed {
    name: String,
    bytes: u64,
    sha256: String,
}

/// A part of the files.
pub(super) enum FilePart {
    /// A file of so many bytes begins.
    Begins(ObjectKey, u64),
    /// The next bytes of the file.
    Bytes(Vec<u8>),
    /// The file is whole, and what was packed.
    Ends,
}

/// Some rows of the table at this place in the manifest.
pub(super) type Rows = (usize, Vec<String>);

impl Packed {
    /// Opens a backup. Refuses a file that is none, or whose end is missing. Blocks.
    pub fn open(file: Box<dyn Source>) -> Result<Self> {
        #[derive(Deserialize)]
        struct Whole {
            #[serde(flatten)]
            manifest: Manifest,
            files: Vec<Listed>,
        }
        let none = |error: zip::result::ZipError| {
            codes::UNAVAILABLE
                .saying("The file is not a backup, or not a whole one.")
                .because(error)
        };
        let mut zip = ZipArchive::new(file).map_err(none)?;
        let manifest = zip.by_name(MANIFEST).map_err(none)?;
        let mut text = Vec::new();
        manifest.take(MANIFEST_BYTES).read_to_end(&mut text).map_err(unreadable)?;
        let whole: Whole = serde_json::from_slice(&text).map_err(|error| {
            codes::UNAVAILABLE.saying("The backup's manifest cannot be read.").because(error)
        })?;
        let listed = whole.files.into_iter().map(|file| (file.name.clone(), file)).collect();
        Ok(Self { zip, manifest: whole.manifest, listed })
    }

    /// What it holds.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The secret key, if it is in it. Blocks.
    pub fn key(&mut self) -> Result<Option<MasterKey>> {
        if !self.manifest.with_key {
            return Ok(None);
        }
        let mut text = String::new();
        self.with(SECRET_KEY, |file| file.read_to_string(&mut text).map(drop).map_err(unreadable))?;
        MasterKey::from_hex(&text).map(Some).map_err(|why| codes::UNAVAILABLE.saying(why))
    }

    /// Reads the files, and checks the length and the SHA-256 of each. Blocks.
    pub(super) fn read_files(&mut self, to: &Sender<FilePart>) -> Result<()> {
        let mut objects: Vec<String> =
            self.listed.keys().filter(|name| name.starts_with("objects/")).cloned().collect();
        objects.sort_unstable();
        for name in objects {
            let key = name.strip_prefix("objects/").and_then(ObjectKey::parse);
            let key = key.ok_or_else(|| changed(&name))?;
            let bytes = self.listed.get(&name).map_or(0, |listed| listed.bytes);
            send(to, FilePart::Begins(key, bytes))?;
            self.with(&name, |file| {
                loop {
                    let mut piece = Vec::new();
                    file.take(PIECE).read_to_end(&mut piece).map_err(unreadable)?;
                    if piece.is_empty() {
                        return Ok(());
                    }
                    send(to, FilePart::Bytes(piece))?;
                }
            })?;
            send(to, FilePart::Ends)?;
        }
        Ok(())
    }

    /// Reads the rows, and checks the length and the SHA-256 of each table's. Blocks.
    pub(super) fn read_rows(&mut self, to: &Sender<Rows>) -> Result<()> {
        let tables = self.manifest.tables.iter();
        let paths: Vec<String> = tables.map(|held| path_of(&held.table)).collect();
        for (place, path) in paths.iter().enumerate() {
            self.with(path, |file| {
                let mut lines = BufReader::new(file);
                let (mut rows, mut bytes) = (Vec::new(), 0);
                loop {
                    let mut row = String::new();
                    lines.by_ref().take(ROW_BYTES).read_line(&mut row).map_err(unreadable)?;
                    if row.is_empty() {
                        break;
                    }
                    bytes += row.len();
                    row.truncate(row.trim_end_matches('\n').len());
                    rows.push(row);
                    if bytes >= ROWS_BYTES {
                        send(to, (place, std::mem::take(&mut rows)))?;
                        bytes = 0;
                    }
                }
                if rows.is_empty() { Ok(()) } else { send(to, (place, rows)) }
            })?;
        }
        Ok(())
    }

    /// Reads a file of the backup to its end, and checks that it is what was written.
    fn with(&mut self, name: &str, read: impl FnOnce(&mut Summed<'_>) -> Result<()>) -> Result<()> {
        let listed = self.listed.get(name).ok_or_else(|| changed(name))?;
        let mut file = self.zip.by_name(name).map_err(|error| changed(name).because(error))?;
        let mut summed = Summed { file: &mut file, sum: Context::new(&SHA256), bytes: 0 };
        read(&mut summed)?;
        let whole =
            summed.bytes == listed.bytes && hex::encode(summed.sum.finish()) == listed.sha256;
        if whole { Ok(()) } else { Err(changed(name)) }
    }
}

/// A file whose bytes are summed while they are read.
struct Summed<'f> {
    file: &'f mut dyn Read,
    sum: Context,
    bytes: u64,
}

impl Read for Summed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.sum.update(into.get(..read).unwrap_or_default());
        self.bytes += u64::try_from(read).unwrap_or_default();
        Ok(read)
    }
}

fn send<T>(to: &Sender<T>, part: T) -> Result<()> {
    to.blocking_send(part).map_err(|_| Error::internal("nobody takes the backup's parts"))
}

fn changed(name: &str) -> Error {
    codes::UNAVAILABLE.saying(format!("The backup is damaged: {name} is not what was written."))
}

fn unreadable(error: io::Error) -> Error {
    codes::UNAVAILABLE.saying(format!("The backup cannot be read: {error}.")).because(error)
}
