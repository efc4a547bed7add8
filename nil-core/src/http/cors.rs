//! The other sites whose pages may call: none, unless configured. Their requests carry tokens, never the cookie of the back
//! office: that one stays with pages of its own origin.

use ::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
    VARY,
};
use ::http::{HeaderMap, HeaderValue};

const ALLOWED: &str = "authorization, content-type, idempotency-key, if-none-match, last-event-id, prefer, \
    range, x-csrf-token";
const EXPOSED: &str = "accept-ranges, allow, content-disposition, content-range, etag, ratelimit-limit, \
    ratelimit-remaining, ratelimit-reset, retry-after, x-ignored-fields, x-interface-extension, x-request-id";

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
pub(super) fn is_preflight(origins: &[String], request: &HeaderMap) -> bool {
    let origin = request.get(ORIGIN).is_some_and(|origin| is_allowed(origins, origin));
    origin && request.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

fn is_allowed(origins: &[String], origin: &HeaderValue) -> bool {
    origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
}
