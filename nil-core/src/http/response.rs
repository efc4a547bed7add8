//! Turns replies and errors into HTTP responses.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use ::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, LOCATION, REFERRER_POLICY, RETRY_AFTER, SET_COOKIE,
    STRICT_TRANSPORT_SECURITY, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use ::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use bytes::Bytes;
use futures::StreamExt as _;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};

use crate::error::{Error, Kind};
use crate::operation::{Beat, Body, Download, EventStream, Reply, SessionCookie};
use crate::throttle::Window;

/// The Admin session's cookie.
pub(super) const SESSION_COOKIE: &str = "nil_admin_session";

pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const X_IGNORED_FIELDS: HeaderName = HeaderName::from_static("x-ignored-fields");
const X_INTERFACE_EXTENSION: HeaderName = HeaderName::from_static("x-interface-extension");
/// The age in seconds of data that were read from a replica.
const NIL_DATA_AGE: HeaderName = HeaderName::from_static("nil-data-age");
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
const PAGE_POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const RATE_LIMIT: [HeaderName; 3] = [
    HeaderName::from_static("ratelimit-limit"),
    HeaderName::from_static("ratelimit-remaining"),
    HeaderName::from_static("ratelimit-reset"),
];

/// A response's body: in memory (the frameworks then know its length), or streamed.
#[derive(Debug)]
pub enum Outgoing {
    /// Whole.
    Whole(Bytes),
    /// Piece by piece.
    Stream(BoxBody<Bytes, io::Error>),
}

impl HttpBody for Outgoing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match self.get_mut() {
            Self::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Self::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Self::Stream(stream) => Pin::new(stream).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.is_empty(),
            Self::Stream(stream) => stream.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => Full::new(bytes.clone()).size_hint(),
            Self::Stream(stream) => stream.size_hint(),
        }
    }
}

