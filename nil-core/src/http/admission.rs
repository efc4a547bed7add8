//! Admission of requests: credentials, throttles, CSRF, cross-site requests, client addresses.

use std::net::{IpAddr, SocketAddr};

use ::http::HeaderMap;
use ::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, REFERER};

use super::form;
use super::response::SESSION_COOKIE;
use crate::auth::{Principal, csrf};
use crate::catalog::{Entry, Interface};
use crate::error::{Error, Kind, Result, codes};
use crate::kernel::Network;
use crate::keys::fingerprint;
use crate::metering::THROTTLED;
use crate::operation::{Fields, Gives};
use crate::platform::Platform;
use crate::throttle::{Throttle, Window, address_bucket};

/// The header's text, if it is plain text.
pub(super) fn text(headers: &HeaderMap, name: impl ::http::header::AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = text(headers, AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// 401: says whether the header or its scheme is missing.
fn no_token(headers: &HeaderMap, where_from: &str) -> Error {
    if headers.contains_key(AUTHORIZATION) {
        codes::UNAUTHENTICATED.saying(
            "The Authorization header does not begin with `Bearer`. Send `Authorization: Bearer TOKEN`.",
        )
    } else {
        codes::UNAUTHENTICATED.saying(format!(
            "There is no token. {where_from}, and send `Authorization: Bearer TOKEN`."
        ))
    }
}

/// The API key, or 401.
pub(super) fn api_key(headers: &HeaderMap) -> Result<&str> {
    text(headers, "x-api-key").ok_or_else(|| {
        codes::UNAUTHENTICATED.saying("There is no API key. Send one as `X-API-KEY`.")
    })
}

fn session_cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(SESSION_COOKIE)?.strip_prefix('='))
}

/// Authenticates the caller. Open operations accept anonymous callers; an API key, a token or a
/// session (in Admin, where the CSRF token is bound to it) identifies the caller there. A live
/// stream also takes a ticket in the query.
pub(super) async fn authenticate(
    platform: &Platform,
    entry: &Entry,
    headers: &HeaderMap,
    query: &str,
    fields: Option<&mut Fields>,
) -> Result<Principal> {
    if entry.callers == ["registrant"] {
        let from_body = fields.and_then(|fields| fields.take_text("registration_token"));
        let token = from_body.or_else(|| bearer(headers).map(str::to_owned));
        let token = token.ok_or_else(|| {
            no_token(
                headers,
                "Send the `registration_token` of the first step with the input, or get one",
            )
        })?;
        return platform.authenticate_registrant(&token).await;
    }
    if entry.callers == ["service"] {
        return platform.authenticate_service(api_key(headers)?).await;
    }
    match entry.interface {
        Interface::Admin => admin(platform, entry, headers).await,
        _ if entry.is_open() => match text(headers, "x-api-key") {
            Some(key) => platform.authenticate_service(key).await,
            None => visitor(platform, entry, headers).await,
        },
        interface => {
            if let Some(token) = bearer(headers) {
                return by_token(platform, interface, token).await;
            }
            let ticket =
                (entry.gives == Gives::Events).then(|| form::value(query.as_bytes(), "ticket"));
            match ticket.flatten() {
                Some(ticket) => platform.authenticate_ticket(&ticket).await,
                None => Err(no_token(headers, "Log in for one")),
            }
        }
    }
}

async fn by_token(platform: &Platform, interface: Interface, token: &str) -> Result<Principal> {
    match interface {
        Interface::Core => platform.authenticate_core(token).await,
        _ => platform.authenticate_compliance(token).await,
    }
}

/// The caller of an open operation. An invalid token makes the caller anonymous: clients keep
/// sending old tokens, and these must not block open operations. Callers of log-in, registration
/// and recovery are always anonymous and counted by address.
async fn visitor(platform: &Platform, entry: &Entry, headers: &HeaderMap) -> Result<Principal> {
    let nobody_yet =
        matches!(entry.throttle, Throttle::Login | Throttle::Registration | Throttle::Recovery);
    let Some(token) = bearer(headers).filter(|_| !nobody_yet) else {
        return Ok(Principal::Anonymous);
    };
    match by_token(platform, entry.interface, token).await {
        Err(error) if matches!(error.kind(), Kind::Unauthenticated | Kind::Forbidden) => {
            Ok(Principal::Anonymous)
        }
        found => found,
    }
}

