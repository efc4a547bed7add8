//! One request: found, throttled, authenticated, admitted, read, run, answered. In that order.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::http::{HeaderMap, Method, Request, Response, StatusCode};
use bytes::Bytes;
use http_body::Body;
use tokio::sync::{Semaphore, SemaphorePermit, watch};

use super::accept::Shutdown;
use super::incoming::Limits;
use super::response::{self, Outgoing, X_REQUEST_ID};
use super::routes::{Found, Routes};
use super::{admission, compress, cors, form, incoming, pages};
use crate::auth::Principal;
use crate::auth::throttle::Window;
use crate::catalog::{Entry, Interface};
use crate::error::{Error, Kind, Result, codes};
use crate::operation::{self, Call, Fields, Reply};
use crate::platform::Platform;

/// How many MiB of bodies with files are taken at the same time.
const ROOM: usize = 256;
/// How long a body with a file waits for room.
const WAIT_FOR_ROOM: Duration = Duration::from_secs(10);

/// The network peer of a request; the accept loop puts it into the request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// What a site is made with.
#[derive(Clone, Default)]
pub struct SiteOptions {
    /// Renders the process's metrics as Prometheus text; without it `/metrics` is 404.
    pub metrics: Option<Arc<dyn Fn() -> String + Send + Sync>>,
}

impl std::fmt::Debug for SiteOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SiteOptions").finish_non_exhaustive()
    }
}

/// Some interfaces of the platform behind one listener. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Site(Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub platform: Platform,
    pub interfaces: Vec<Interface>,
    pub options: SiteOptions,
    routes: Routes,
    draining: watch::Sender<bool>,
    /// Room for bodies with files, in MiB: how much of them is in memory at the same time.
    room: Semaphore,
}

impl Site {
    /// A site for these interfaces.
    pub fn new(platform: Platform, interfaces: &[Interface], options: SiteOptions) -> Result<Self> {
        Ok(Self(Arc::new(Inner {
            routes: Routes::new(interfaces)?,
            interfaces: interfaces.to_vec(),
            draining: watch::Sender::new(false),
            room: Semaphore::new(ROOM),
            platform,
            options,
        })))
    }

    /// Turns `/readyz` red and ends live streams; requests are still answered until the accept loop has
    /// drained.
    pub fn drain(&self) {
        self.0.draining.send_replace(true);
    }

    /// Drains when the word is said. Both servers do this for the site they serve.
    pub fn drain_when(&self, mut shutdown: Shutdown) {
        let site = self.clone();
        tokio::spawn(async move {
            shutdown.said().await;
            site.drain();
        });
    }

