//! Traces and logs for a collector of OpenTelemetry, over OTLP: off unless an address is set.

#[cfg(feature = "telemetry")]
mod client;
#[cfg(feature = "telemetry")]
mod records;
#[cfg(feature = "telemetry")]
mod sending;
#[cfg(not(feature = "telemetry"))]
mod without;

use std::path::PathBuf;

use nil_core::kernel::Secret;
use reqwest::header::{HeaderName, HeaderValue};
use serde::Deserialize;
use tracing_subscriber::{Layer, Registry};

use crate::failure::Failure;
use crate::settings::{env, parsed, secret, web_address};

#[cfg(feature = "telemetry")]
pub(crate) use self::sending::{Sending, begin};
#[cfg(not(feature = "telemetry"))]
pub(crate) use self::without::{Sending, begin};

/// A layer of the log.
pub(crate) type Layered = Box<dyn Layer<Registry> + Send + Sync>;

/// The name of this service at the collector, if nobody sets another.
pub(crate) const SERVICE: &str = "nil";

/// The collector: `[telemetry] endpoint = "http://127.0.0.1:4318"`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Section {
    endpoint: Option<String>,
    headers: Option<String>,
    headers_file: Option<PathBuf>,
    sample_ratio: Option<f64>,
    service_name: Option<String>,
}

/// Where traces and logs are sent, and which.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "telemetry"), expect(dead_code, reason = "this build sends nothing"))]
pub(crate) struct Collector {
    /// The address below which `/v1/traces` and `/v1/logs` lie.
    pub(crate) endpoint: String,
    /// What each request carries beside its body, such as a token.
    pub(crate) headers: Vec<(String, Secret)>,
    /// The part of the traces that is sent, from 0 to 1. Logs are all sent.
    pub(crate) ratio: f64,
    /// The name of this service.
    pub(crate) service: String,
}

/// The collector, if an address is set. What makes no sense is refused.
pub(crate) fn collector(file: Section) -> Result<Option<Collector>, Failure> {
    let Some(endpoint) = env("NIL_TELEMETRY_ENDPOINT").or(file.endpoint) else {
        return Ok(None);
    };
    let endpoint = web_address("telemetry.endpoint", &endpoint)?;
    let wrong = |why: String| Failure::Usage(format!("telemetry.{why}"));
    let given = (file.headers, file.headers_file);
    let headers = secret("NIL_TELEMETRY_HEADERS", "headers", given).map_err(wrong)?;
    let headers = headers.map_or(Ok(Vec::new()), |text| read_headers(text.expose()));
    let ratio = parsed("NIL_TELEMETRY_SAMPLE_RATIO", file.sample_ratio)?.unwrap_or(1.0);
    if !(0.0..=1.0).contains(&ratio) {
        return Err(wrong(format!("sample_ratio: {ratio} makes no sense; it must be from 0 to 1")));
    }
    let service = env("NIL_TELEMETRY_SERVICE_NAME").or(file.service_name);
    let service = service.unwrap_or_else(|| SERVICE.to_owned());
    Ok(Some(Collector { endpoint, headers: headers.map_err(wrong)?, ratio, service }))
}

/// `name=value,name=value`. The reason never holds a value.
fn read_headers(text: &str) -> Result<Vec<(String, Secret)>, String> {
    let mut headers = Vec::new();
    for part in text.split(',') {
        let Some((name, value)) = part.split_once('=') else {
            return Err("headers: must be NAME=VALUE, with commas between several".to_owned());
        };
        let (name, value) = (name.trim(), value.trim());
        if name.parse::<HeaderName>().is_err() || value.parse::<HeaderValue>().is_err() {
            return Err(format!("headers: `{name}` is no header with a value that can be sent"));
        }
        headers.push((name.to_owned(), Secret::new(value)));
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_pairs() {
        let read = read_headers("authorization=Bearer a=b, x-tenant=7").unwrap();
        let read: Vec<_> = read.iter().map(|(name, value)| (&**name, value.expose())).collect();
        assert_eq!(read, [("authorization", "Bearer a=b"), ("x-tenant", "7")]);
        for wrong in ["opensesame", "a b=c", "a=b\u{7f}", "=opensesame", "a=b,"] {
            let why = read_headers(wrong).unwrap_err();
            assert!(!why.contains("opensesame"), "{why}");
        }
    }
}
