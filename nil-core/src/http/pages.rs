//! Pages beside the operations: the index, health, metrics, the OpenAPI document and its page, and
//! the pages of the embedded processor.

use ::http::request::Parts;
use ::http::{HeaderMap, Method, Response};
use tokio::time::timeout;

use super::monitoring::READY_WITHIN;
use super::response::{self, Outgoing, whole};
use super::site::Site;
use super::visit::Desk;
use super::{docs, index, monitoring, sandbox_pages, tags};
use crate::catalog::Interface;
use crate::catalog::openapi::Version;
use crate::error::codes;

/// Where the public keys of tokens are.
const KEYS: &str = "/.well-known/jwks.json";

/// Whether machines ask for this page again and again, to know how the server is.
pub(super) fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/metrics")
}

/// Whether there may be a page at this path.
pub(super) fn is_page(path: &str) -> bool {
    path == "/" || path == KEYS || is_probe(path)
}

/// The page at this path of the site, if there is one.
pub(super) async fn answer(
    desk: Desk<'_>,
    path: &str,
    parts: &Parts,
) -> Option<Response<Outgoing>> {
    let site = desk.site();
    if parts.method != Method::GET && parts.method != Method::HEAD {
        return None;
    }
    let inner = site.inner();
    match path {
        "/" => Some(index::answer(desk, &parts.headers).await),
        "/healthz" => Some(whole(200, "text/plain; charset=utf-8", b"ok\n".to_vec())),
        "/readyz" => Some(ready(site).await),
        KEYS => Some(keys(site)),
        "/metrics" => monitoring::answer(site, parts).await,
        _ => {
            let described = inner.interfaces.iter().find_map(|interface| {
                let rest = path.strip_prefix(interface.base())?;
                describe(site, *interface, rest, &parts.headers)
            });
            if described.is_some() {
                return described;
            }
            if parts.method != Method::GET {
                return None;
            }
            sandbox_pages::answer(site, path, parts).await
        }
    }
}

/// The interface's OpenAPI documents, and the page that shows it.
fn describe(
    site: &Site,
    interface: Interface,
    rest: &str,
    headers: &HeaderMap,
) -> Option<Response<Outgoing>> {
    let version = match rest {
        "/openapi.json" => Version::Newest,
        "/openapi-3.0.json" => Version::V3_0,
        _ => return docs::answer(site.prefix(), interface, rest, headers),
    };
    let document = site.mount().document(interface, version).answer("application/json", headers);
    Some(tags::revalidate(headers, document))
}

/// The public keys with which others can check tokens.
fn keys(site: &Site) -> Response<Outgoing> {
    let keys = site.inner().platform.vault().public_keys().to_string();
    whole(200, "application/json", keys.into_bytes())
}

async fn ready(site: &Site) -> Response<Outgoing> {
    let ready = if site.is_leaving() {
        Err(codes::UNAVAILABLE.saying("The server is stopping."))
    } else {
        let silent = |_| Err(codes::UNAVAILABLE.saying("The database does not answer."));
        timeout(READY_WITHIN, site.inner().platform.ready()).await.unwrap_or_else(silent)
    };
    match ready {
        Ok(()) => whole(200, "text/plain; charset=utf-8", b"ready\n".to_vec()),
        Err(error) => response::of_error(&error, "", None),
    }
}
