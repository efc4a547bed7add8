//! Opens a sealed file, from any place on.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::recipient::Identity;
use super::{CHUNK, Chunks, NONCE, TAG, broken, header};

/// Whether a file is sealed: it begins as one. Its place is the beginning afterwards.
pub fn is_sealed(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    let mut first = Vec::new();
    let length = u64::try_from(header::FIRST.len()).unwrap_or_default();
    file.rewind()?;
    file.take(length).read_to_end(&mut first)?;
    file.rewind()?;
    Ok(first == header::FIRST.as_bytes())
}

/// The contents of a sealed file.
pub struct Opened<R> {
    file: R,
    chunks: Chunks,
    /// Where the first chunk begins in the file.
    start: u64,
    /// The length of the contents.
    length: u64,
    place: u64,
    /// The chunk that was opened last, with its number.
    open: Option<(u64, Vec<u8>)>,
}

const WHOLE: u64 = 64 * 1024;
const SEALED: u64 = WHOLE + 16;

impl<R: Read + Seek> Opened<R> {
    /// Opens a file with one of these keys. Its last chunk is opened at once, so that a file that
    /// was cut off is refused.
    pub fn new(mut file: R, own: &[Identity]) -> io::Result<Self> {
        debug_assert_eq!(usize::try_from(SEALED).ok(), Some(CHUNK + TAG));
        let all = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let mut reading = BufReader::new(&mut file);
        let (file_key, length) = header::read(&mut reading, own)?;
        let mut nonce = [0; NONCE];
        reading.read_exact(&mut nonce)?;
        let start = length + u64::try_from(NONCE).unwrap_or_default();
        let sealed = all.saturating_sub(start);
        let (whole, rest) = (sealed / SEALED, sealed % SEALED);
        let tag = SEALED - WHOLE;
        let length = match rest {
            0 if whole > 0 => whole * WHOLE,
            rest if rest < tag => return Err(broken("the file is cut off")),
            rest => whole * WHOLE + (rest - tag),
        };
        let chunks = Chunks::new(&file_key, &nonce)?;
        let mut opened = Self { file, chunks, start, length, place: 0, open: None };
        opened.turn_to(opened.last())?;
        Ok(opened)
    }

    /// The number of the last chunk. Only an empty file has an empty one.
    fn last(&self) -> u64 {
        self.length.saturating_sub(1) / WHOLE
    }

    /// Opens the chunk with this number.
    fn turn_to(&mut self, number: u64) -> io::Result<&[u8]> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != number) {
            self.file.seek(SeekFrom::Start(self.start + number * SEALED))?;
            let mut chunk = Vec::new();
            (&mut self.file).take(SEALED).read_to_end(&mut chunk)?;
            let chunk = self.chunks.open(number, number == self.last(), chunk)?;
            self.open = Some((number, chunk));
        }
        Ok(self.open.as_ref().map_or(&[], |(_, chunk)| chunk))
    }
}

impl<R: Read + Seek> Read for Opened<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.place >= self.length {
            return Ok(0);
        }
        let within = usize::try_from(self.place % WHOLE).unwrap_or_default();
        let chunk = self.turn_to(self.place / WHOLE)?;
        let read = chunk.get(within..).unwrap_or_default().read(into)?;
        self.place += u64::try_from(read).unwrap_or_default();
        Ok(read)
    }
}

impl<R: Read + Seek> Seek for Opened<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
        };
        let before = || io::Error::new(io::ErrorKind::InvalidInput, "before the first byte");
        self.place = place.ok_or_else(before)?;
        Ok(self.place)
    }
}
