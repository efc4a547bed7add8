//! What makes batches of spans and of lines of the log, and sends them.
//!
//! Each kind has a thread and a queue of its own. A queue that is full drops what comes, so that a
//! collector that is slow, or gone, never delays a request.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use nil_core::ports::traces::{self, Traceparent, Traces};
use opentelemetry::logs::LoggerProvider as _;
use opentelemetry::trace::{
    SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{
    LogExporter, Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::{self, BatchLogProcessor, SdkLoggerProvider};
use opentelemetry_sdk::trace::{self, BatchSpanProcessor, Sampler, SdkTracerProvider};
use tokio::task::spawn_blocking;
use tracing::Span;
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt as _};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{FilterExt as _, Targets, filter_fn};

use super::client::Way;
use super::records::Records;
use super::{Collector, Layered, SERVICE};
use crate::failure::Failure;

/// How long something waits for others before it is sent.
const PAUSE: Duration = Duration::from_secs(1);
/// How long the end waits for what has not been sent.
const LAST_BATCHES: Duration = Duration::from_secs(2);

/// What is being sent; dropped data is lost, so it ends by [`Sending::end`].
pub(crate) struct Sending {
    spans: SdkTracerProvider,
    lines: SdkLoggerProvider,
}

/// Begins to send what the returned layers are given: lines of the log that a filter lets through,
/// and spans for the collector.
pub(crate) fn begin(to: &Collector, wanted: &Targets) -> Result<(Sending, Vec<Layered>), Failure> {
    let way = |signal| Way::new(signal).map(Arc::new).map_err(broken);
    let at = |signal| format!("{}/v1/{signal}", to.endpoint);
    let headers = || -> HashMap<String, String> {
        let pairs = to.headers.iter();
        pairs.map(|(name, value)| (name.clone(), value.expose().to_owned())).collect()
    };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_shared_http_client(way("traces")?)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(at("traces"))
        .with_headers(headers());
    let exporter = exporter.build().map_err(broken)?;
    let pace = trace::BatchConfigBuilder::default().with_scheduled_delay(PAUSE).build();
    let spans = SdkTracerProvider::builder()
        .with_span_processor(BatchSpanProcessor::builder(exporter).with_batch_config(pace).build())
        .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(to.ratio))))
        .with_resource(resource(to))
        .build();
    let exporter = LogExporter::builder()
        .with_http()
        .with_shared_http_client(way("logs")?)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(at("logs"))
        .with_headers(headers());
    let exporter = exporter.build().map_err(broken)?;
    let pace = logs::BatchConfigBuilder::default().with_scheduled_delay(PAUSE).build();
    let lines = SdkLoggerProvider::builder()
        .with_log_processor(BatchLogProcessor::builder(exporter).with_batch_config(pace).build())
        .with_resource(resource(to))
        .build();
    traces::send_by(Traces { link, rename, current });
    let traced = OpenTelemetryLayer::new(spans.tracer(SERVICE))
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        .with_filter(filter_fn(|it| it.is_span() && it.target() == traces::TARGET));
    let records = Records { logger: lines.logger(SERVICE) };
    let records = records.with_filter(wanted.clone().and(filter_fn(|it| is_own(it.target()))));
    let layers: Vec<Layered> = vec![traced.boxed(), records.boxed()];
    Ok((Sending { spans, lines }, layers))
}

/// Whether the code of a target is the platform's: what its libraries say may hold queries and
/// addresses, and the way to the collector would tell of itself.
fn is_own(target: &str) -> bool {
    target == SERVICE || target.starts_with("nil_") || target.starts_with("nil::")
}

fn broken(error: impl std::error::Error) -> Failure {
    Failure::Broken(format!("nothing can be sent to the collector: {error}"))
}

fn resource(to: &Collector) -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    Resource::builder().with_service_name(to.service.clone()).with_attribute(version).build()
}

impl Sending {
    /// Sends what waits, within two seconds; the rest is lost.
    pub(crate) async fn end(self) {
        let Self { spans, lines } = self;
        let both = async {
            let spans = spawn_blocking(move || spans.shutdown_with_timeout(LAST_BATCHES));
            let lines = spawn_blocking(move || lines.shutdown_with_timeout(LAST_BATCHES));
            (spans.await, lines.await)
        };
        // Why something was not sent has been counted by the way to the collector.
        let _ = tokio::time::timeout(LAST_BATCHES, both).await;
    }
}

fn link(span: &Span, other: Traceparent) {
    let flags = if other.is_sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let (trace, of) = (TraceId::from(other.trace), SpanId::from(other.span));
    span.add_link(SpanContext::new(trace, of, flags, true, TraceState::NONE));
}

fn rename(span: &Span, name: &'static str) {
    span.context().span().update_name(name);
}

fn current() -> Option<Traceparent> {
    Context::map_current(|context| {
        let span = context.span().span_context().clone();
        span.is_valid().then(|| Traceparent {
            trace: u128::from_be_bytes(span.trace_id().to_bytes()),
            span: u64::from_be_bytes(span.span_id().to_bytes()),
            is_sampled: span.is_sampled(),
        })
    })
}
