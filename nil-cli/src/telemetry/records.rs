//! Lines of the log as records for the collector, each with its trace.
//!
//! A collector is often another company's, and users are students: what leaves is a list. Of an
//! event go its words, its numbers and the fields named here; others, such as the address of a
//! caller, a path or what a mail server answered, stay in the log of this machine.

use std::fmt::Debug;

use opentelemetry::logs::{AnyValue, LogRecord as _, Logger as _, Severity};
use opentelemetry::time::now;
use opentelemetry_sdk::logs::{SdkLogRecord, SdkLogger};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// The fields whose text leaves: names of things of the platform, and ids.
const FIELDS: [&str; 20] = [
    "caller",
    "card",
    "channel",
    "college",
    "error",
    "event",
    "export",
    "id",
    "interface",
    "key",
    "kind",
    "method",
    "operation",
    "outcome",
    "payout",
    "request_id",
    "signal",
    "task",
    "version",
    "what",
];

/// Sends the events of the log.
pub(super) struct Records {
    pub(super) logger: SdkLogger,
}

impl<S: Subscriber> Layer<S> for Records {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        let mut record = self.logger.create_log_record();
        record.set_timestamp(now());
        record.set_target(metadata.target());
        record.set_severity_text(metadata.level().as_str());
        record.set_severity_number(severity(*metadata.level()));
        event.record(&mut Fields(&mut record));
        self.logger.emit(record);
    }
}

fn severity(level: Level) -> Severity {
    match level {
        Level::TRACE => Severity::Trace,
        Level::DEBUG => Severity::Debug,
        Level::INFO => Severity::Info,
        Level::WARN => Severity::Warn,
        _ => Severity::Error,
    }
}

struct Fields<'a>(&'a mut SdkLogRecord);

impl Fields<'_> {
    fn put(&mut self, field: &Field, value: impl Into<AnyValue>) {
        self.0.add_attribute(field.name(), value);
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.0.set_body(value.to_owned().into());
        } else if FIELDS.contains(&field.name()) {
            self.put(field, value.to_owned());
        }
    }

    /// What is written by `Display`: an id, a method, the words of the line, or an error, whose
    /// text may repeat what somebody entered.
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() != "error" {
            self.record_str(field, &format!("{value:?}"));
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if let Ok(value) = i64::try_from(value) {
            self.put(field, value);
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }
}
