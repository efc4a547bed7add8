//! Files as answers.

use std::fmt;
use std::pin::Pin;

use futures::Stream;
use tokio::sync::mpsc;

use crate::error::Result;

/// A file that is sent: a name, a type, and its bytes as they come.
pub struct Download {
    /// The name it is saved under.
    pub name: String,
    /// Its media type.
    pub content_type: &'static str,
    /// How long it is, where that is known before the end.
    pub length: Option<u64>,
    /// Its bytes.
    pub bytes: Pin<Box<dyn Stream<Item = Result<Vec<u8>>> + Send + Sync>>,
}

impl Download {
    /// A file that is in memory already.
    #[must_use]
    pub fn of(name: String, content_type: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            name,
            content_type,
            length: u64::try_from(bytes.len()).ok(),
            bytes: Box::pin(futures::stream::iter([Ok(bytes)])),
        }
    }

    /// A file that is made while it is sent. What makes it waits for whoever takes it, so that no more
    /// than a few pieces are in memory, and stops when nobody does any longer.
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
                // The one who takes it has to see that the file is not whole.
                let _ = failures.send(Err(error)).await;
            }
        });
        Self {
            name,
            content_type,
            length: None,
            bytes: Box::pin(futures::stream::poll_fn(move |cx| taken.poll_recv(cx))),
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

/// Where the pieces of a growing file go.
#[derive(Debug)]
pub struct Pieces(mpsc::Sender<Result<Vec<u8>>>);

impl Pieces {
    /// Sends the next piece, once there is room for it; answers whether anybody still wants more.
    pub async fn send(&self, piece: Vec<u8>) -> bool {
        self.0.send(Ok(piece)).await.is_ok()
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").field("name", &self.name).finish_non_exhaustive()
    }
}
