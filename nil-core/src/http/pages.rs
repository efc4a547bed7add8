//! Pages beside the operations: the index, health, metrics, the OpenAPI document and its page, and the embedded processor's
//! onboarding page.

use std::sync::LazyLock;
use std::time::Duration;

use ::http::{HeaderMap, Method, Request, Response};
use tokio::time::timeout;

use super::answer::Site;
use super::compress::Packed;
use super::response::{self, Outgoing, whole};
use super::{docs, index, monitoring};
use crate::catalog::{Interface, openapi};
use crate::error::codes;
use crate::payments;

/// The OpenAPI documents, each built on first use: the catalog never changes. Their server address is relative to where
/// they were fetched from, so they work under any host name.
static CORE: LazyLock<Packed> = LazyLock::new(|| document(Interface::Core));
static COMPLIANCE: LazyLock<Packed> = LazyLock::new(|| document(Interface::Compliance));
static ADMIN: LazyLock<Packed> = LazyLock::new(|| document(Interface::Admin));

fn document(interface: Interface) -> Packed {
    Packed::of(openapi::document(interface, "").to_string().as_bytes())
}

/// How long the database may take to show that it is there.
pub(super) const READY_WITHIN: Duration = Duration::from_millis(900);

/// Whether machines ask for this page again and again, to know how the server is.
pub(super) fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/metrics")
}

const SANDBOX: &str = "/api/sandbox/onboarding/";

/// The page at this address, if there is one.
pub(super) async fn answer<B>(site: &Site, request: &Request<B>) -> Option<Response<Outgoing>> {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return None;
    }
    let inner = site.inner();
    let path = request.uri().path();
    match path {
        "/" => Some(index::answer(site)),
        "/healthz" => Some(whole(200, "text/plain; charset=utf-8", b"ok\n".to_vec())),
        "/readyz" => Some(ready(site).await),
        "/metrics" => monitoring::answer(site, request).await,
        _ => {
            let described = inner.interfaces.iter().find_map(|interface| {
                let rest = path.strip_prefix(interface.base())?;
                describe(*interface, rest, request.headers())
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

/// The interface's OpenAPI document, and the page that shows it.
fn describe(interface: Interface, rest: &str, headers: &HeaderMap) -> Option<Response<Outgoing>> {
    if rest != "/openapi.json" {
        return docs::answer(interface, rest, headers);
    }
    let document = match interface {
        Interface::Core => &CORE,
        Interface::Compliance => &COMPLIANCE,
        Interface::Admin => &ADMIN,
    };
    Some(document.answer("application/json", headers))
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

/// Opening this page completes the onboarding at the embedded processor. Only the account's owner was given its
/// address.
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