/// A response with a body in memory.
pub(super) fn whole(
    status: u16,
    content_type: &'static str,
    body: impl Into<Bytes>,
) -> Response<Outgoing> {
    let mut response = Response::new(Outgoing::Whole(body.into()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// A reply as a response.
pub(super) fn of_reply(
    reply: Reply,
    extension: bool,
    (prefix, secure): (&str, bool),
) -> Response<Outgoing> {
    let Reply { status, body, ignored, cookie, tag, data_age, replayed } = reply;
    let mut response = match body {
        Body::Json(bytes) => whole(status, "application/json", bytes),
        Body::File(file) => download(file),
        Body::Events(events) => live(events),
        Body::Redirect(location) => redirect(status, &location),
        Body::Page(html) => page(status, html),
    };
    let headers = response.headers_mut();
    if !ignored.is_empty() {
        // Field names may contain any characters, headers may not.
        let names = ignored.join(", ");
        let names: String = names.chars().filter(|c| (' '..='~').contains(c)).take(1_000).collect();
        put(headers, X_IGNORED_FIELDS, &names);
    }
    if extension {
        put(headers, X_INTERFACE_EXTENSION, "1");
    }
    if replayed {
        put(headers, IDEMPOTENT_REPLAYED, "true");
    }
    if let Some(tag) = tag {
        put(headers, ETAG, &format!("\"{tag}\""));
    }
    if let Some(age) = data_age {
        put(headers, NIL_DATA_AGE, &age.to_string());
    }
    if let Some(cookie) = cookie {
        put(headers, SET_COOKIE, &set_cookie(&cookie, prefix, secure));
    }
    response
}

/// An error as a response.
pub(super) fn of_error(error: &Error, request_id: &str, allow: Option<&str>) -> Response<Outgoing> {
    let status = error.kind().status();
    let mut response =
        whole(status, "application/json", error.to_json(request_id).to_string().into_bytes());
    let headers = response.headers_mut();
    if let Some(seconds) = error.seconds_to_wait() {
        put(headers, RETRY_AFTER, &seconds.to_string());
    }
    if error.kind() == Kind::Unauthenticated {
        put(headers, WWW_AUTHENTICATE, "Bearer");
    }
    if let Some(methods) = allow {
        put(headers, ALLOW, methods);
    }
    response
}

pub(super) fn redirect(status: u16, location: &str) -> Response<Outgoing> {
    let mut response = Response::new(Outgoing::Whole(Bytes::new()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::FOUND);
    put(response.headers_mut(), LOCATION, location);
    response
}

/// A page that links to another site: no scripts, no referrer, not indexed by search engines.
fn page(status: u16, html: String) -> Response<Outgoing> {
    let mut response = whole(status, "text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    put(headers, CONTENT_SECURITY_POLICY, PAGE_POLICY);
    put(headers, X_ROBOTS_TAG, "noindex, nofollow");
    response
}

fn live(events: EventStream) -> Response<Outgoing> {
    let frames = events.map(|beat: Beat| Ok(Frame::data(Bytes::from(beat.to_text()))));
    let mut response = Response::new(Outgoing::Stream(BodyExt::boxed(StreamBody::new(frames))));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // Proxies would otherwise buffer events.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn download(file: Download) -> Response<Outgoing> {
    let Download { name, content_type, length, bytes, part: _ } = file;
    let frames = bytes
        .map(|piece| piece.map(|bytes| Frame::data(Bytes::from(bytes))).map_err(io::Error::other));
    let mut response = Response::new(Outgoing::Stream(BodyExt::boxed(StreamBody::new(frames))));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    if let Some(length) = length {
        put(headers, CONTENT_LENGTH, &length.to_string());
    }
    put(headers, CONTENT_DISPOSITION, &attachment(&name));
    response
}

/// RFC 6266: a plain name for old clients, the real name for others.
fn attachment(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_graphic() && !"\"\\/%;".contains(c) { c } else { '_' })
        .collect();
    let real = percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{real}")
}

fn set_cookie(cookie: &SessionCookie, prefix: &str, secure: bool) -> String {
    let (value, age) = match cookie {
        SessionCookie::Set(secret) => (secret.expose(), ""),
        SessionCookie::Clear => ("", "; Max-Age=0"),
    };
    let secure = if secure { "; Secure" } else { "" };
    format!("{SESSION_COOKIE}={value}; Path={prefix}/admin; HttpOnly; SameSite=Strict{secure}{age}")
}

/// Adds the headers that every response carries.
pub(super) fn finish(
    response: &mut Response<Outgoing>,
    request_id: &str,
    window: Option<Window>,
    secure: bool,
) {
    let headers = response.headers_mut();
    put(headers, X_REQUEST_ID, request_id);
    if let Some(window) = window {
        let [limit, remaining, reset] = RATE_LIMIT;
        put(headers, limit, &window.limit.to_string());
        put(headers, remaining, &window.remaining.to_string());
        put(headers, reset, &window.reset.to_string());
    }
    put(headers, X_CONTENT_TYPE_OPTIONS, "nosniff");
    for (name, value) in [
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    ] {
        if !headers.contains_key(&name) {
            put(headers, name, value);
        }
    }
    if secure {
        put(headers, STRICT_TRANSPORT_SECURITY, "max-age=31536000; includeSubDomains");
    }
}

/// Sets a header; an invalid value is left out.
pub(super) fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// Logs a failure that is the platform's own.
pub(super) fn log_if_internal(error: &Error, request_id: &str, operation: Option<&'static str>) {
    if error.kind() == Kind::Internal {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        // Filters of logs know this line by the file that answers.
        tracing::error!(
            target: "nil_http::answer",
            request_id,
            operation,
            cause,
            "{}",
            error.message()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_cannot_break_out_of_their_header() {
        let header = attachment("a\"; x=\r\n/\u{e9}.pdf");
        let expected = "attachment; filename=\"a___x=____.pdf\"; \
                        filename*=UTF-8''a%22%3B%20x%3D%0D%0A%2F%C3%A9%2Epdf";
        assert_eq!(header, expected);
        assert!(HeaderValue::from_str(&header).is_ok());
    }

    #[test]
    fn the_session_cookie_is_locked_up() {
        let cookie = set_cookie(&SessionCookie::Set(crate::kernel::Secret::new("abc")), "", true);
        assert_eq!(cookie, "nil_admin_session=abc; Path=/admin; HttpOnly; SameSite=Strict; Secure");
    }
}
