//! Cookies of the pages.

use hyper::Response;
use nil_core::http::{Desk, Outgoing};
use nil_core::{Error, Result};
use poem::http::header::{COOKIE, SET_COOKIE};
use poem::http::{HeaderMap, HeaderValue};

/// The name of a cookie. On https browsers hold it to this very host.
pub(super) fn own_name(name: &str, secure: bool) -> String {
    format!("{}{name}", if secure { "__Host-" } else { "" })
}

/// What a request's cookie of this name holds.
pub(super) fn find<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// Gives the browser a cookie that scripts do not see: it keeps it for so many seconds, or else
/// until it is closed.
pub(super) fn give(
    desk: Desk<'_>,
    response: &mut Response<Outgoing>,
    name: &str,
    (value, seconds): (&str, Option<u32>),
) -> Result<()> {
    let secure = if desk.is_secure() { "; Secure" } else { "" };
    let age = seconds.map(|seconds| format!("; Max-Age={seconds}")).unwrap_or_default();
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}");
    let cookie = HeaderValue::from_str(&cookie).map_err(Error::internal)?;
    response.headers_mut().append(SET_COOKIE, cookie);
    Ok(())
}
