//! Handles one request in this order: route, throttle, authentication, admission, reading,
//! execution, response.

use std::sync::Arc;
use std::time::Instant;

use ::http::request::Parts;
use ::http::{HeaderMap, Method, Request, Response, StatusCode};
use bytes::Bytes;
use futures::future::BoxFuture;
use http_body::Body;
use tracing::Instrument as _;

use super::arriving::Arriving;
use super::door::{Door, RequestLog};
use super::framing::Fault;
use super::incoming::Limits;
use super::response::{self, Outgoing, X_REQUEST_ID, log_if_internal};
use super::routes::Found;
use super::site::Site;
use super::visit::{Desk, Pages, Visit};
use super::{admission, compress, cors, incoming, mail_pages, pages, ranges, span, tags};
use crate::catalog::{Entry, Reuse, Takes};
use crate::error::{Error, Kind, Result, codes};
use crate::metering::{REQUEST_TIME, REQUESTS};
use crate::operation::{Call, Gives, Reply, Streamed};
use crate::platform::Platform;

/// The most characters of a path in a log line.
const LONGEST_PATH: usize = 256;

impl Site {
    /// Whether an address with this whole path is the site's: a page of it, or anything below an
    /// interface, whether it leads somewhere or not. A host asks before it looks among its own.
    #[must_use]
    pub fn owns(&self, path: &str) -> bool {
        let below = |own: &str, base: &str| {
            own.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.mount().own(path).is_some_and(|own| {
            pages::is_page(own)
                || mail_pages::is_page(self, own)
                || self.page_of_host(own).is_some()
                || self.inner().interfaces.iter().any(|interface| below(own, interface.base()))
        })
    }

    /// Answers a request. This is the only function a frontend calls. Its future is `Send` for
    /// every body that is, shared between threads or not.
    pub fn answer<B>(&self, request: Request<B>) -> BoxFuture<'_, Response<Outgoing>>
    where
        B: Body + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let body = Arriving::new(body, &parts.headers);
        self.answer_arriving(parts, body)
    }

