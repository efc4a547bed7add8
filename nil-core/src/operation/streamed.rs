//! A body that is handed to its operation while it arrives.

use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use futures::stream;
use tokio::sync::mpsc;

use crate::error::Error;
use crate::ports::objects::Incoming;

/// How many pieces wait for the operation.
const WAITING: usize = 1;

/// A body that is read once.
pub struct Streamed(Mutex<Option<Pieces>>);

type Pieces = mpsc::Receiver<io::Result<Bytes>>;

/// Where the server puts the pieces of a body.
#[derive(Debug)]
pub struct Inlet(mpsc::Sender<io::Result<Bytes>>);

impl Streamed {
    /// A body, and its other end.
    pub fn new() -> (Inlet, Self) {
        let (inlet, pieces) = mpsc::channel(WAITING);
        (Inlet(inlet), Self(Mutex::new(Some(pieces))))
    }

    /// The pieces; none if they were taken before.
    pub(super) fn take(&self) -> Option<Incoming> {
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(Box::pin(stream::poll_fn(move |cx| pieces.poll_recv(cx))))
    }
}

impl fmt::Debug for Streamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a body")
    }
}

impl Inlet {
    /// Hands on a piece when there is room for it; answers whether anybody reads on.
    pub async fn send(&self, piece: crate::error::Result<Bytes>) -> bool {
        self.0.send(piece.map_err(io::Error::other)).await.is_ok()
    }
}

/// The refusal that broke a body off, if the server's own reading did.
pub fn broken_off(error: io::Error) -> Result<Error, io::Error> {
    error.downcast::<Error>()
}
