//! Traces: the spans of requests and tasks, and the header that tells other services of them.
//!
//! The code makes ordinary spans of `tracing`. A program that sends them to a collector says once
//! how they are linked and told; without it nothing is linked and no header is sent.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use reqwest::{RequestBuilder, Response};
use tracing::{Instrument as _, Span, field};

/// The header of W3C Trace Context.
pub const TRACEPARENT: &str = "traceparent";

/// The spans of this target are for the collector; the log does not show them.
pub const TARGET: &str = "nil::traces";

/// A span of some service, as the header `traceparent` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traceparent {
    /// The trace, never 0.
    pub trace: u128,
    /// The span, never 0.
    pub span: u64,
    /// Whether that service keeps the trace.
    pub is_sampled: bool,
}

impl FromStr for Traceparent {
    type Err = ();

    /// Version 00, the only one that is published; other texts are refused, whatever their length.
    fn from_str(text: &str) -> Result<Self, ()> {
        const LENGTH: usize = 55;
        let is_plain = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-');
        if text.len() != LENGTH || !text.bytes().all(is_plain) {
            return Err(());
        }
        let mut parts = text.split('-');
        let mut part = |length: usize| parts.next().filter(|part| part.len() == length).ok_or(());
        let (version, trace, span, flags) = (part(2)?, part(32)?, part(16)?, part(2)?);
        let trace = u128::from_str_radix(trace, 16).map_err(|_| ())?;
        let span = u64::from_str_radix(span, 16).map_err(|_| ())?;
        let flags = u8::from_str_radix(flags, 16).map_err(|_| ())?;
        if version != "00" || trace == 0 || span == 0 {
            return Err(());
        }
        Ok(Self { trace, span, is_sampled: flags & 1 == 1 })
    }
}

impl fmt::Display for Traceparent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-{:02x}", self.trace, self.span, u8::from(self.is_sampled))
    }
}

/// What the program that sends spans to a collector can do with them.
#[derive(Clone, Copy, Debug)]
pub struct Traces {
    /// Links a span to one of another service.
    pub link: fn(&Span, Traceparent),
    /// Names a span that has begun.
    pub rename: fn(&Span, &'static str),
    /// The span that this thread is in, if there is one.
    pub current: fn() -> Option<Traceparent>,
}

static TRACES: OnceLock<Traces> = OnceLock::new();

/// Says how spans are sent, for the rest of the process. The first word counts.
pub fn send_by(traces: Traces) {
    let _ = TRACES.set(traces);
}

/// Links a span to the one of another service that a header names.
pub fn link(span: &Span, header: &str) {
    if let Some(traces) = TRACES.get()
        && let Ok(other) = header.parse()
    {
        (traces.link)(span, other);
    }
}

/// Names a span that has begun.
pub fn rename(span: &Span, name: &'static str) {
    if let Some(traces) = TRACES.get() {
        (traces.rename)(span, name);
    }
}

/// Sends a request to another service in a span of its own, of which the receiver is told. The span
/// is named after the service, and ends when the answer begins; it has the answer's status, and no
/// address.
pub async fn send(to: &'static str, request: RequestBuilder) -> reqwest::Result<Response> {
    let span = tracing::info_span!(
        target: TARGET, "call", otel.name = to, otel.kind = "client",
        http.response.status_code = field::Empty, otel.status_code = field::Empty,
    );
    let noted = span.clone();
    async move {
        let sent = telling(request).send().await;
        match &sent {
            Ok(answer) => noted.record("http.response.status_code", answer.status().as_u16()),
            Err(_) => noted.record("otel.status_code", "ERROR"),
        };
        sent
    }
    .instrument(span)
    .await
}

/// A request that tells its receiver of the span from which it is sent.
fn telling(request: RequestBuilder) -> RequestBuilder {
    match TRACES.get().and_then(|traces| (traces.current)()) {
        Some(current) => request.header(TRACEPARENT, current.to_string()),
        None => request,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_header_is_read_and_written() {
        let read: Traceparent = GOOD.parse().unwrap();
        assert_eq!(read.to_string(), GOOD);
        assert!(read.is_sampled);
        let more: Traceparent = GOOD.replace("-01", "-fe").parse().unwrap();
        assert_eq!(more.to_string(), GOOD.replace("-01", "-00"), "flags of others are not sent on");
    }

    #[test]
    fn a_request_tells_of_the_span_that_it_is_sent_from() {
        send_by(Traces { link: |_, _| (), rename: |_, _| (), current: || GOOD.parse().ok() });
        let request = reqwest::Client::new().get("http://127.0.0.1/");
        let request = telling(request).build().unwrap();
        assert_eq!(request.headers()[TRACEPARENT], GOOD);
    }

    #[test]
    fn other_texts_are_refused() {
        for wrong in [
            String::new(),
            GOOD.to_uppercase(),
            format!("{GOOD}-more"),
            GOOD.replace("00-", "01-"),
            GOOD.replace("00-", "ff-"),
            GOOD.replace('b', "+"),
            GOOD.replace("0af7651916cd43dd8448eb211c80319c", &"0".repeat(32)),
            GOOD.replace("b7ad6b7169203331", &"0".repeat(16)),
            GOOD.replace("b7ad6b7169203331", "b7ad6b716920-331"),
            "é".repeat(27) + "x",
        ] {
            assert_eq!(wrong.parse::<Traceparent>(), Err(()), "{wrong}");
        }
    }
}
