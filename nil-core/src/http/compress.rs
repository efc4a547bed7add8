//! gzip for clients that accept it. It is here and not in the frameworks, so that both behave the
//! same; poem's own would bring a second C library (decision 6).

use std::io::{self, Read as _, Write as _};

use ::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
    HeaderMap, VARY,
};
use ::http::{HeaderValue, Response};
use async_compression::Level;
use async_compression::tokio::bufread::GzipEncoder;
use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use futures::{StreamExt as _, TryStreamExt as _};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use tokio_util::io::{ReaderStream, StreamReader};

use super::response::{Outgoing, put, whole};

/// Smaller responses are not compressed: they fit into one packet anyway.
const WORTH_IT: usize = 1_024;

/// Whether the client accepts gzip (RFC 9110, section 12.5.3; `q=0` refuses it).
pub(super) fn is_accepted(headers: &HeaderMap) -> bool {
    headers
        .get_all(ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|offer| {
            let mut parts = offer.split(';').map(str::trim);
            let gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
            gzip && !parts.any(|part| {
                let weight = part.strip_prefix("q=").or_else(|| part.strip_prefix("Q="));
                weight.is_some_and(|q| q.trim_matches(['0', '.']).is_empty())
            })
        })
}

/// Compresses a response if it is worth it and the client accepts it. `secret`: the response
/// carries a credential, so it is sent uncompressed; otherwise its compressed length, beside text
/// chosen by an attacker, could reveal it (BREACH).
pub(super) fn pack(
    accepted: bool,
    secret: bool,
    response: Response<Outgoing>,
) -> Response<Outgoing> {
    // A part of a file counts its bytes.
    if !is_text(response.headers()) || response.headers().contains_key(CONTENT_RANGE) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.append(VARY, HeaderValue::from_static("accept-encoding"));
    if secret || !accepted {
        return Response::from_parts(parts, body);
    }
    // A person waits for a page, often far from the server; programs ask for much more.
    let is_page =
        parts.headers.get(CONTENT_TYPE).is_some_and(|it| it.as_bytes().starts_with(b"text/html"));
    let level = if is_page { Compression::best() } else { Compression::fast() };
    let body = match body {
        Outgoing::Whole(bytes) if bytes.len() < WORTH_IT => {
            return Response::from_parts(parts, Outgoing::Whole(bytes));
        }
        Outgoing::Whole(bytes) => match packed(&bytes, level) {
            Ok(packed) => Outgoing::Whole(packed.into()),
            Err(_) => return Response::from_parts(parts, Outgoing::Whole(bytes)),
        },
        Outgoing::Stream(stream) => {
            let plain = StreamReader::new(stream.into_data_stream().map_err(io::Error::other));
            let packed = GzipEncoder::with_quality(plain, Level::Fastest);
            let frames = ReaderStream::new(packed).map(|piece| piece.map(Frame::data));
            Outgoing::Stream(BodyExt::boxed(StreamBody::new(frames)))
        }
    };
    parts.headers.remove(CONTENT_LENGTH);
    // A strong tag is one of the very bytes.
    if parts.headers.get(ETAG).is_some_and(|tag| !tag.as_bytes().starts_with(b"W/")) {
        parts.headers.remove(ETAG);
    }
    put(&mut parts.headers, CONTENT_ENCODING, "gzip");
    Response::from_parts(parts, body)
}

/// Text that is not compressed yet and is not a stream of events, which must arrive line by line.
fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default();
    !headers.contains_key(CONTENT_ENCODING)
        && !kind.starts_with("text/event-stream")
        && (kind.starts_with("text/") || kind.starts_with("application/json"))
}

fn packed(plain: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), level);
    packer.write_all(plain)?;
    packer.finish()
}

/// A file that is compressed once and sent often: it takes little memory, and most clients get it
/// as it is.
#[derive(Clone, Debug)]
pub(super) struct Packed(Bytes);

impl Packed {
    /// A file that was compressed when the program was built.
    pub(super) const fn built(file: &'static [u8]) -> Self {
        Self(Bytes::from_static(file))
    }

    /// Compresses a file.
    pub(super) fn of(plain: &[u8]) -> Self {
        // Writing to memory cannot fail.
        Self(packed(plain, Compression::default()).unwrap_or_default().into())
    }

    /// The file in an encoding that the client accepts.
    pub(super) fn answer(&self, kind: &'static str, request: &HeaderMap) -> Response<Outgoing> {
        if !is_accepted(request) {
            return whole(200, kind, self.unpacked());
        }
        let mut response = whole(200, kind, self.0.clone());
        put(response.headers_mut(), CONTENT_ENCODING, "gzip");
        put(response.headers_mut(), VARY, "accept-encoding");
        response
    }

    fn unpacked(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        // It was compressed here or at build time, so this cannot fail.
        let _ = GzDecoder::new(&*self.0).read_to_end(&mut plain);
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_where_it_is_offered() {
        for (offer, taken) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("br", false),
            ("*", false),
            ("xgzip", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(offer));
            assert_eq!(is_accepted(&headers), taken, "{offer}");
        }
    }

    #[test]
    fn what_is_packed_unpacks() {
        let text = b"all the same, ".repeat(500);
        let small = Packed::of(&text);
        assert!(small.0.len() * 10 < text.len());
        assert_eq!(small.unpacked(), text);
    }
}
