//! Live events as returned by an operation, and their text form (server-sent events).

use std::fmt;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::stream::BoxStream;
use futures::{Stream, StreamExt as _};
use serde_json::Value;

/// One item on a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Beat {
    /// An event.
    Event {
        /// The stream's position after it; sent back as `Last-Event-ID`, the stream continues from
        /// there.
        id: String,
        /// The kind of event.
        name: &'static str,
        /// The record.
        data: Value,
    },
    /// How long a client should wait before reconnecting.
    Retry(Duration),
    /// No event; the connection is alive.
    Heartbeat,
}

impl Beat {
    /// The text form, as in the HTML standard's `text/event-stream`.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Event { id, name, data } => {
                // JSON text has no line breaks, so the data is one line.
                format!("id: {id}\nevent: {name}\ndata: {data}\n\n")
            }
            Self::Retry(wait) => format!("retry: {}\n\n", wait.as_millis()),
            Self::Heartbeat => ":\n\n".into(),
        }
    }
}

/// Events as they happen, until the caller leaves or loses access. It works only while it is
/// polled, so nothing is buffered for slow readers.
pub struct EventStream(Mutex<BoxStream<'static, Beat>>);

impl EventStream {
    /// A stream of these items.
    #[must_use]
    pub fn new(beats: impl Stream<Item = Beat> + Send + 'static) -> Self {
        Self(Mutex::new(beats.boxed()))
    }

    /// This stream, which also ends when `end` completes.
    #[must_use]
    pub fn until(self, end: impl Future<Output = ()> + Send + 'static) -> Self {
        let beats = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Self::new(beats.take_until(Box::pin(end)))
    }
}

impl Stream for EventStream {
    type Item = Beat;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Beat>> {
        let beats = self.get_mut().0.get_mut();
        beats.unwrap_or_else(PoisonError::into_inner).poll_next_unpin(cx)
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventStream")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_is_one_block_whatever_is_in_it() {
        let event = Beat::Event {
            id: "n4".into(),
            name: "notification",
            data: json!({ "title": "a\n\nevent: forged\r\n" }),
        };
        let text = event.to_text();
        assert_eq!(
            text,
            "id: n4\nevent: notification\ndata: {\"title\":\"a\\n\\nevent: forged\\r\\n\"}\n\n"
        );
        assert_eq!(Beat::Heartbeat.to_text(), ":\n\n");
        assert_eq!(Beat::Retry(Duration::from_secs(2)).to_text(), "retry: 2000\n\n");
    }

    #[tokio::test]
    async fn a_stream_ends_with_what_it_is_tied_to() {
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let endless = futures::stream::repeat(Beat::Heartbeat);
        let mut stream = EventStream::new(endless).until(async move {
            let _ = ended.await;
        });
        assert!(stream.next().await.is_some());
        drop(end);
        assert_eq!(stream.next().await, None);
    }
}
