//! Writes a file of unknown length to the store of objects, a part at a time.

use bytes::BytesMut;
use futures::stream;

use crate::content::storing::not_written;
use crate::error::{Error, Result};
use crate::platform::Platform;
use crate::ports::objects::{ObjectKey, Parted};

/// The size of every part but the last, in bytes. Stores of Amazon's protocol take no smaller ones
/// than 5 MiB.
const PART: usize = 8 * 1024 * 1024;

/// A file on its way to the store. It is not visible before [`close`](Sink::close).
pub(super) struct Sink<'s> {
    platform: &'s Platform,
    key: &'s ObjectKey,
    /// What is not in the store yet: less than a part, or exactly one.
    rest: BytesMut,
    parted: Option<Parted>,
    tags: Vec<String>,
    size: u64,
}

impl<'s> Sink<'s> {
    /// An empty file.
    pub(super) fn new(platform: &'s Platform, key: &'s ObjectKey) -> Self {
        Self { platform, key, rest: BytesMut::new(), parted: None, tags: Vec::new(), size: 0 }
    }

    /// Adds these bytes.
    pub(super) async fn add(&mut self, bytes: &[u8]) -> Result<()> {
        self.rest.extend_from_slice(bytes);
        while self.rest.len() > PART {
            self.put(PART).await?;
        }
        Ok(())
    }

    /// Sends the next part.
    async fn put(&mut self, length: usize) -> Result<()> {
        let objects = self.platform.objects();
        if self.parted.is_none() {
            let upload = objects.begin(self.key).await.map_err(not_written)?;
            self.parted = Some(Parted { key: self.key.clone(), upload });
        }
        let Some(parted) = &self.parted else { return Ok(()) };
        let bytes = self.rest.split_to(length).freeze();
        let number = u16::try_from(self.tags.len() + 1).map_err(Error::internal)?;
        let length = u64::try_from(length).map_err(Error::internal)?;
        let incoming = Box::pin(stream::iter([Ok(bytes)]));
        let tag = objects.put_part(parted, number, length, incoming).await.map_err(not_written)?;
        self.tags.push(tag);
        self.size += length;
        Ok(())
    }

    /// Makes the file durable and visible; returns its size.
    pub(super) async fn close(&mut self) -> Result<i64> {
        let objects = self.platform.objects();
        if self.parted.is_some() {
            self.put(self.rest.len()).await?;
        }
        if let Some(parted) = &self.parted {
            objects.join(parted, &self.tags).await.map_err(not_written)?;
        } else {
            self.size = u64::try_from(self.rest.len()).map_err(Error::internal)?;
            objects.put(self.key, self.rest.split().freeze()).await.map_err(not_written)?;
        }
        i64::try_from(self.size).map_err(Error::internal)
    }

    /// Removes what has arrived. If that fails, the store forgets it by itself.
    pub(super) async fn abort(&self) {
        if let Some(parted) = &self.parted {
            let _ = self.platform.objects().abort(parted).await;
        }
    }
}