async fn admin(platform: &Platform, entry: &Entry, headers: &HeaderMap) -> Result<Principal> {
    let principal = match session_cookie(headers) {
        Some(cookie) => platform.authenticate_admin(cookie).await?,
        None => Principal::Anonymous,
    };
    if !principal.is_anonymous() || entry.is_open() {
        return Ok(principal);
    }
    // A Core user is authenticated, but has no access here.
    if let Some(token) = bearer(headers)
        && platform.authenticate_core(token).await.is_ok()
    {
        return Err(codes::FORBIDDEN.saying("The back office requires a session, not a token."));
    }
    let why = "Please log in: the back office takes the session cookie that its log-in sets.";
    Err(codes::UNAUTHENTICATED.saying(why))
}

/// Counts the request, and refuses it with 429 if it is one too many: by caller if known, else by
/// address (failed authentication also counts against the address); a registration step by both.
/// Requests for a row that a secret in the path opens are counted by that secret: the programs that
/// ask for many people share their addresses.
pub(super) async fn count(
    platform: &Platform,
    entry: &'static Entry,
    (principal, opener): (Option<&Principal>, Option<&str>),
    address: Option<IpAddr>,
) -> (Option<Window>, Result<()>) {
    let who = match opener {
        Some(secret) => (secret_bucket(secret), None),
        None => caller(entry, principal, address),
    };
    let throttles = platform.throttles();
    let window = throttles.count(entry.throttle, entry.name, who, platform.now()).await;
    let refusal = window.and_then(|window| window.refusal());
    if refusal.is_some() {
        metrics::counter!(THROTTLED, "class" => entry.throttle.as_str()).increment(1);
    }
    (window, refusal.map_or(Ok(()), Err))
}

/// Whom a request counts for; two if it counts for both.
fn caller(
    entry: &Entry,
    principal: Option<&Principal>,
    address: Option<IpAddr>,
) -> (String, Option<String>) {
    let known = principal.filter(|principal| !principal.is_anonymous());
    match known {
        None => (address_bucket(address), None),
        // Registration tokens are free to get, so the address is counted as well.
        Some(known) if entry.throttle == Throttle::Registration => {
            (known.actor(), Some(address_bucket(address)))
        }
        Some(known) => (known.actor(), None),
    }
}

/// The bucket of a secret: one of 65,536, by its hash. Whoever tries secrets fills no memory with
/// them, and nobody finds out which bucket is another's.
fn secret_bucket(secret: &str) -> String {
    let begin: String = fingerprint(secret).chars().take(4).collect();
    format!("secret:{begin}")
}

/// In Admin, every method but GET needs a CSRF token issued to this session.
pub(super) fn check_csrf(
    platform: &Platform,
    principal: &Principal,
    headers: &HeaderMap,
    fields: &mut Fields,
) -> Result<()> {
    let in_body = ["_token", "csrf_token"].map(|name| fields.take_text(name));
    let in_header = text(headers, "x-csrf-token").map(str::to_owned);
    let token = in_header.into_iter().chain(in_body.into_iter().flatten()).next();
    match (principal.session(), token) {
        (Some(session), Some(token)) if csrf::holds(platform.vault(), session, &token) => Ok(()),
        _ => Err(codes::CSRF_INVALID.into()),
    }
}

/// Refuses the GETs that change data for other sites' pages and for browser prefetches. A client
/// that sends none of these headers is not a browser.
pub(super) fn refuse_cross_site(headers: &HeaderMap) -> Result<()> {
    let prefetch = ["sec-purpose", "purpose", "x-moz"]
        .iter()
        .any(|name| text(headers, *name).is_some_and(|value| value.contains("prefetch")));
    let foreign = match text(headers, "sec-fetch-site") {
        Some(site) => !matches!(site, "same-origin" | "none"),
        None => text(headers, ORIGIN).or_else(|| text(headers, REFERER)).is_some_and(|from| {
            let host = from.split_once("://").map_or(from, |(_, rest)| rest);
            let host = host.split(['/', '?', '#']).next().unwrap_or_default();
            text(headers, HOST) != Some(host)
        }),
    };
    if prefetch || foreign { Err(codes::CROSS_SITE.into()) } else { Ok(()) }
}

/// The client's address: the peer's, or the one reported by trusted proxies, starting with the
/// nearest. An address of IPv4 that is written as one of IPv6 is the same client.
pub(super) fn client_address(
    peer: Option<IpAddr>,
    headers: &HeaderMap,
    trusted: &[Network],
) -> Option<IpAddr> {
    let is_trusted = |address: IpAddr| trusted.iter().any(|proxy| proxy.has(address));
    let mut address = peer?.to_canonical();
    if !is_trusted(address) {
        return Some(address);
    }
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|hop| !hop.is_empty())
        .collect();
    for hop in forwarded.iter().rev() {
        let Some(hop) = hop_address(hop) else {
            break;
        };
        address = hop;
        if !is_trusted(hop) {
            break;
        }
    }
    Some(address)
}

