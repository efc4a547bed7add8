//! Detects heads that two servers can read differently: a body with two lengths or encodings, a
//! missing or repeated host. Between a proxy and this server such a request can smuggle another
//! one, so it is refused.
//!
//! hyper drops a `Content-Length` beside a `Transfer-Encoding` before the application sees it, so
//! the bytes are checked as they arrive.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use ::http::header::{HOST, TRANSFER_ENCODING};
use ::http::{HeaderMap, HeaderValue, Request, Uri, Version};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::error::{Error, codes};

/// The longest line of a head; hyper accepts no longer head.
const LONGEST_LINE: usize = 64 * 1024;

/// Why a request's head cannot be answered. The accept loop adds it to the request's extensions,
/// and a frontend passes it on to the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Both `Content-Length` and `Transfer-Encoding`.
    TwoLengths,
    /// A `Transfer-Encoding` other than `chunked`, or `chunked` twice.
    Encoding,
    /// No `Host` in HTTP/1.1, or more than one.
    Host,
    /// The target is not a path, such as that of `CONNECT`.
    Target,
}

impl Fault {
    /// The error for this fault.
    pub(super) fn refusal(self) -> Error {
        codes::MALFORMED_REQUEST.saying(match self {
            Self::TwoLengths => {
                "Send Content-Length or Transfer-Encoding; a request with both is ambiguous."
            }
            Self::Encoding => "Send the body with Transfer-Encoding: chunked, once, or without it.",
            Self::Host => "Send exactly one Host header.",
            Self::Target => "The request's target must be a path; this server is not a proxy.",
        })
    }
}

/// The heads received on one connection so far.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// The number of the first head with two lengths, counted from 1; later ones are not examined.
    ambiguous: AtomicU64,
    /// The number of heads answered.
    answered: AtomicU64,
}

/// Marks a request that has a fault, and returns whether the connection ends with its answer.
///
/// A chunked body is always the last of its connection: hyper decides where it ends, so later bytes
/// are not watched.
pub(super) fn judge<B>(request: &mut Request<B>, heads: &Heads) -> bool {
    let number = heads.answered.fetch_add(1, Ordering::Relaxed) + 1;
    let hosts = request.headers().get_all(HOST).iter().count();
    let must_name_it = request.version() >= Version::HTTP_11;
    let fault = if heads.ambiguous.load(Ordering::Relaxed) == number {
        Some(Fault::TwoLengths)
    } else if !is_chunked_at_most(request.headers()) {
        Some(Fault::Encoding)
    } else if hosts > 1 || (hosts == 0 && must_name_it) {
        Some(Fault::Host)
    } else if request.uri().path_and_query().is_none() {
        Some(Fault::Target)
    } else {
        None
    };
    if let Some(fault) = fault {
        // The frameworks panic on a target without a path.
        *request.uri_mut() = Uri::default();
        request.extensions_mut().insert(fault);
    }
    fault.is_some() || request.headers().contains_key(TRANSFER_ENCODING)
}

/// Whether a body is sent in chunks, once, or with no encoding at all. Servers disagree about where
/// any other ends.
fn is_chunked_at_most(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(TRANSFER_ENCODING).iter();
    let first = encodings.next();
    let is_chunked =
        |value: &HeaderValue| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked");
    encodings.next().is_none() && first.is_none_or(is_chunked)
}

/// The position in a connection's stream of requests.
#[derive(Debug)]
enum Place {
    /// In a head: the line so far, and the headers of the lines before it.
    Head { line: Vec<u8>, said: Said },
    /// In a body, with this many bytes left.
    Body(u64),
    /// After a head with a `Transfer-Encoding`, the last of its connection, or one that hyper
    /// refuses.
    Over,
}

#[derive(Clone, Copy, Debug, Default)]
struct Said {
    anything: bool,
    length: Option<u64>,
    encoding: bool,
}

/// A connection whose heads are examined as they arrive.
#[derive(Debug)]
pub(super) struct Watched<S> {
    stream: S,
    heads: Arc<Heads>,
    /// The number of heads received.
    come: u64,
    place: Place,
}