    /// The future is boxed here: one that a frontend awaits as it is would be compiled again in
    /// each of them, with all that it awaits.
    fn answer_arriving(&self, parts: Parts, body: Arriving) -> BoxFuture<'_, Response<Outgoing>> {
        // An address above the prefix leads nowhere, as an unknown one below it does.
        let own = self.mount().own(parts.uri.path()).unwrap_or_default();
        let span = span::begin(&self.inner().platform, &parts, own);
        Box::pin(self.answered(parts, body).instrument(span))
    }

    async fn answered(&self, parts: Parts, mut body: Arriving) -> Response<Outgoing> {
        let started = Instant::now();
        let platform = &self.inner().platform;
        let secure = platform.config().public_url.starts_with("https:");
        let request_id = request_id(platform, &parts.headers);
        let (method, path) = (parts.method.clone(), parts.uri.path().to_owned());
        let own = self.mount().own(&path).unwrap_or_default();
        let mut log = RequestLog::default();
        let accepts_gzip = compress::is_accepted(&parts.headers);
        let origin = parts.headers.get(::http::header::ORIGIN).cloned();
        let asked = cors::asked(&parts.headers);
        let fault = parts.extensions.get::<Fault>().copied();
        log.address = self.client(&parts);
        let desk = Desk::new(self, &request_id, log.address);
        let mut response = if let Some(fault) = fault {
            response::of_error(&fault.refusal(), &request_id, None)
        } else if method == Method::OPTIONS {
            self.options(own, &parts.headers)
        } else if let Some(host) = self.page_of_host(own) {
            let at = (self, own, &*request_id);
            host.answer(Visit::new(at, &parts, &mut body, &mut log)).await
        } else if let Some(page) = pages::answer(desk, own, &parts).await {
            page
        } else if let Some(mail_page) = mail_pages::find(self, &method, own) {
            mail_pages::answer(self, mail_page, parts, &mut body, &request_id, &mut log).await
        } else {
            match self.run(&parts, own, &mut body, &request_id, &mut log).await {
                Ok(response)
                    if log.entry.is_some_and(|entry| entry.reuse == Reuse::IfUnchanged) =>
                {
                    tags::revalidate(&parts.headers, tags::gathered(response).await)
                }
                Ok(response) => response,
                Err(error) => {
                    let error = match log.entry {
                        Some(entry) => entry.refusal(error),
                        None => error,
                    };
                    log.refusal = Some(error.code());
                    self.refuse(&error, &request_id, own, log.operation())
                }
            }
        };
        // The signed bytes are sent unchanged.
        let mut secret = log.entry.is_some_and(|entry| entry.credentials);
        if let Some(countersign) = &log.countersign {
            countersign.sign(&mut response, platform.now());
            secret = true;
        }
        if !body.is_over().await {
            response::put(response.headers_mut(), ::http::header::CONNECTION, "close");
        }
        response = compress::pack(accepts_gzip, secret, response);
        response::finish(&mut response, &request_id, log.window, secure);
        cors::allow(&platform.config().cors_origins, origin.as_ref(), response.headers_mut());
        if method == Method::OPTIONS {
            let methods = self.inner().routes.methods(own).or(asked);
            cors::preflight(methods.as_deref().unwrap_or_default(), response.headers_mut());
        }
        if method == Method::HEAD {
            *response.body_mut() = Outgoing::Whole(Bytes::new());
        }
        let path = self.inner().routes.without_secret(&path, own);
        note((&method, &path, own), &log, response.status(), &request_id, started);
        response
    }

    fn refuse(
        &self,
        error: &Error,
        request_id: &str,
        path: &str,
        operation: Option<&'static str>,
    ) -> Response<Outgoing> {
        log_if_internal(error, request_id, operation);
        let methods = (error.kind() == Kind::MethodNotAllowed)
            .then(|| self.inner().routes.methods(path))
            .flatten();
        response::of_error(error, request_id, methods.as_deref())
    }

    /// The pages of the host, if one of them is at this path of the site.
    fn page_of_host(&self, own: &str) -> Option<&dyn Pages> {
        let pages = self.inner().options.pages.as_deref()?;
        pages.own(self, own).then_some(pages)
    }

    /// Runs an operation for a caller who has been counted, for the API and for pages alike. A live
    /// stream does not delay the end of the site.
    pub(super) async fn perform(&self, entry: &'static Entry, call: Call) -> Result<Reply> {
        let reply = entry.answer(&self.inner().platform, call).await?;
        Ok(self.ending_with_the_site(reply))
    }

    pub(super) async fn run(
        &self,
        parts: &Parts,
        own: &str,
        body: &mut Arriving,
        request_id: &str,
        log: &mut RequestLog,
    ) -> Result<Response<Outgoing>> {
        let platform = &self.inner().platform;
        let Found { route, parameters } = self.inner().routes.find(&parts.method, own)?;
        let entry = route.entry;
        log.entry = Some(entry);
        let address = log.address;
        let query = parts.uri.query().unwrap_or_default();
        let opener = entry.opened_by.and_then(|opener| {
            parameters.iter().find(|(name, _)| name == opener).map(|(_, secret)| *secret)
        });
        let headers = &parts.headers;
        let mut door = Door { platform, entry, headers, query, address, opener, log };
        let (principal, mut fields, place, limits) = if entry.callers == ["registrant"] {
            // The CSRF token may be in the body, so the body is read first.
            let limits = Limits::of_row(platform, entry, &parts.headers, query)?;
            let mut place = self.place(limits, None, address);
            let mut fields = door.read(body, query, limits, &mut place).await?;
            let principal = door.authenticate(Some(&mut fields)).await?;
            (principal, fields, place, limits)
        } else {
            let principal = door.authenticate(None).await?;
            door.admit_before_reading(&principal)?;
            door.check_feature().await?;
            let limits = Limits::of_row(platform, entry, &parts.headers, query)?;
            let mut place = self.place(limits, Some(&principal), address);
            let fields = if entry.is_signed() {
                let read = door.read_signed(&principal, parts, body, limits, &mut place);
                read.await?
            } else {
                door.read(body, query, limits, &mut place).await?
            };
            (principal, fields, place, limits)
        };
        door.admit(&principal, &mut fields)?;

        for (name, value) in &parameters {
            let is_id = !entry.unprocessable && route.is_id(name);
            if is_id && !value.bytes().all(|b| b.is_ascii_digit()) {
                return Err(codes::NOT_FOUND.into());
            }
            let value = percent_encoding::percent_decode_str(value)
                .decode_utf8()
                .map_err(|_| Error::from(codes::NOT_FOUND))?;
            fields.put(name, value.into_owned());
        }
        if entry.gives == Gives::Events
            && let Some(last) = admission::text(&parts.headers, "last-event-id")
        {
            fields.put("last_event_id", last.to_owned());
        }
        let mut inlet = None;
        if matches!(entry.takes, Takes::Stream(_)) {
            let (into, streamed) = Streamed::new();
            fields.streamed = Some(Arc::new(streamed));
            inlet = Some((into, place));
        } else {
            // A writing operation continues when the client hangs up, and keeps the fields until
            // its end.
            fields.hold(place);
        }
        let call = Call {
            principal,
            fields,
            key: idempotency_key(&parts.headers)?,
            strict: entry.is_strict() || prefers_strict(&parts.headers),
            address,
            request_id: request_id.to_owned(),
        };
        let secure = platform.config().public_url.starts_with("https:");
        let answering = self.perform(entry, call);
        let answered = match inlet {
            Some((inlet, mut place)) => {
                let answering = (inlet, answering);
                let (headers, place) = (&parts.headers, &mut place);
                let handed = incoming::while_arriving(body, headers, limits, place, answering);
                Box::pin(handed).await
            }
            None => answering.await,
        };
        match answered {
            Ok(mut reply) => {
                let narrowing = ranges::narrow(&parts.method, &parts.headers, &mut reply);
                let sent = Box::pin(narrowing).await?;
                let mut response =
                    response::of_reply(reply, entry.extension, (self.prefix(), secure));
                ranges::tell(sent, &mut response);
                Ok(response)
            }
            // A path with an invalid id is an address without a record.
            Err(error)
                if error.kind() == Kind::Invalid
                    && !entry.unprocessable
                    && error.fields().keys().any(|field| route.is_id(field)) =>
            {
                Err(codes::NOT_FOUND.into())
            }
            Err(error) => Err(error),
        }
    }
}