    /// Whether the site is about to stop.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        *self.0.draining.borrow()
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.0
    }

    /// Answers a request. This is all a frontend calls.
    pub async fn answer<B>(&self, request: Request<B>) -> Response<Outgoing>
    where
        B: Body + Send + Unpin,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let started = Instant::now();
        let platform = &self.0.platform;
        let secure = platform.config().public_url.starts_with("https:");
        let request_id = request_id(platform, request.headers());
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let mut talk = Talk {
            entry: None,
            window: None,
        };
        let origin = request.headers().clone();
        let mut response = if method == Method::OPTIONS {
            self.options(&path)
        } else if let Some(page) = pages::answer(self, &request).await {
            page
        } else {
            match self.run(request, &request_id, &mut talk).await {
                Ok(response) => response,
                Err(error) => {
                    let error = match talk.entry {
                        Some(entry) => entry.refusal(error),
                        None => error,
                    };
                    self.refuse(&error, &request_id, &path, talk.operation())
                }
            }
        };
        let secret = talk.entry.is_some_and(|entry| entry.credentials);
        response = compress::pack(&origin, secret, response);
        response::finish(&mut response, &request_id, talk.window, secure);
        cors::allow(
            &platform.config().cors_origins,
            &origin,
            response.headers_mut(),
        );
        if method == Method::OPTIONS
            && let Some(methods) = self.0.routes.methods(&path)
        {
            cors::preflight(&methods, response.headers_mut());
        }
        if method == Method::HEAD {
            *response.body_mut() = Outgoing::Whole(Bytes::new());
        }
        note(
            &method,
            &path,
            &talk,
            response.status(),
            &request_id,
            started,
        );
        response
    }

    /// Waits until there is room for the body; it is taken up until the request is answered.
    async fn make_room(&self, headers: &HeaderMap) -> Result<SemaphorePermit<'_>> {
        let size = Limits::of_file(headers).announced(headers) / 1024 / 1024 + 1;
        let size = u32::try_from(size).map_err(Error::internal)?;
        let room = self.0.room.acquire_many(size);
        let room = tokio::time::timeout(WAIT_FOR_ROOM, room).await;
        room.ok().and_then(Result::ok).ok_or_else(|| {
            codes::UNAVAILABLE.saying("Too many files are being uploaded. Please try again.")
        })
    }

    fn options(&self, path: &str) -> Response<Outgoing> {
        let Some(methods) = self.0.routes.methods(path) else {
            return response::of_error(&codes::ROUTE_NOT_FOUND.into(), "", None);
        };
        let mut response = Response::new(Outgoing::Whole(Bytes::new()));
        *response.status_mut() = StatusCode::NO_CONTENT;
        response::put(response.headers_mut(), ::http::header::ALLOW, &methods);
        response
    }

    fn refuse(
        &self,
        error: &Error,
        request_id: &str,
        path: &str,
        operation: Option<&'static str>,
    ) -> Response<Outgoing> {
        if error.kind() == Kind::Internal {
            let cause = std::error::Error::source(error).map(ToString::to_string);
            tracing::error!(request_id, operation, cause, "{}", error.message());
        }
        let methods = (error.kind() == Kind::MethodNotAllowed)
            .then(|| self.0.routes.methods(path))
            .flatten();
        response::of_error(error, request_id, methods.as_deref())
    }

    async fn run<B>(
        &self,
        request: Request<B>,
        request_id: &str,
        talk: &mut Talk,
    ) -> Result<Response<Outgoing>>
    where
        B: Body + Send + Unpin,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let platform = &self.0.platform;
        let (parts, body) = request.into_parts();
        let Found { route, parameters } = self.0.routes.find(&parts.method, parts.uri.path())?;
        let entry = route.entry;
        talk.entry = Some(entry);
        let peer = parts.extensions.get::<Peer>().map(|peer| peer.0.ip());
        let trusted = &platform.config().trusted_proxies;
        let address = admission::client_address(peer, &parts.headers, trusted);
        let mut door = Door {
            platform,
            entry,
            headers: &parts.headers,
            address,
            talk,
        };
        let mut _room = None;

        let limit = platform.config().body_limit;
        let query = parts.uri.query().unwrap_or_default();
        let (principal, mut fields) = if entry.callers == ["registrant"] {
            // The token may ride in the body, so that is read first.
            let mut fields = door.read(body, query, limit).await?;
            (door.authenticate(Some(&mut fields)).await?, fields)
        } else {
            let principal = door.authenticate(None).await?;
            door.admit_before_reading(&principal)?;
            if entry.takes_file || entry.carries_files {
                _room = Some(self.make_room(&parts.headers).await?);
            }
            (principal, door.read(body, query, limit).await?)
        };
        door.admit(&principal, &mut fields)?;

        for (name, value) in &parameters {
            let is_id = route.ids.contains(&name.as_str()) && !entry.unprocessable;
            if is_id && !value.bytes().all(|b| b.is_ascii_digit()) {
                return Err(codes::NOT_FOUND.into());
            }
            let value = percent_encoding::percent_decode_str(value)
                .decode_utf8()
                .map_err(|_| Error::from(codes::NOT_FOUND))?;
            fields.put(name, value.into_owned());
        }
        if entry.streams
            && let Some(last) = admission::text(&parts.headers, "last-event-id")
        {
            fields.put("last_event_id", last.to_owned());
        }
        let call = Call {
            principal,
            fields,
            key: idempotency_key(&parts.headers)?,
            strict: entry.strict || prefers_strict(&parts.headers),
            address,
            request_id: request_id.to_owned(),
        };
        let secure = platform.config().public_url.starts_with("https:");
        match platform.answer(entry, call).await {
            Ok(reply) => {
                let reply = self.ending_with_the_site(reply);
                Ok(response::of_reply(reply, entry.extension, secure))
            }
            // An id in the path that can be no id is an address without a record.
            Err(error)
                if error.kind() == Kind::Invalid
                    && !entry.unprocessable
                    && error
                        .fields()
                        .keys()
                        .any(|field| route.ids.contains(&field.as_str())) =>
            {
                Err(codes::NOT_FOUND.into())
            }
            Err(error) => Err(error),
        }
    }
}

impl Site {
    /// A live stream does not keep a server from stopping; its client goes on elsewhere.
    fn ending_with_the_site(&self, mut reply: Reply) -> Reply {
        if let operation::Body::Events(events) = reply.body {
            let mut draining = self.0.draining.subscribe();
            reply.body = operation::Body::Events(events.until(async move {
                let _ = draining.wait_for(|draining| *draining).await;
            }));
        }
        reply
    }
}

