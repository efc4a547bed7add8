//! The public server: warp in front of the operations of `nil-core`.
//!
//! The whole route table is behind one filter (a chain of a hundred boxed filters costs about
//! twenty times as much). Rules, SQL and permission checks are all in `nil-core`.

use std::convert::Infallible;
use std::net::SocketAddr;

use futures::{Stream, StreamExt as _};
use http_body_util::{BodyExt as _, StreamBody};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use nil_core::http::{Fault, Outgoing, Peer, Shutdown, Site};
use tokio::net::TcpListener;
use warp::filters::BoxedFilter;
use warp::http::{Extensions, HeaderMap, Method, Request, Response};
use warp::hyper::body::{Bytes, Frame};
use warp::path::FullPath;
use warp::{Buf, Filter, Reply};

/// Serves the site on the listener until the shutdown signal, then drains.
pub async fn serve(site: Site, listener: TcpListener, shutdown: Shutdown) {
    site.drain_when(shutdown.clone());
    let service = TowerToHyperService::new(warp::service(everything(site.clone())));
    nil_core::http::serve(&site, listener, shutdown, move |request| {
        let answer = service.call(request);
        async move {
            match answer.await {
                Ok(response) => response,
                Err(never) => match never {},
            }
        }
    })
    .await;
}

/// The site as a filter for hosts that have filters of their own: at the root, or below the prefix
/// of [`Site::at`]. A request for an address that is not the site's ([`Site::owns`]) is rejected
/// with `not_found`, so that the host's filters may stand before it or after it:
///
/// ```no_run
/// # use warp::Filter as _;
/// # fn f(site: nil_core::http::Site) -> nil_core::Result<()> {
/// let hello = warp::path("hello").map(|| "hello");
/// let host = nil_http_warp::routes(site.at("/nil")?).or(hello);
/// # drop(host);
/// # Ok(()) }
/// ```
///
/// The filter looks at the whole path, whichever segments were matched before it. Throttles count
/// the client that warp names (`warp::addr::remote()`), behind the setting `trusted_proxies`. A
/// host that does not use [`serve`] calls [`Site::drain_when`], so that live streams end when it
/// stops.
#[must_use]
pub fn routes(site: Site) -> BoxedFilter<(warp::reply::Response,)> {
    let mine = site.clone();
    let own = warp::path::full().and_then(move |path: FullPath| {
        let own = mine.owns(path.as_str());
        async move { if own { Ok(()) } else { Err(warp::reject::not_found()) } }
    });
    own.untuple_one().and(everything(site)).boxed()
}

/// Passes every request, whatever its method and path, to the site.
fn everything(site: Site) -> BoxedFilter<(warp::reply::Response,)> {
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(extensions())
        .and(warp::body::stream())
        .then(move |method, path: FullPath, query: String, headers, extensions, body| {
            let site = site.clone();
            async move { answer(&site, method, &path, &query, headers, extensions, body).await }
        })
        .boxed()
}

/// The extensions that the accept loop added to a request. A server of warp's own names the client
/// in its way.
fn extensions() -> impl Filter<Extract = (Extensions,), Error = Infallible> + Clone {
    warp::ext::optional::<Peer>().and(warp::ext::optional::<Fault>()).and(warp::addr::remote()).map(
        |peer: Option<Peer>, fault: Option<Fault>, remote: Option<SocketAddr>| {
            let mut extensions = Extensions::new();
            if let Some(peer) = peer.or(remote.map(Peer)) {
                extensions.insert(peer);
            }
            if let Some(fault) = fault {
                extensions.insert(fault);
            }
            extensions
        },
    )
}

async fn answer<B: Buf>(
    site: &Site,
    method: Method,
    path: &FullPath,
    query: &str,
    headers: HeaderMap,
    extensions: Extensions,
    body: impl Stream<Item = Result<B, warp::Error>> + Send + 'static,
) -> warp::reply::Response {
    let frames = body
        .map(|piece| piece.map(|mut piece| Frame::data(piece.copy_to_bytes(piece.remaining()))));
    let mut request = Request::new(StreamBody::new(frames));
    *request.method_mut() = method;
    let target = if query.is_empty() {
        path.as_str().parse()
    } else {
        format!("{}?{query}", path.as_str()).parse()
    };
    // The server has already parsed this target; warp parses it again.
    *request.uri_mut() = target.unwrap_or_default();
    *request.headers_mut() = headers;
    *request.extensions_mut() = extensions;
    into_warp(site.answer(request).await)
}

/// A body in memory is passed as bytes, so that its length is known; a stream as a stream.
fn into_warp(response: Response<Outgoing>) -> warp::reply::Response {
    let (parts, body) = response.into_parts();
    let mut response = match body {
        Outgoing::Whole(bytes) => Response::new(bytes).into_response(),
        Outgoing::Stream(stream) => {
            let pieces = stream.into_data_stream().map(|piece| piece.map(|bytes: Bytes| bytes));
            warp::reply::stream(pieces).into_response()
        }
    };
    *response.status_mut() = parts.status;
    *response.headers_mut() = parts.headers;
    response
}
