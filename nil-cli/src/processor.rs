//! The payment processor: its settings under `[processor]`.

use std::path::PathBuf;
use std::sync::Arc;

use nil_core::kernel::{Secret, SystemClock};
use nil_core::ports::processor::Processor;
use nil_core::ports::processor::stripe::{Settings, Stripe};
use serde::Deserialize;

use crate::failure::Failure;
use crate::settings::{env, secret};

/// The address of the processor's interface, if none is set.
const URL: &str = "https://api.stripe.com/v1";

/// The part `[processor]` of `nil.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Section {
    kind: Option<String>,
    url: Option<String>,
    key: Option<String>,
    key_file: Option<PathBuf>,
    webhook_secrets: Option<Vec<String>>,
    instant_payouts: Option<bool>,
}

impl std::fmt::Debug for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Section").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// The processor of these settings; none for the sandbox. `home` is where users reach Core, if that
/// is set: the processor's pages lead back there.
pub(crate) fn processor(
    file: Section,
    home: Option<&str>,
) -> Result<Option<Arc<dyn Processor>>, Failure> {
    let own = (file.key, file.key_file);
    let key = secret("NIL_PROCESSOR_KEY", "key", own).map_err(|why| wrong(&why))?;
    let url = env("NIL_PROCESSOR_URL").or(file.url);
    let kind = env("NIL_PROCESSOR_KIND").or(file.kind);
    let secrets = env("NIL_PROCESSOR_WEBHOOK_SECRETS")
        .map(|list| list.split(',').map(|one| one.trim().to_owned()).collect())
        .or(file.webhook_secrets);
    let instant = match env("NIL_PROCESSOR_INSTANT_PAYOUTS").as_deref() {
        None => file.instant_payouts,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(_) => return Err(wrong("instant_payouts: is neither `true` nor `false`")),
    };
    let set: Vec<&str> = [
        ("key", key.is_some()),
        ("url", url.is_some()),
        ("webhook_secrets", secrets.is_some()),
        ("instant_payouts", instant.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, is_set)| is_set.then_some(name))
    .collect();
    match kind.as_deref() {
        None | Some("sandbox") if !set.is_empty() => {
            let names = set.join(", ");
            Err(wrong(&format!("kind: the sandbox does not use {names}; `stripe` does")))
        }
        None | Some("sandbox") => Ok(None),
        Some("stripe") => {
            let key =
                key.ok_or_else(|| wrong("key: is missing; it is the processor's secret key"))?;
            let secrets: Vec<String> = secrets.unwrap_or_default();
            if secrets.is_empty() || secrets.iter().any(String::is_empty) {
                return Err(wrong("webhook_secrets: is missing; events are signed with them"));
            }
            // Without it the address is known only once the server listens, and changes then.
            let home = home.ok_or_else(|| {
                wrong("kind: `stripe` needs public_url; its pages lead back there")
            })?;
            let settings = Settings {
                url: url.unwrap_or_else(|| URL.into()),
                key,
                webhook_secrets: secrets.into_iter().map(Secret::new).collect(),
                public_url: home.to_owned(),
                instant_payouts: instant.unwrap_or_default(),
            };
            let stripe = Stripe::new(settings, Arc::new(SystemClock));
            Ok(Some(Arc::new(stripe.map_err(|why| wrong(&format!("url: {why}")))?)))
        }
        Some(other) => Err(wrong(&format!("kind: `{other}` is neither `sandbox` nor `stripe`"))),
    }
}

/// What is wrong with a setting; the text begins with its name.
fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("processor.{why}"))
}
