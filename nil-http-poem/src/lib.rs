//! The back-office server: poem in front of the operations of `nil-core`.
//!
//! Rules, SQL and permission checks are all in `nil-core`; [`Serve`] is an ordinary poem endpoint,
//! so a host application can nest it in its own route.

#[cfg(feature = "console")]
pub mod console;

use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::Bytes;
use nil_core::http::{Outgoing, Peer, Shutdown, Site};
use poem::http::uri::Scheme;
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Body, Endpoint, Request, Response};
use tokio::net::TcpListener;

/// Serves the site on the listener until the shutdown signal, then drains.
pub async fn serve(site: Site, listener: TcpListener, shutdown: Shutdown) {
    site.drain_when(shutdown.clone());
    let local = listener.local_addr().map_or(Addr::custom("tcp", "unknown"), Addr::SocketAddr);
    let served = site.clone();
    nil_core::http::serve(&site, listener, shutdown, move |request| {
        let endpoint = Serve(served.clone());
        let peer = request.extensions().get::<Peer>().map(|peer| Addr::SocketAddr(peer.0));
        let local = LocalAddr(local.clone());
        let remote = RemoteAddr(peer.unwrap_or_else(|| Addr::custom("tcp", "unknown")));
        async move {
            let request = Request::from((request, local, remote, Scheme::HTTP));
            let response: hyper::Response<_> = endpoint.get_response(request).await.into();
            response
        }
    })
    .await;
}

/// The site as a poem endpoint, at the root or nested below the prefix of [`Site::at`], beside a
/// host's own routes:
///
/// ```no_run
/// # fn f(site: nil_core::http::Site) -> nil_core::Result<poem::Route> {
/// let host = poem::Route::new()
///     .at("/hello", poem::endpoint::make_sync(|_| "hello"))
///     .nest("/nil", nil_http_poem::Serve(site.at("/nil")?));
/// # Ok(host) }
/// ```
///
/// Throttles count the client that poem names (`RemoteAddr`), behind the setting `trusted_proxies`.
/// A host that does not use [`serve`] calls [`Site::drain_when`], so that live streams end when it
/// stops.
#[derive(Clone, Debug)]
pub struct Serve(
    /// The site that answers.
    pub Site,
);

impl Endpoint for Serve {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let peer = request.remote_addr().as_socket_addr().copied();
        // What the host has taken off is the site's again if the site knows its prefix.
        let whole = (!self.0.prefix().is_empty()).then(|| request.original_uri().clone());
        let mut request: hyper::Request<BoxBody<Bytes, std::io::Error>> = request.into();
        if let Some(whole) = whole {
            *request.uri_mut() = whole;
        }
        if let Some(peer) = peer {
            // The accept loop of `nil-core` has named it already.
            request.extensions_mut().get_or_insert(Peer(peer));
        }
        Ok(into_poem(self.0.answer(request).await))
    }
}

/// A body in memory is passed as bytes, so that its length is known; a stream as a stream.
fn into_poem(response: hyper::Response<Outgoing>) -> Response {
    let (parts, body) = response.into_parts();
    let body = match body {
        Outgoing::Whole(bytes) => Body::from_bytes(bytes),
        Outgoing::Stream(stream) => Body::from(stream.boxed()),
    };
    let mut response = Response::builder().status(parts.status).body(body);
    *response.headers_mut() = parts.headers;
    response
}
