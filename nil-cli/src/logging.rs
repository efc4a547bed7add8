//! The log of a process: on standard error, and at a collector.

use std::io::IsTerminal as _;

use tracing::Metadata;
use tracing_subscriber::filter::{FilterExt as _, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry};

use crate::failure::Failure;
use crate::settings::env;
use crate::telemetry::{self, Collector, Layered, Sending};

/// Lines on standard error: for people on a terminal, JSON otherwise, or as `NIL_LOG_FORMAT` says.
/// `NIL_LOG` sets the level, also by target: `warn,nil=debug`.
/// A collector gets what the filter lets through as well, if there is one.
pub(crate) fn start_log(collector: Option<&Collector>) -> Result<Option<Sending>, Failure> {
    let wanted = env("NIL_LOG").unwrap_or_else(|| "info".into());
    let filter: Targets = wanted
        .parse()
        .map_err(|error| Failure::Usage(format!("NIL_LOG is `{wanted}`: {error}")))?;
    let for_people = match env("NIL_LOG_FORMAT").as_deref() {
        None => std::io::stderr().is_terminal(),
        Some("text") => true,
        Some("json") => false,
        Some(other) => {
            let why = format!("NIL_LOG_FORMAT is `{other}`; it must be `text` or `json`");
            return Err(Failure::Usage(why));
        }
    };
    // A log that nobody reads any more is no reason to stop.
    let lines = tracing_subscriber::fmt::layer::<Registry>()
        .with_writer(std::io::stderr)
        .log_internal_errors(false);
    // Spans are for the collector: a line says by itself which request it is about.
    let shown = filter.clone().and(filter_fn(is_line));
    let lines: Layered = if for_people {
        lines.compact().with_target(false).with_filter(shown).boxed()
    } else {
        lines.json().flatten_event(true).with_filter(shown).boxed()
    };
    let mut layers = vec![lines];
    let sending = match collector {
        None => None,
        Some(collector) => {
            let (sending, sent) = telemetry::begin(collector, &filter)?;
            layers.extend(sent);
            Some(sending)
        }
    };
    // If a log was already started in this process, it stays.
    let _ = tracing_subscriber::registry().with(layers).try_init();
    Ok(sending)
}

fn is_line(metadata: &Metadata<'_>) -> bool {
    metadata.is_event()
}
