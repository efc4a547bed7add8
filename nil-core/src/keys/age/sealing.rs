//! Seals a file while it is written.

use std::io;
use std::mem;

use super::recipient::Recipient;
use super::{CHUNK, Chunks, NONCE, header};
use crate::kernel::Random;

/// A file that is being sealed. What [`add`](Sealing::add) and [`end`](Sealing::end) answer, one
/// after the other, is the file.
pub struct Sealing {
    chunks: Chunks,
    number: u64,
    /// What was written first and was not handed over yet.
    before: Vec<u8>,
    /// What is not a whole chunk yet. A full one stays until more comes: it may be the last.
    waiting: Vec<u8>,
}

impl Sealing {
    /// Begins a file for these recipients.
    pub fn begin(to: &[Recipient], random: &dyn Random) -> io::Result<Self> {
        let (mut file_key, mut nonce) = ([0; 16], [0; NONCE]);
        random.fill(&mut file_key);
        random.fill(&mut nonce);
        let mut before = header::written(&file_key, to, random)?;
        before.extend_from_slice(&nonce);
        let chunks = Chunks::new(&file_key, &nonce)?;
        Ok(Self { chunks, number: 0, before, waiting: Vec::new() })
    }

    /// Adds contents; the bytes of the file that are ready.
    pub fn add(&mut self, mut contents: &[u8]) -> io::Result<Vec<u8>> {
        let mut ready = mem::take(&mut self.before);
        while !contents.is_empty() {
            if self.waiting.len() == CHUNK {
                let chunk = mem::take(&mut self.waiting);
                ready.extend(self.chunks.seal(self.number, false, chunk)?);
                self.number += 1;
            }
            let (fits, rest) = contents.split_at(contents.len().min(CHUNK - self.waiting.len()));
            self.waiting.extend_from_slice(fits);
            contents = rest;
        }
        Ok(ready)
    }

    /// The last bytes of the file.
    pub fn end(mut self) -> io::Result<Vec<u8>> {
        let mut ready = mem::take(&mut self.before);
        ready.extend(self.chunks.seal(self.number, true, mem::take(&mut self.waiting))?);
        Ok(ready)
    }
}
