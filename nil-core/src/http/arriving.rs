//! What becomes of a body that nobody has read to its end when the answer is there.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use ::http::HeaderMap;
use ::http::header::{EXPECT, TRANSFER_ENCODING};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::incoming::announced;

/// So much of a body is read after the answer, for the sake of the connection. A longer one is left: that
/// many at once would take more memory than they are worth.
const READ_ON: usize = 1024 * 1024;
/// For so long.
const READ_ON_FOR: Duration = Duration::from_secs(1);
/// So many are read on at the same time.
static READING_ON: Semaphore = Semaphore::const_new(16);

/// A body on its way in.
pub(super) struct Arriving<B> {
    body: B,
    over: bool,
    /// Whether it is too long to be read for nothing.
    long: bool,
    /// Whether its client sends it only when it is asked for, and it was not.
    unasked: bool,
}

impl<B: Body + Unpin> Arriving<B> {
    /// Whether there is a body the headers say: a framework's own body may not know before it is asked.
    pub(super) fn new(body: B, headers: &HeaderMap) -> Self {
        let length = announced(headers).unwrap_or_default();
        Self {
            unasked: headers.contains_key(EXPECT),
            long: length > READ_ON,
            over: length == 0 && !headers.contains_key(TRANSFER_ENCODING),
            body,
        }
    }

    /// Whether the next request can follow: everything was read, or little enough was left of it.
    pub(super) async fn is_over(&mut self) -> bool {
        if !(self.over || self.long || self.unasked) {
            // Who still sends then is told that nobody listens.
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
            let data = frame.data_ref().map_or(0, bytes::Buf::remaining);
            let Some(less) = left.checked_sub(data) else {
                return;
            };
            left = less;
        }
    }
}

impl<B: Body + Unpin> Body for Arriving<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
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
