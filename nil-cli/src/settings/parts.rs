//! The parts of `nil.toml` that nothing else has a file for: the model, the documents, the limits.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nil_core::auth::throttle::Limits;
use nil_core::kernel::Secret;
use nil_core::ports::model as port;
use serde::Deserialize;

use super::values::{env, parsed, within};
use crate::failure::Failure;

/// The assistant's language model: `[model] url = "https://models.example/v1"`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Model {
    url: Option<String>,
    key: Option<String>,
    name: Option<String>,
    timeout_seconds: Option<u64>,
    athlete_token: Option<bool>,
}

/// The documents that the platform makes: `[documents] fonts = "/usr/share/fonts"`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Documents {
    pub fonts: Option<PathBuf>,
}

/// Requests per minute: `[throttle] login = 10`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Throttle {
    off: Option<bool>,
    pub off_in_the_open: Option<bool>,
    login: Option<u32>,
    registration: Option<u32>,
    recovery: Option<u32>,
    public: Option<u32>,
    dashboard: Option<u32>,
    standard: Option<u32>,
}

/// The folder with fonts; none for an empty name.
pub(super) fn fonts(folder: PathBuf) -> Result<Option<PathBuf>, Failure> {
    if folder.as_os_str().is_empty() {
        return Ok(None);
    }
    if folder.is_dir() {
        return Ok(Some(folder));
    }
    let shown = folder.display();
    Err(Failure::Usage(format!("documents.fonts: there is no folder `{shown}`")))
}

/// The language model, if an address is configured; otherwise the assistant's own rules answer.
pub(super) fn model(file: Model) -> Result<Option<Arc<dyn port::Model>>, Failure> {
    let Some(url) = env("NIL_MODEL_URL").or(file.url) else {
        return Ok(None);
    };
    let seconds = within("model_timeout_seconds", file.timeout_seconds, 1..=600)?.unwrap_or(30);
    let settings = port::Settings {
        url,
        key: env("NIL_MODEL_KEY").or(file.key).map(Secret::new),
        model: env("NIL_MODEL_NAME").or(file.name).unwrap_or_default(),
        timeout: Duration::from_secs(seconds),
        athlete_token: parsed("NIL_MODEL_ATHLETE_TOKEN", file.athlete_token)?.unwrap_or(false),
    };
    let model = port::ChatCompletions::new(settings);
    let model = model.map_err(|why| Failure::Usage(format!("the assistant's model: {why}")))?;
    Ok(Some(Arc::new(model)))
}

/// The limits of requests.
pub(super) fn limits(file: &Throttle) -> Result<Limits, Failure> {
    let usual = Limits::default();
    let limit = |name: &str, from_file: Option<u32>, usual: u32| {
        within(&format!("throttle_{name}"), from_file, 1..=1_000_000)
            .map(|limit| limit.unwrap_or(usual))
    };
    Ok(Limits {
        off: env("NIL_THROTTLE").as_deref() == Some("off") || file.off.unwrap_or_default(),
        login: limit("login", file.login, usual.login)?,
        registration: limit("registration", file.registration, usual.registration)?,
        recovery: limit("recovery", file.recovery, usual.recovery)?,
        public: limit("public", file.public, usual.public)?,
        dashboard: limit("dashboard", file.dashboard, usual.dashboard)?,
        standard: limit("standard", file.standard, usual.standard)?,
    })
}
