//! A collector of OpenTelemetry on this machine: it reads what arrives, and can refuse or stall.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode, Uri};
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use tokio::sync::Notify;

use crate::serving::Serving;

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// How the collector answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// It takes everything.
    Takes,
    /// 503.
    Refuses,
    /// It never answers.
    Stalls,
}

/// Everything that has arrived.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// The spans.
    pub spans: Vec<Span>,
    /// The lines of the log.
    pub lines: Vec<LogRecord>,
    /// What the senders say of themselves.
    pub resources: Vec<KeyValue>,
    /// The headers of all requests.
    pub headers: Vec<HeaderMap>,
    /// How many requests came.
    pub requests: usize,
}

impl Collected {
    /// All that was sent, as text: also each word in it.
    pub fn text(&self) -> String {
        format!("{:?}{:?}{:?}", self.spans, self.lines, self.resources)
    }
}

struct Inner {
    collected: Mutex<Collected>,
    mood: Mood,
    came: Notify,
}

/// A collector; it stops with the value.
pub struct Collector {
    /// The address below which `/v1/traces` and `/v1/logs` lie.
    pub address: String,
    inner: Arc<Inner>,
    _serving: Serving,
}

impl Collector {
    /// Starts one that answers so.
    pub async fn start(mood: Mood) -> Self {
        let collected = Mutex::default();
        let inner = Arc::new(Inner { collected, mood, came: Notify::new() });
        let app = Router::new().fallback(take).with_state(inner.clone());
        let serving = Serving::at(|_| app).await;
        Self { address: serving.address.clone(), inner, _serving: serving }
    }

    /// What has arrived.
    pub fn collected(&self) -> Collected {
        self.inner.collected.lock().unwrap().clone()
    }

    /// Waits until something has arrived.
    pub async fn gets<T>(&self, what: impl Fn(&Collected) -> Option<T>) -> T {
        let waiting = async {
            loop {
                let came = self.inner.came.notified();
                if let Some(found) = what(&self.collected()) {
                    return found;
                }
                came.await;
            }
        };
        let found = tokio::time::timeout(PATIENCE, waiting).await;
        found.unwrap_or_else(|_| panic!("it did not arrive: {:#?}", self.collected()))
    }

    /// Waits for a span of this name.
    pub async fn span(&self, name: &str) -> Span {
        self.gets(|it| it.spans.iter().find(|span| span.name == name).cloned()).await
    }
}

/// An attribute that is a text or a number, as text; empty without one.
pub fn attribute(of: &[KeyValue], name: &str) -> String {
    let found = of.iter().find(|one| one.key == name).and_then(|one| one.value.clone());
    match found.and_then(|value| value.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        None => String::new(),
        Some(other) => format!("{other:?}"),
    }
}

async fn take(
    State(inner): State<Arc<Inner>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    assert_eq!(headers.get(CONTENT_TYPE).expect("a type"), "application/x-protobuf");
    {
        let mut collected = inner.collected.lock().unwrap();
        collected.requests += 1;
        collected.headers.push(headers);
        if inner.mood == Mood::Takes {
            keep(&mut collected, uri.path(), body);
        }
    }
    inner.came.notify_waiters();
    match inner.mood {
        Mood::Takes => StatusCode::OK,
        Mood::Refuses => StatusCode::SERVICE_UNAVAILABLE,
        Mood::Stalls => std::future::pending().await,
    }
}

fn keep(collected: &mut Collected, path: &str, body: Bytes) {
    match path {
        "/v1/traces" => {
            let read = ExportTraceServiceRequest::decode(body).expect("spans");
            for part in read.resource_spans {
                collected.resources.extend(part.resource.expect("a resource").attributes);
                let spans = part.scope_spans.into_iter().flat_map(|scope| scope.spans);
                collected.spans.extend(spans);
            }
        }
        "/v1/logs" => {
            let read = ExportLogsServiceRequest::decode(body).expect("lines");
            for part in read.resource_logs {
                collected.resources.extend(part.resource.expect("a resource").attributes);
                let lines = part.scope_logs.into_iter().flat_map(|scope| scope.log_records);
                collected.lines.extend(lines);
            }
        }
        other => panic!("nothing is sent to {other}"),
    }
}
