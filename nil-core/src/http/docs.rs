//! The interactive page of an interface's OpenAPI document. It works offline: its script and style
//! sheet are embedded in the program, and it loads nothing from other servers.

use ::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use ::http::{HeaderMap, Response};
use bytes::Bytes;

use super::compress::Packed;
use super::response::{Outgoing, put, whole};
use crate::catalog::{Interface, openapi};

const PAGE: &str = include_str!("../../assets/docs/page.html");
const SCRIPT: &[u8] = include_bytes!("../../assets/docs/page.js");
static LIBRARY: Packed =
    Packed::built(include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui-bundle.js.gz")));
static STYLE: Packed =
    Packed::built(include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui.css.gz")));

/// The library sets inline styles and draws small images from data addresses; scripts come only
/// from this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The page or one of its files; `rest` is the path after the interface's base, which stands below
/// `prefix`.
pub(super) fn answer(
    prefix: &str,
    interface: Interface,
    rest: &str,
    headers: &HeaderMap,
) -> Option<Response<Outgoing>> {
    const CODE: &str = "text/javascript; charset=utf-8";
    match rest.strip_prefix("/docs")? {
        "" | "/" => {
            let page = PAGE
                .replace("{{base}}", &format!("{prefix}{}", interface.base()))
                .replace("{{title}}", openapi::title(interface));
            let mut response = whole(200, "text/html; charset=utf-8", page.into_bytes());
            put(response.headers_mut(), CONTENT_SECURITY_POLICY, POLICY);
            Some(response)
        }
        "/page.js" => Some(whole(200, CODE, Bytes::from_static(SCRIPT))),
        "/swagger-ui-bundle.js" => Some(kept(LIBRARY.answer(CODE, headers))),
        "/swagger-ui.css" => Some(kept(STYLE.answer("text/css; charset=utf-8", headers))),
        _ => None,
    }
}

/// The response of a file that browsers may keep for a day.
fn kept(mut response: Response<Outgoing>) -> Response<Outgoing> {
    put(response.headers_mut(), CACHE_CONTROL, "public, max-age=86400");
    response
}