/// The address that a proxy reports, which some write with the client's port or in brackets:
/// `203.0.113.9:51123`, `[2001:db8::1]:443`, `[2001:db8::1]`.
fn hop_address(hop: &str) -> Option<IpAddr> {
    let bare = |hop: &str| hop.parse::<IpAddr>().ok();
    let with_port = |hop: &str| Some(hop.parse::<SocketAddr>().ok()?.ip());
    let in_brackets = |hop: &str| bare(hop.strip_prefix('[')?.strip_suffix(']')?);
    let address = bare(hop).or_else(|| with_port(hop)).or_else(|| in_brackets(hop));
    address.map(|address| address.to_canonical())
}

/// Whether the refusal concerns authentication.
pub(super) fn is_authentication(error: &Error) -> bool {
    error.kind() == Kind::Unauthenticated
}

#[cfg(test)]
mod tests {
    use ::http::HeaderValue;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn forwarded_addresses_count_only_from_trusted_proxies() {
        let proxy: IpAddr = [10, 0, 0, 1].into();
        let client: IpAddr = [203, 0, 113, 9].into();
        let spoofed = headers(&[("x-forwarded-for", "1.1.1.1, 203.0.113.9")]);
        assert_eq!(client_address(Some(proxy), &spoofed, &[proxy.into()]), Some(client));
        assert_eq!(client_address(Some(client), &spoofed, &[proxy.into()]), Some(client));
        assert_eq!(client_address(Some(proxy), &spoofed, &[]), Some(proxy));
    }

    #[test]
    fn ports_and_brackets_of_forwarded_addresses_are_dropped() {
        let proxy: IpAddr = [10, 0, 0, 1].into();
        for (value, client) in [
            ("203.0.113.30:51123", "203.0.113.30"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:203.0.113.30", "203.0.113.30"),
            ("[::ffff:203.0.113.30]:80", "203.0.113.30"),
            ("198.51.100.1, 203.0.113.30:51123, 10.0.0.1:443", "203.0.113.30"),
            ("203.0.113.30:51123, ", "203.0.113.30"),
            ("203.0.113.30, [::ffff:10.0.0.1]:80", "203.0.113.30"),
            // What is no address ends the search at the proxy that reported it.
            ("203.0.113.30, unknown", "10.0.0.1"),
            ("203.0.113.30:99999", "10.0.0.1"),
            ("203.0.113.30:", "10.0.0.1"),
            ("[203.0.113.30", "10.0.0.1"),
            ("2001:db8::1]:443", "10.0.0.1"),
        ] {
            let forwarded = headers(&[("x-forwarded-for", value)]);
            let found = client_address(Some(proxy), &forwarded, &[proxy.into()]);
            assert_eq!(found, client.parse().ok(), "{value}");
        }
        let mapped: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
        let forwarded = headers(&[("x-forwarded-for", "203.0.113.30")]);
        let found = client_address(Some(mapped), &forwarded, &[proxy.into()]);
        assert_eq!(found, "203.0.113.30".parse().ok(), "a listener on IPv6 sees the proxy so");
    }

    #[test]
    fn other_sites_and_prefetches_are_refused() {
        for pairs in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "same-origin"), ("sec-purpose", "prefetch;prerender")],
            &[("origin", "https://evil.example"), ("host", "nil.example")],
            &[("referer", "https://evil.example/x"), ("host", "nil.example")],
        ] {
            assert!(refuse_cross_site(&headers(pairs)).is_err(), "{pairs:?}");
        }
        for pairs in [
            &[][..],
            &[("sec-fetch-site", "same-origin")],
            &[("referer", "https://nil.example/admin"), ("host", "nil.example")],
        ] {
            assert!(refuse_cross_site(&headers(pairs)).is_ok(), "{pairs:?}");
        }
    }

    #[test]
    fn secrets_that_somebody_tries_share_some_buckets() {
        let all: std::collections::BTreeSet<String> =
            (0..2_000).map(|number| secret_bucket(&number.to_string())).collect();
        assert!(all.iter().all(|bucket| bucket.len() == "secret:".len() + 4));
        assert!(all.len() > 1_900);
        assert_eq!(secret_bucket("a"), secret_bucket("a"));
    }

    #[test]
    fn the_session_cookie_is_found_among_others() {
        let found = headers(&[("cookie", "a=b; nil_admin_session=abc; c=d")]);
        assert_eq!(session_cookie(&found), Some("abc"));
        assert_eq!(session_cookie(&headers(&[("cookie", "xnil_admin_session=abc")])), None);
    }
}
