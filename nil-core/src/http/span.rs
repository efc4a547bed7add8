//! The span of a request, for traces: which operation, for whom, and how it ended. It holds no
//! address, no path and no value of the request.

use ::http::Method;
use ::http::request::Parts;
use tracing::{Span, field};

use super::door::RequestLog;
use super::pages;
use crate::platform::Platform;
use crate::ports::traces::{self, TARGET, TRACEPARENT};

/// Begins the span of a request; a probe has none. What the caller says of its own trace is a link:
/// an outsider neither joins a trace of ours nor has one kept.
pub(super) fn begin(platform: &Platform, parts: &Parts, own: &str) -> Span {
    if pages::is_probe(own) {
        return Span::none();
    }
    let method = method(&parts.method);
    let span = tracing::info_span!(
        target: TARGET, "request", otel.name = method, otel.kind = "server",
        http.request.method = method, http.response.status_code = field::Empty,
        db.system.name = platform.config().database.system(), request_id = field::Empty,
        caller = field::Empty, "error.type" = field::Empty, otel.status_code = field::Empty,
    );
    let mut told = parts.headers.get_all(TRACEPARENT).iter();
    if let (Some(told), None) = (told.next(), told.next())
        && let Ok(told) = told.to_str()
    {
        traces::link(&span, told);
    }
    span
}

/// Notes in the current span how its request ended.
pub(super) fn note(log: &RequestLog, status: u16, request_id: &str) {
    let span = Span::current();
    if span.is_disabled() {
        return;
    }
    if let Some(operation) = log.operation() {
        traces::rename(&span, operation);
    }
    span.record("http.response.status_code", status).record("request_id", request_id);
    if let Some(caller) = &log.caller {
        span.record("caller", caller.as_str());
    }
    if let Some(refusal) = log.refusal {
        span.record("error.type", refusal);
    }
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

/// A method by its name, if it is one that is known: a caller can send any word.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}
