//! Pages beside the operations: the index, health, metrics, the OpenAPI document and its page, and
//! the embedded processor's onboarding page.

use ::http::request::Parts;
use ::http::{HeaderMap, Method, Response};
use tokio::time::timeout;

use super::monitoring::READY_WITHIN;
use super::response::{self, Outgoing, whole};
use super::site::Site;
use super::visit::Desk;
use super::{docs, index, monitoring, tags};
use crate::catalog::Interface;
use crate::catalog::openapi::Version;
use crate::error::codes;
use crate::payments;

/// Whether machines ask for this page again and again, to know how the server is.
pub(super) fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/metrics")
}

const SANDBOX: &str = "/api/sandbox/onboarding/";

/// Whether there may be a page at this path.
pub(super) fn is_page(path: &str) -> bool {
    path == "/" || is_probe(path)
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
        "/metrics" => monitoring::answer(site, parts).await,
        _ => {
            let described = inner.interfaces.iter().find_map(|interface| {
                let rest = path.strip_prefix(interface.base())?;
                describe(site, *interface, rest, &parts.headers)
            });
            if described.is_some() {
                return described;
            }
            match path.strip_prefix(SANDBOX) {
                Some(page) => onboard(site, page).await,
                None => None,
            }
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

/// Opening this page completes the onboarding at the embedded processor. Only the account's owner
/// was given its address.
async fn onboard(site: &Site, page: &str) -> Option<Response<Outgoing>> {
    let platform = &site.inner().platform;
    let done = payments::sandbox::open_onboarding(platform, page).await.ok()?;
    done.then(|| {
        whole(
            200,
            "text/html; charset=utf-8",
            b"<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Account ready</title>\
              <h1>Your account is ready</h1><p>The sandbox processor has everything it needs. \
              You can close this page.</p></html>\n"
                .to_vec(),
        )
    })
}