/// What is known of a request when it is logged.
struct Talk {
    entry: Option<&'static Entry>,
    window: Option<Window>,
}

impl Talk {
    fn operation(&self) -> Option<&'static str> {
        self.entry.map(|entry| entry.name)
    }
}

/// The checks before an operation runs.
struct Door<'a> {
    platform: &'a Platform,
    entry: &'static Entry,
    headers: &'a HeaderMap,
    address: Option<IpAddr>,
    talk: &'a mut Talk,
}

impl Door<'_> {
    /// 429 by address, 401, 429 by caller.
    async fn authenticate(&mut self, fields: Option<&mut Fields>) -> Result<Principal> {
        let (platform, entry) = (self.platform, self.entry);
        let found = admission::authenticate(platform, entry, self.headers, fields).await;
        let known = match &found {
            Ok(principal) => Some(principal),
            Err(error) if admission::is_authentication(error) => None,
            // The database is away: nobody is counted for that.
            Err(_) => return found,
        };
        self.talk.window = admission::count(platform, entry, known, self.address);
        match self.talk.window.and_then(|window| window.refusal()) {
            Some(refusal) => Err(refusal),
            None => found,
        }
    }

    /// What can be refused without the body: cross-site requests, and the wrong kind of caller (in
    /// Admin only after the CSRF token, which may be in the body).
    fn admit_before_reading(&self, principal: &Principal) -> Result<()> {
        if self.entry.mutates {
            admission::refuse_cross_site(self.headers)?;
        }
        if self.entry.interface == Interface::Admin && self.entry.method.has_body() {
            return Ok(());
        }
        self.entry.admit(principal)
    }

    fn admit(&self, principal: &Principal, fields: &mut Fields) -> Result<()> {
        let changes = self.entry.method != crate::catalog::Method::Get;
        if self.entry.interface == Interface::Admin && changes {
            admission::check_csrf(self.platform, principal, self.headers, fields)?;
        }
        for name in ["registration_token", "_token", "csrf_token"] {
            fields.remove(name);
        }
        self.entry.admit(principal)
    }

    async fn read<B>(&self, body: B, query: &str, limit: usize) -> Result<Fields>
    where
        B: Body + Send + Unpin,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if !self.entry.method.has_body() {
            return Ok(form::urlencoded(query.as_bytes()));
        }
        if self.entry.takes_file {
            return incoming::with_file(self.entry.interface, body, self.headers).await;
        }
        let limits = if self.entry.carries_files {
            Limits::of_json_with_files()
        } else {
            Limits::usual(limit)
        };
        let bytes = incoming::collect(body, self.headers, limits).await?;
        if self.entry.raw {
            return Ok(incoming::raw(self.headers, &bytes));
        }
        incoming::fields(self.entry.interface, self.headers, bytes).await
    }
}

/// The caller's request id if it is a sensible one, else a new one.
fn request_id(platform: &Platform, headers: &HeaderMap) -> String {
    admission::text(headers, X_REQUEST_ID)
        .filter(|id| {
            (1..=64).contains(&id.len())
                && id
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        })
        .map_or_else(|| platform.new_request_id(), str::to_owned)
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    match value.to_str() {
        Ok(key) if (1..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()) => {
            Ok(Some(key.to_owned()))
        }
        _ => Err(Error::invalid(
            "Idempotency-Key",
            "must be 1 to 255 visible characters",
        )),
    }
}

/// RFC 7240: `Prefer: handling=strict`.
fn prefers_strict(headers: &HeaderMap) -> bool {
    headers
        .get_all("prefer")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| {
            value.split(',').any(|preference| {
                preference
                    .replace([' ', '"'], "")
                    .eq_ignore_ascii_case("handling=strict")
            })
        })
}

fn note(
    method: &Method,
    path: &str,
    talk: &Talk,
    status: StatusCode,
    request_id: &str,
    started: Instant,
) {
    let took = started.elapsed();
    let operation = talk.operation().unwrap_or("none");
    let code = status.as_u16();
    metrics::counter!("nil_http_requests_total", "operation" => operation,
        "status" => code.to_string())
    .increment(1);
    metrics::histogram!("nil_http_request_seconds", "operation" => operation).record(took);
    // The path only: a query string may hold a token.
    tracing::info!(
        %method, path, operation, status = code, micros = took.as_micros(), request_id,
        "request"
    );
}
