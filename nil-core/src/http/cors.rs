//! The other sites whose pages may call: none, unless configured.

use ::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, VARY,
};
use ::http::{HeaderMap, HeaderValue};

const ALLOWED: &str =
    "authorization, content-type, idempotency-key, last-event-id, prefer, x-csrf-token";
const EXPOSED: &str = "content-disposition, ratelimit-limit, ratelimit-remaining, \
    ratelimit-reset, retry-after, x-ignored-fields, x-interface-extension, x-request-id";

/// The headers that let a configured origin read the response.
pub(super) fn allow(origins: &[String], origin: Option<&HeaderValue>, response: &mut HeaderMap) {
    if origins.is_empty() {
        return;
    }
    response.append(VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = origin
        && origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
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
