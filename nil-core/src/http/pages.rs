//! Pages beside the operations: the index, health, metrics, the OpenAPI document and its page, and the embedded processor's
//! onboarding page.

use std::sync::OnceLock;
use std::time::Duration;

use ::http::request::Parts;
use ::http::{HeaderMap, Method, Response};
use tokio::time::timeout;

use super::answer::Site;
use super::compress::Packed;
use super::response::{self, Outgoing, whole};
use super::{docs, index, monitoring, tags};
use crate::catalog::Interface;
use crate::catalog::openapi::{self, Version};
use crate::error::codes;
use crate::payments;

/// The OpenAPI documents of an interface, each built on first use: the catalog never changes.
struct Documents {
    newest: OnceLock<Packed>,
    v3_0: OnceLock<Packed>,
}

static CORE: Documents = Documents::new();
static COMPLIANCE: Documents = Documents::new();
static ADMIN: Documents = Documents::new();

impl Documents {
    const fn new() -> Self {
        Self { newest: OnceLock::new(), v3_0: OnceLock::new() }
    }

    /// The server address in them is relative to where they were fetched from, so they work under any host name.
    fn of(interface: Interface, version: Version) -> &'static Packed {
        let of_interface = match interface {
            Interface::Core => &CORE,
            Interface::Compliance => &COMPLIANCE,
            Interface::Admin => &ADMIN,
        };
        let document = match version {
            Version::Newest => &of_interface.newest,
            Version::V3_0 => &of_interface.v3_0,
        };
        document.get_or_init(|| {
            Packed::of(version.of(openapi::document(interface, "")).to_string().as_bytes())
        })
    }
}

/// How long the database may take to show that it is there.
pub(super) const READY_WITHIN: Duration = Duration::from_millis(900);

/// Whether machines ask for this page again and again, to know how the server is.
pub(super) fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/metrics")
}

const SANDBOX: &str = "/api/sandbox/onboarding/";

/// The page at this address, if there is one.
pub(super) async fn answer(site: &Site, parts: &Parts) -> Option<Response<Outgoing>> {
    if parts.method != Method::GET && parts.method != Method::HEAD {
        return None;
    }
    let inner = site.inner();
    let path = parts.uri.path();
    match path {
        "/" => Some(index::answer(site)),
        "/healthz" => Some(whole(200, "text/plain; charset=utf-8", b"ok\n".to_vec())),
        "/readyz" => Some(ready(site).await),
        "/metrics" => monitoring::answer(site, parts).await,
        _ => {
            let described = inner.interfaces.iter().find_map(|interface| {
                let rest = path.strip_prefix(interface.base())?;
                describe(*interface, rest, &parts.headers)
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
fn describe(interface: Interface, rest: &str, headers: &HeaderMap) -> Option<Response<Outgoing>> {
    let version = match rest {
        "/openapi.json" => Version::Newest,
        "/openapi-3.0.json" => Version::V3_0,
        _ => return docs::answer(interface, rest, headers),
    };
    let document = Documents::of(interface, version).answer("application/json", headers);
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