impl<S> Watched<S> {
    pub(super) fn new(stream: S, heads: Arc<Heads>) -> Self {
        Self { stream, heads, come: 0, place: Place::head() }
    }

    fn look(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match &mut self.place {
                Place::Over => return,
                Place::Body(left) => {
                    let here = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                    bytes = bytes.get(here..).unwrap_or_default();
                    *left = left.saturating_sub(u64::try_from(here).unwrap_or(u64::MAX));
                    if *left == 0 {
                        self.place = Place::head();
                    }
                }
                Place::Head { line, said } => {
                    let (here, rest, ends) = match bytes.iter().position(|byte| *byte == b'\n') {
                        Some(at) => {
                            let (here, rest) = bytes.split_at(at);
                            (here, rest.get(1..).unwrap_or_default(), true)
                        }
                        None => (bytes, &[][..], false),
                    };
                    bytes = rest;
                    line.extend_from_slice(here);
                    if line.len() > LONGEST_LINE {
                        self.place = Place::Over;
                    } else if ends {
                        let line = std::mem::take(line);
                        let text = line.strip_suffix(b"\r").unwrap_or(&line);
                        if !text.is_empty() {
                            said.hear(text);
                        } else if said.anything {
                            let said = *said;
                            self.end_head(said);
                        } // Empty lines before a head are skipped.
                    }
                }
            }
        }
    }

    fn end_head(&mut self, said: Said) {
        self.come += 1;
        if said.encoding && said.length.is_some() {
            self.heads.ambiguous.store(self.come, Ordering::Relaxed);
        }
        self.place = match said.length {
            _ if said.encoding => Place::Over,
            None | Some(0) => Place::head(),
            Some(length) => Place::Body(length),
        };
    }
}

impl Place {
    fn head() -> Self {
        Self::Head { line: Vec::new(), said: Said::default() }
    }
}

impl Said {
    /// Records one line of a head. If a length cannot be parsed, hyper refuses the request.
    fn hear(&mut self, line: &[u8]) {
        let first = !std::mem::replace(&mut self.anything, true);
        let Some(colon) = line.iter().position(|byte| *byte == b':').filter(|_| !first) else {
            return;
        };
        let (name, value) = line.split_at(colon);
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.encoding = true;
        } else if name.eq_ignore_ascii_case(b"content-length") {
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            let length = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
            self.length = Some(length.unwrap_or_default());
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, into))?;
        self.look(into.filled().get(before..).unwrap_or_default());
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the ambiguous head if the bytes arrive in pieces of that size; 0 if there is
    /// none.
    fn found(sent: &str, size: usize) -> u64 {
        let heads = Arc::new(Heads::default());
        let mut watched = Watched::new((), Arc::clone(&heads));
        for piece in sent.as_bytes().chunks(size) {
            watched.look(piece);
        }
        heads.ambiguous.load(Ordering::Relaxed)
    }

    #[test]
    fn two_lengths_are_found_in_whichever_head_and_order_they_come() {
        let get = "GET /a:b HTTP/1.1\r\nHost: x\r\n\r\n";
        let body = "POST / HTTP/1.1\r\nContent-length:  7\r\n\r\na\n\n: b\n";
        let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        let both = "\r\nPOST / HTTP/1.1\r\nTRANSFER-ENCODING: chunked\r\nContent-Length: 0\r\n\r\n";
        let bare = "POST / HTTP/1.1\ncontent-length:5\nTransfer-Encoding:chunked\n\n";
        for size in [1, 3, 10_000] {
            assert_eq!(found(both, size), 1);
            assert_eq!(found(bare, size), 1);
            assert_eq!(found(&format!("{get}{body}{body}{both}"), size), 4);
            assert_eq!(found(&format!("{get}{get}{bare}{both}"), size), 3);
            assert_eq!(found(&format!("{get}{body}{chunked}"), size), 0);
            // Headers in a body are not part of a head.
            let length = both.len();
            let inside = format!("POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{both}");
            assert_eq!(found(&format!("{inside}{get}"), size), 0);
            assert_eq!(found(&format!("{inside}{both}"), size), 2);
        }
    }
}
