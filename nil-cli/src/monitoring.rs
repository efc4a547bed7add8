//! The figures of this process for monitoring: who may read them, and on which listener.

use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use nil_core::http::{Metrics, Readers, SiteOptions};
use nil_core::kernel::Secret;
use nil_core::metering;

use crate::failure::Failure;
use crate::settings::Monitoring;

/// How often measured times are put into their buckets. Until then each takes memory of its own.
const UPKEEP: Duration = Duration::from_secs(5);
/// The shortest token.
const SHORTEST: usize = 16;

/// What the listeners show of this process.
pub(crate) struct Shown {
    /// Beside the interfaces.
    pub(crate) beside: SiteOptions,
    /// On a listener of its own: its address, and what it shows.
    pub(crate) alone: Option<(String, SiteOptions)>,
}

/// Begins to measure.
pub(crate) fn begin(settings: Monitoring) -> Result<Shown, Failure> {
    let recorder = PrometheusBuilder::new()
        .set_buckets(&metering::BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| Failure::Broken(format!("the metrics cannot start: {error}")))?;
    metering::describe();
    let process = Collector::default();
    process.describe();
    tokio::spawn(keep_up(recorder.clone()));
    let render: Arc<dyn Fn() -> String + Send + Sync> = Arc::new(move || {
        process.collect();
        recorder.render()
    });
    let shown = |readers: Option<Readers>| SiteOptions {
        metrics: readers.map(|readers| Metrics { render: render.clone(), readers }),
        pages: None,
    };
    let beside = match (settings.token, &settings.address) {
        (Some(token), _) => Some(Readers::Token(token)),
        (None, Some(_)) => None,
        (None, None) => Some(Readers::ThisMachine),
    };
    Ok(Shown {
        beside: shown(beside),
        alone: settings.address.map(|address| (address, shown(Some(Readers::Anyone)))),
    })
}

async fn keep_up(recorder: PrometheusHandle) {
    loop {
        tokio::time::sleep(UPKEEP).await;
        recorder.run_upkeep();
    }
}

/// A token that cannot be guessed.
pub(crate) fn token(text: String) -> Result<Secret, Failure> {
    if text.len() < SHORTEST {
        let why = format!("metrics_token: must have at least {SHORTEST} characters");
        return Err(Failure::Usage(why));
    }
    Ok(Secret::new(text))
}
