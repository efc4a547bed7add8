//! Writes a backup's files into the object store.

use bytes::Bytes;
use futures::stream;

use crate::error::{Error, Result, codes};
use crate::platform::Platform;
use crate::ports::objects::{ObjectKey, Objects, Parted};

/// The bytes of a piece. A larger file is written in parts of this length.
pub(super) const PIECE: u64 = 8 * 1024 * 1024;

/// The object store while it gets the files.
pub(super) struct Putting<'p> {
    objects: &'p dyn Objects,
    open: Option<Open>,
}

enum Open {
    /// The store has the file already: objects are never changed.
    There,
    /// A file of one piece.
    Small(ObjectKey, Vec<u8>),
    /// A file of several pieces.
    Large(Parted, Vec<String>),
}

impl<'p> Putting<'p> {
    pub(super) fn into_store_of(platform: &'p Platform) -> Self {
        Self { objects: platform.objects(), open: None }
    }

    /// Begins a file.
    pub(super) async fn begin(&mut self, key: ObjectKey, bytes: u64) -> Result<()> {
        let there = self.objects.get_part(&key, 0, 1).await.map_err(unwritten)?;
        self.open = Some(if there.is_some() {
            Open::There
        } else if bytes <= PIECE {
            Open::Small(key, Vec::new())
        } else {
            let upload = self.objects.begin(&key).await.map_err(unwritten)?;
            Open::Large(Parted { key, upload }, Vec::new())
        });
        Ok(())
    }

    /// Writes the next bytes of the file.
    pub(super) async fn write(&mut self, piece: Vec<u8>) -> Result<()> {
        match &mut self.open {
            Some(Open::Small(_, bytes)) => bytes.extend(piece),
            Some(Open::Large(parted, tags)) => {
                let number = u16::try_from(tags.len() + 1).map_err(Error::internal)?;
                let length = u64::try_from(piece.len()).map_err(Error::internal)?;
                let incoming = Box::pin(stream::iter([Ok(Bytes::from(piece))]));
                let put = self.objects.put_part(parted, number, length, incoming);
                tags.push(put.await.map_err(unwritten)?);
            }
            Some(Open::There) | None => {}
        }
        Ok(())
    }

    /// Ends the file, which is whole: only now the store has it.
    pub(super) async fn end(&mut self) -> Result<()> {
        match self.open.take() {
            None | Some(Open::There) => Ok(()),
            Some(Open::Small(key, bytes)) => {
                self.objects.put(&key, bytes.into()).await.map_err(unwritten)
            }
            Some(Open::Large(parted, tags)) => {
                self.objects.join(&parted, &tags).await.map_err(unwritten)
            }
        }
    }

    /// Gives the file up that is open: it is not whole, or not what was packed.
    pub(super) async fn give_up(self) {
        if let Some(Open::Large(parted, _)) = self.open
            && let Err(error) = self.objects.abort(&parted).await
        {
            // What has arrived is removed with other uploads that nobody ended.
            tracing::debug!(%error, "an upload could not be given up");
        }
    }
}

fn unwritten(error: std::io::Error) -> Error {
    codes::UNAVAILABLE.saying(format!("A file cannot be written: {error}.")).because(error)
}
