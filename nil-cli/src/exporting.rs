//! `nil export`: queues an export as an operator, makes it here, and saves it.

use std::time::Duration;

use futures::TryStreamExt as _;
use nil_core::auth::Principal;
use nil_core::error::codes;
use nil_core::operation::{Body, Call, Fields};
use nil_core::{Error, Platform};
use serde_json::Value;

use crate::args::Export;
use crate::describing::find;
use crate::failure::Failure;
use crate::out::say;
use crate::saving;
use crate::settings::Settings;

/// How long to wait for another server that took the export first.
const AGAIN: Duration = Duration::from_secs(1);

/// Exports records to a file.
pub(crate) async fn export(settings: Settings, asked: Export, json: bool) -> Result<(), Failure> {
    let mut pairs = vec![("kind".to_owned(), asked.kind), ("format".to_owned(), asked.format)];
    for pair in &asked.filters {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| Failure::Usage(format!("`{pair}` is not FILTER=VALUE")))?;
        pairs.push((format!("filters[{name}]"), value.to_owned()));
    }
    let wanted = Fields::from_pairs(pairs)?;
    let platform = nil_core::open(settings.config).await?;
    let saved = save(&platform, &asked.operator, wanted, asked.output.as_deref()).await;
    platform.close().await;
    if let (true, Err(Failure::Refused(error))) = (json, &saved) {
        say!("{:#}", error.to_json("cli"));
    }
    saved
}

async fn save(
    platform: &Platform,
    operator: &str,
    wanted: Fields,
    output: Option<&str>,
) -> Result<(), Failure> {
    let operator = platform.vouch_for("operator", operator).await?;
    let queued = match answer(platform, &operator, "admin.export.request", wanted).await? {
        Body::Json(bytes) => serde_json::from_slice::<Value>(&bytes)?,
        _ => Value::Null,
    };
    let code = queued.pointer("/data/code").and_then(Value::as_str).unwrap_or_default();
    loop {
        answer(platform, &operator, "admin.export.process", Fields::default()).await?;
        let which = Fields::from_texts([("code", Some(code.to_owned()))]);
        match answer(platform, &operator, "admin.export.download", which).await {
            Ok(Body::File(file)) => {
                let pieces = file.bytes.map_err(Failure::from);
                return saving::save(output, &file.name, pieces).await;
            }
            Ok(_) => return Err(Failure::Broken("the export is no file".into())),
            Err(error) if error.is(codes::NOT_READY) => tokio::time::sleep(AGAIN).await,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Calls an operation as this operator.
async fn answer(
    platform: &Platform,
    operator: &Principal,
    name: &str,
    fields: Fields,
) -> Result<Body, Error> {
    let entry = find(name).map_err(|_| Error::from(codes::ROUTE_NOT_FOUND))?;
    entry.admit(operator)?;
    let request = Call {
        principal: operator.clone(),
        fields,
        key: None,
        strict: true,
        address: None,
        request_id: format!("cli-{}", platform.new_request_id()),
    };
    Ok(entry.answer(platform, request).await?.body)
}
