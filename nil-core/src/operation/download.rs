//! Files as answers.

use std::fmt;
use std::pin::Pin;

use futures::Stream;
use tokio::sync::mpsc;

use crate::error::Result;

/// A file to be sent: a name, a type, and a stream of bytes.
pub struct Download {
    /// The name it is saved under.
    pub name: String,
    /// Its media type.
    pub content_type: &'static str,
    /// Its length, if known in advance.
    pub length: Option<u64>,
    /// Its bytes.
    pub bytes: FileBytes,
    /// Opens a part of it in place of the whole, if that is possible: from this byte on, so many.
    pub part: Option<OpenPart>,
}

/// The bytes of a file.
pub type FileBytes = Pin<Box<dyn Stream<Item = Result<Vec<u8>>> + Send + Sync>>;

/// Opens a part of a file.
pub type OpenPart = Box<
    dyn FnOnce(u64, u64) -> Pin<Box<dyn Future<Output = Result<FileBytes>> + Send>> + Send + Sync,
>;

impl Download {
    /// A file that is already in memory.
    #[must_use]
    pub fn of(name: String, content_type: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            name,
            content_type,
            length: u64::try_from(bytes.len()).ok(),
            bytes: Box::pin(futures::stream::iter([Ok(bytes)])),
            part: None,
        }
    }

    /// A file that is generated while it is sent. The generator waits for the reader, so that only
    /// a few pieces are in memory, and stops when the reader has left.
    pub fn growing<F, Fut>(name: String, content_type: &'static str, make: F) -> Self
    where
        F: FnOnce(Pieces) -> Fut,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        let (pieces, mut taken) = mpsc::channel(2);
        let failures = pieces.clone();
        let making = make(Pieces(pieces));
        tokio::spawn(async move {
            if let Err(error) = making.await {
                // The reader must notice that the file is incomplete.
                let _ = failures.send(Err(error)).await;
            }
        });
        Self {
            name,
            content_type,
            length: None,
            bytes: Box::pin(futures::stream::poll_fn(move |cx| taken.poll_recv(cx))),
            part: None,
        }
    }

    /// The whole file.
    pub async fn into_bytes(mut self) -> Result<Vec<u8>> {
        use futures::StreamExt as _;
        let mut all = Vec::new();
        while let Some(chunk) = self.bytes.next().await {
            all.extend(chunk?);
        }
        Ok(all)
    }
}

/// The sender for the pieces of a growing file.
#[derive(Debug)]
pub struct Pieces(mpsc::Sender<Result<Vec<u8>>>);

impl Pieces {
    /// Sends the next piece when there is room for it; returns whether the reader is still there.
    pub async fn send(&self, piece: Vec<u8>) -> bool {
        self.0.send(Ok(piece)).await.is_ok()
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").field("name", &self.name).finish_non_exhaustive()
    }
}
