//! The main deal as a script: from sign-up to payout, step by step, with the refusals on the way.
//! Each interface (a server, the command line) plays it and must give the same answers.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use nil_core::Platform;
use nil_core::notifications::outbox;
use serde_json::{Map, Value, json};

/// A caller, as an interface sees it.
#[derive(Clone, Debug)]
pub struct Caller {
    /// `athlete`, `partner`, `portal`, `operator`, or empty for anonymous.
    pub kind: String,
    pub email: String,
    /// The bearer token of the log-in, if the story has one.
    pub token: Option<String>,
}

/// A way to call operations.
#[allow(async_fn_in_trait)]
pub trait Door {
    /// Calls; returns the whole JSON response, success or refusal. For a file returns its first
    /// bytes.
    async fn call(&self, operation: &str, caller: &Caller, input: Value) -> Value;
}

/// Plays the story; returns the transcript, with everything that differs between runs masked.
pub async fn play(door: &impl Door, platform: &Platform, today: NaiveDate) -> String {
    let script: Vec<Value> = serde_json::from_str(include_str!("../story/deal.json")).unwrap();
    let mut kept: BTreeMap<String, Value> = BTreeMap::new();
    let mut transcript = String::new();
    for step in script {
        if let Some(event) = step["mailed"].as_str() {
            let secret = mailed(platform, step["to"].as_str().unwrap(), event).await;
            kept.insert(step["keep"].as_str().unwrap().into(), json!(secret));
            continue;
        }
        if let Some(account) = step["onboard"].as_str() {
            let url = kept[account].as_str().unwrap().to_owned();
            let opened = nil_core::payments::sandbox::open_onboarding(platform, &url);
            assert!(opened.await.unwrap(), "{url}");
            continue;
        }
        let caller = caller(&step, &kept);
        let input = fill(&step["input"], &kept, today);
        let operation = step["op"].as_str().unwrap();
        let answer = door.call(operation, &caller, input).await;
        for (name, pointer) in step["keep"].as_object().into_iter().flatten() {
            let value = answer.pointer(pointer.as_str().unwrap());
            let value = value.unwrap_or_else(|| panic!("{operation}: no {pointer} in {answer:#}"));
            kept.insert(name.clone(), value.clone());
        }
        let who = if caller.kind.is_empty() { "nobody" } else { &caller.kind };
        transcript.push_str(&format!("## {operation} as {who}\n{:#}\n\n", blot("", &answer)));
    }
    transcript
}

fn caller(step: &Value, kept: &BTreeMap<String, Value>) -> Caller {
    let Some(who) = step["as"].as_str() else {
        return Caller { kind: String::new(), email: String::new(), token: None };
    };
    let (kind, email) = who.split_once(':').unwrap();
    let token = step["token"].as_str().and_then(|name| kept.get(name)).and_then(Value::as_str);
    Caller { kind: kind.into(), email: email.into(), token: token.map(Into::into) }
}

/// Replaces `"$job"` with the value stored as `job`, and `"@10"` with the date in ten days.
fn fill(input: &Value, kept: &BTreeMap<String, Value>, today: NaiveDate) -> Value {
    match input {
        Value::String(text) => match (text.strip_prefix('$'), text.strip_prefix('@')) {
            (Some(name), _) => kept.get(name).unwrap_or_else(|| panic!("${name}")).clone(),
            (_, Some(days)) => match days.parse() {
                Ok(days) => json!(today.checked_add_days(Days::new(days)).unwrap()),
                Err(_) => input.clone(),
            },
            _ => input.clone(),
        },
        Value::Array(items) => items.iter().map(|item| fill(item, kept, today)).collect(),
        Value::Object(fields) => {
            let fields =
                fields.iter().map(|(name, value)| (name.clone(), fill(value, kept, today)));
            Value::Object(fields.collect())
        }
        Value::Null => json!({}),
        other => other.clone(),
    }
}

async fn mailed(platform: &Platform, to: &str, event: &str) -> String {
    let rows = outbox::list(platform, 50).await.unwrap();
    let row = rows.iter().find(|row| row.to == to && row.event == event);
    let body = row.unwrap_or_else(|| panic!("no {event} to {to}")).body.clone().unwrap();
    let runs = |wanted: fn(char) -> bool| body.split(move |c| !wanted(c)).map(str::to_owned);
    runs(|c| c.is_ascii_hexdigit())
        .find(|run| run.len() == 64)
        .or_else(|| runs(|c| c.is_ascii_digit()).find(|run| run.len() == 6))
        .unwrap_or_else(|| panic!("no secret in {body}"))
}

/// Times, dates, tokens, hashes and request ids differ between runs and interfaces.
fn blot(name: &str, value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let date = text.parse::<NaiveDate>().is_ok();
            let time = chrono::DateTime::parse_from_rfc3339(text).is_ok();
            let secret = text.starts_with("eyJ")
                || (text.len() >= 32 && text.bytes().all(|b| b.is_ascii_hexdigit()));
            match name {
                _ if date || time => json!("[time]"),
                _ if secret => json!("[secret]"),
                "onboarding_url" => match text.rsplit_once('.') {
                    Some((page, _)) => json!(format!("{page}.[secret]")),
                    None => value.clone(),
                },
                // A revision is a hash of dates, too, and the sandbox makes its ids of keys, which
                // bear the installation's mark.
                "request_id"
                | "share_slug"
                | "revision"
                | "processor_charge_id"
                | "processor_transfer_id" => json!(format!("[{name}]")),
                _ => value.clone(),
            }
        }
        Value::Array(items) => items.iter().map(|item| blot(name, item)).collect(),
        Value::Object(fields) => {
            let blotted: Map<String, Value> =
                fields.iter().map(|(name, value)| (name.clone(), blot(name, value))).collect();
            Value::Object(blotted)
        }
        other => other.clone(),
    }
}
