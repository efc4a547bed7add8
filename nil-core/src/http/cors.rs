//! The other sites whose pages may call: none, unless configured. Their requests carry tokens,
//! never the cookie of the back office: that one stays with pages of its own origin.

use ::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ALLOW,
    ORIGIN, VARY,
};
use ::http::{HeaderMap, HeaderValue, Response, StatusCode};
use bytes::Bytes;

use super::response::{self, Outgoing};
use super::site::Site;
use crate::error::codes;

const ALLOWED: &str = "authorization, content-type, idempotency-key, if-none-match, last-event-id, prefer, \
    range, x-csrf-token";
const EXPOSED: &str = "accept-ranges, allow, content-disposition, content-range, etag, nil-data-age, ratelimit-limit, \
    ratelimit-remaining, ratelimit-reset, retry-after, x-ignored-fields, x-interface-extension, x-request-id";

impl Site {
    /// The methods of a path. A preflight of an unknown path is answered like any other, so that
    /// the page sees the 404 of the request itself.
    pub(super) fn options(&self, path: &str, headers: &HeaderMap) -> Response<Outgoing> {
        let methods = self.inner().routes.methods(path);
        let origins = &self.inner().platform.config().cors_origins;
        if methods.is_none() && !is_preflight(origins, headers) {
            return response::of_error(&codes::ROUTE_NOT_FOUND.into(), "", None);
        }
        let mut response = Response::new(Outgoing::Whole(Bytes::new()));
        *response.status_mut() = StatusCode::NO_CONTENT;
        if let Some(methods) = methods {
            response::put(response.headers_mut(), ALLOW, &methods);
        }
        response
    }
}

/// The headers that let a configured origin read the response.
pub(super) fn allow(origins: &[String], origin: Option<&HeaderValue>, response: &mut HeaderMap) {
    if origins.is_empty() {
        return;
    }
    response.append(VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = origin
        && is_allowed(origins, origin)
    {
        response.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        response.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    }
}

/// The additional headers of a preflight response.
pub(super) fn preflight(methods: &str, response: &mut HeaderMap) {
    if !response.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN) {
        return;
    }
    if let Ok(methods) = HeaderValue::from_str(methods) {
        response.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    }
    response.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ALLOWED));
    response.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
}

/// The method that a preflight asks for.
pub(super) fn asked(request: &HeaderMap) -> Option<String> {
    let method = request.get(ACCESS_CONTROL_REQUEST_METHOD)?;
    method.to_str().ok().map(str::to_owned)
}

/// Whether the browser of a configured origin asks what it may send.
fn is_preflight(origins: &[String], request: &HeaderMap) -> bool {
    let origin = request.get(ORIGIN).is_some_and(|origin| is_allowed(origins, origin));
    origin && request.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

fn is_allowed(origins: &[String], origin: &HeaderValue) -> bool {
    origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
}
