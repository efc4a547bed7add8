//! The accept loop of both servers: a deadline for the request head, limits on connections, a
//! graceful shutdown. The frameworks' own loops accept half-sent heads for more than a minute.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::http::header::{CONNECTION, HeaderValue};
use ::http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::connection_limits::ConnectionLimits;
use super::framing::{self, Heads, Watched};
use super::lingering::{Lingering, Patience};
use super::site::{Peer, Site};
use super::stalling::Impatient;
use crate::schedule::Shutdown;

/// The time limit for a request head; an idle connection is closed after it.
const HEAD: Duration = Duration::from_secs(8);
/// The maximum number of connections, including live streams; more wait in the listener's queue.
const CONNECTIONS: usize = 16_384;
/// A client that reads nothing for this long is disconnected.
const STALLED: Duration = Duration::from_secs(30);
/// How long a client that was answered before the end of its body may go on sending before it hears
/// the answer.
const LINGER: Duration = Duration::from_secs(30);
/// The time limit for requests under way when the server is asked to stop.
const DRAIN: Duration = Duration::from_secs(25);

/// Serves a listener until the shutdown signal, then finishes requests under way. The limit of
/// connections per client is in the site's configuration.
pub async fn serve<S, Fut, B>(site: &Site, listener: TcpListener, shutdown: Shutdown, service: S)
where
    S: Fn(Request<Incoming>) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Response<B>> + Send + 'static,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(64 * 1024);
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let limits = ConnectionLimits::new(site.inner().platform.config());
    let graceful = GracefulShutdown::new();
    let mut stop = shutdown;
    loop {
        let Ok(place) = room.clone().acquire_owned().await else {
            break;
        };
        let (stream, peer) = tokio::select! {
            () = stop.said() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of file descriptors: let some connections end before trying again.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        // A client with too many connections is closed at once; other clients are not affected.
        let Some(guest) = limits.admit(peer.ip()) else {
            continue;
        };
        // Send small answers at once.
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        let heads = Arc::new(Heads::default());
        let early = Arc::new(AtomicBool::new(false));
        let stream = Lingering::new(stream, Arc::clone(&early), patience(&stop));
        let stream = Watched::new(stream, Arc::clone(&heads));
        let connection = http.serve_connection(
            TokioIo::new(Impatient::new(stream, STALLED)),
            service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(Peer(peer));
                let last = framing::judge(&mut request, &heads);
                let answer = service(request);
                let early = Arc::clone(&early);
                async move {
                    let mut answer = answer.await;
                    if last {
                        let close = HeaderValue::from_static("close");
                        answer.headers_mut().insert(CONNECTION, close);
                    }
                    // The site closes a connection whose body has not been read to its end.
                    let closes = answer.headers().get(CONNECTION).is_some_and(|it| it == "close");
                    early.store(closes, Ordering::Relaxed);
                    Ok::<_, Infallible>(answer)
                }
            }),
        );
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // Errors caused by the client (hang-ups, invalid HTTP) are ignored.
            let _ = connection.await;
            drop((place, guest));
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some connections were still busy when the server stopped");
    }
}

/// Ends after a while, or at once when the server is asked to stop.
fn patience(stop: &Shutdown) -> Patience {
    let mut stop = stop.clone();
    Box::pin(async move {
        tokio::select! {
            () = stop.said() => {}
            () = tokio::time::sleep(LINGER) => {}
        }
    })
}