/// The caller's request id if it is valid, else a new one.
fn request_id(platform: &Platform, headers: &HeaderMap) -> String {
    admission::text(headers, X_REQUEST_ID)
        .filter(|id| {
            (1..=64).contains(&id.len())
                && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
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
        _ => Err(Error::invalid("Idempotency-Key", "must be 1 to 255 visible characters")),
    }
}

/// RFC 7240: `Prefer: handling=strict`.
fn prefers_strict(headers: &HeaderMap) -> bool {
    headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok()).any(|value| {
        value.split(',').any(|preference| {
            preference.replace([' ', '"'], "").eq_ignore_ascii_case("handling=strict")
        })
    })
}

fn note(
    (method, path, own): (&Method, &str, &str),
    log: &RequestLog,
    status: StatusCode,
    request_id: &str,
    started: Instant,
) {
    let took = started.elapsed();
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    let operation = log.operation().unwrap_or("none");
    let code = status.as_u16();
    span::note(log, code, request_id);
    metrics::counter!(REQUESTS, "operation" => operation,
        "status" => code.to_string())
    .increment(1);
    metrics::histogram!(REQUEST_TIME, "operation" => operation).record(took);
    // Only the path, and not all of a long one: a query string may contain a token.
    let path = path.char_indices().nth(LONGEST_PATH).map_or(path, |(end, _)| path.split_at(end).0);
    if pages::is_probe(own) {
        tracing::debug!(%method, path, status = code, micros, request_id, "probe");
        return;
    }
    tracing::info!(
        %method, path, operation, status = code, micros, request_id,
        interface = log.entry.map(|entry| entry.interface.as_str()),
        // Nobody is asked who they are at an address that leads nowhere.
        caller = log.caller.as_deref().unwrap_or("not asked"),
        address = log.address.map(tracing::field::display), error = log.refusal,
        "request"
    );
}
