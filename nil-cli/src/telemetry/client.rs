//! The way to the collector. Batches are made by threads of their own, which have no runtime: their
//! requests run on the server's.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use metrics::counter;
use nil_core::metering::TELEMETRY_BATCHES;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use reqwest::redirect;
use tokio::runtime::Handle;

/// How long the collector may take for a batch.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long an unused connection is kept: shorter than collectors keep it.
const IDLE: Duration = Duration::from_secs(20);
/// The largest answer read, in bytes.
const ANSWER: usize = 64 * 1024;

/// The way to the collector for one kind of data.
#[derive(Debug)]
pub(super) struct Way {
    client: reqwest::Client,
    runtime: Handle,
    signal: &'static str,
    /// Whether the last batch did not arrive: only changes are logged.
    is_broken: AtomicBool,
}

impl Way {
    /// For `traces` or `logs`; to be made on the server's runtime.
    pub(super) fn new(signal: &'static str) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .pool_idle_timeout(IDLE)
            .timeout(PATIENCE)
            .build()?;
        let is_broken = AtomicBool::new(false);
        Ok(Self { client, runtime: Handle::current(), signal, is_broken })
    }

    fn note(&self, outcome: &'static str, why: &str) {
        counter!(TELEMETRY_BATCHES, "signal" => self.signal, "outcome" => outcome).increment(1);
        let fails = outcome != "taken";
        if self.is_broken.swap(fails, Ordering::Relaxed) != fails {
            let signal = self.signal;
            // The collector does not hear of itself: this target is not among those it is sent.
            if fails {
                tracing::warn!(target: "opentelemetry", signal, why, "the collector takes nothing");
            } else {
                tracing::info!(target: "opentelemetry", signal, "the collector takes what is sent");
            }
        }
    }
}

async fn exchange(client: reqwest::Client, request: Request<Bytes>) -> Exchanged {
    let plain = |error: reqwest::Error| error.without_url();
    let request = reqwest::Request::try_from(request).map_err(plain)?;
    let mut answer = client.execute(request).await.map_err(plain)?;
    let mut response = Response::builder().status(answer.status());
    if let Some(headers) = response.headers_mut() {
        headers.extend(answer.headers().clone());
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(plain)? {
        if body.len().saturating_add(chunk.len()) > ANSWER {
            return Err("the collector's answer is too large".into());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(response.body(Bytes::from(body))?)
}

type Exchanged = Result<Response<Bytes>, HttpError>;

impl HttpClient for Way {
    fn send_bytes<'own, 'wait>(
        &'own self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Exchanged> + Send + 'wait>>
    where
        'own: 'wait,
        Self: 'wait,
    {
        let sent = self.runtime.spawn(exchange(self.client.clone(), request));
        Box::pin(async move {
            let answered = sent.await.unwrap_or_else(|lost| Err(lost.into()));
            match &answered {
                Ok(answer) if answer.status().is_success() => self.note("taken", ""),
                Ok(answer) => self.note("refused", answer.status().as_str()),
                Err(error) => self.note("unanswered", &error.to_string()),
            }
            answered
        })
    }
}
