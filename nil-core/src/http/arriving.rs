//! Handles bodies that were not read to their end when the answer is ready.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use ::http::HeaderMap;
use bytes::{Buf as _, Bytes};
use http::header::{CONTENT_LENGTH, EXPECT, TRANSFER_ENCODING};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use http_body_util::combinators::UnsyncBoxBody;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The number of bytes of a body read after the answer, to keep the connection usable. Longer
/// bodies are dropped: reading many at once would take too much memory.
const READ_ON: usize = 1024 * 1024;
/// The time limit for this.
const READ_ON_FOR: Duration = Duration::from_secs(1);
/// The maximum number of bodies read this way at once.
static READING_ON: Semaphore = Semaphore::const_new(16);

/// Why a body broke off.
type BrokenOff = Box<dyn std::error::Error + Send + Sync>;

/// A body that is still arriving, whatever type the frontend has for it: what reads a body is
/// compiled once, not once for each frontend.
pub(super) struct Arriving {
    body: UnsyncBoxBody<Bytes, BrokenOff>,
    over: bool,
    /// Whether it is too long to be read and discarded.
    long: bool,
    /// Whether the client waits for `100 Continue`, which was not sent.
    unasked: bool,
}

impl Arriving {
    /// Whether there is a body is decided by the headers: a framework's own body may not know
    /// before it is polled.
    pub(super) fn new<B>(body: B, headers: &HeaderMap) -> Self
    where
        B: Body + Send + 'static,
        B::Error: Into<BrokenOff>,
    {
        let bytes =
            |frame: Frame<B::Data>| frame.map_data(|mut data| data.copy_to_bytes(data.remaining()));
        let body = body.map_frame(bytes).map_err(Into::into);
        let length = announced(headers).unwrap_or_default();
        Self {
            unasked: headers.contains_key(EXPECT),
            long: length > READ_ON,
            over: length == 0 && !headers.contains_key(TRANSFER_ENCODING),
            body: UnsyncBoxBody::new(body),
        }
    }

    /// Whether the next request can follow: the body was read, or little enough was left of it.
    pub(super) async fn is_over(&mut self) -> bool {
        if !(self.over || self.long || self.unasked) {
            // A client that still sends after that gets its connection closed.
            let _ = timeout(READ_ON_FOR, self.read_on()).await;
        }
        self.over
    }

    async fn read_on(&mut self) {
        let _turn = READING_ON.acquire().await;
        let mut left = READ_ON;
        while !self.over {
            let Some(Ok(frame)) = self.frame().await else {
                return;
            };
            let data = frame.data_ref().map_or(0, Bytes::len);
            let Some(less) = left.checked_sub(data) else {
                return;
            };
            left = less;
        }
    }
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        self.unasked = false;
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        self.over |= matches!(frame, Poll::Ready(None));
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The length of a body, if the head announces it.
pub(super) fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
