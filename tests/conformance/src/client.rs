//! Requests, as the checks build them, and answers, read to their end.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Map, Value};

use crate::findings::{Failure, Trouble};
use crate::shapes::short;

/// The longest wait for a limit to pass.
const PATIENCE: Duration = Duration::from_secs(65);

/// What a caller shows.
#[derive(Clone, Debug)]
pub enum Proof {
    /// Nothing.
    Nothing,
    /// A token, and the name that it has in a report.
    Bearer(String, String),
    /// A session of the back office: cookie, CSRF token, and the name in a report.
    Session(String, String, String),
}

/// What is sent as a body.
#[derive(Clone, Debug)]
pub enum Sent {
    /// Nothing.
    Nothing,
    /// JSON.
    Json(Value),
    /// Bytes of a media type.
    Raw(String, Vec<u8>),
}

/// A request before it is sent.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The address.
    pub url: String,
    /// The query.
    pub query: Vec<(String, String)>,
    /// Headers beside those of the proof.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub sent: Sent,
    /// Who calls.
    pub proof: Proof,
    /// Whether to come again after a limit, as a client should.
    pub patient: bool,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub bytes: Vec<u8>,
    /// The body as JSON; null if it is none.
    pub json: Value,
    /// The request as a command.
    pub request: String,
}

/// The client of a run.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    forwarded: bool,
    addresses: AtomicU32,
}

impl Client {
    /// A client; `forwarded` gives every request an address of its own.
    pub fn new(forwarded: bool) -> Result<Self, String> {
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_mins(1))
            .build()
            .map_err(|error| error.to_string())?;
        // Two runs against one server begin at different addresses.
        let first = u32::try_from(crate::values::random() % 0x0001_0000).unwrap_or_default();
        Ok(Self { http, forwarded, addresses: AtomicU32::new(first) })
    }

    /// An address of the range for tests of networks, another one each time.
    #[must_use]
    pub fn address(&self) -> String {
        let number = self.addresses.fetch_add(1, Ordering::Relaxed) % 0x0001_0000;
        format!("198.{}.{}.{}", 18 + number % 2, number / 256, number % 256)
    }

    /// Whether the server believes addresses that are sent.
    #[must_use]
    pub fn is_forwarded(&self) -> bool {
        self.forwarded
    }

    /// Sends a request.
    pub async fn send(&self, request: &Request) -> Result<Answer, Trouble> {
        let mut answer = self.send_once(request).await?;
        let mut tries = 0;
        while answer.status == 429 && request.patient && tries < 2 {
            let wait = answer.header("retry-after").parse().unwrap_or(1);
            tokio::time::sleep(Duration::from_secs(wait).min(PATIENCE)).await;
            answer = self.send_once(request).await?;
            tries += 1;
        }
        Ok(answer)
    }

    async fn send_once(&self, request: &Request) -> Result<Answer, Trouble> {
        let shown = command(request);
        let failed = |error: &reqwest::Error| {
            Trouble::failed("an answer", format!("{error:?}"), shown.clone())
        };
        let method = reqwest::Method::from_bytes(request.method.as_bytes());
        let mut built = self.http.request(method.unwrap_or_default(), &request.url);
        if !request.query.is_empty() {
            built = built.query(&request.query);
        }
        if self.forwarded && !request.headers.iter().any(|(name, _)| *name == "x-forwarded-for") {
            built = built.header("x-forwarded-for", self.address());
        }
        for (name, value) in &request.headers {
            built = built.header(*name, value);
        }
        built = match &request.proof {
            Proof::Nothing => built,
            Proof::Bearer(token, _) => built.bearer_auth(token),
            Proof::Session(cookie, csrf, _) => {
                built.header("cookie", cookie).header("x-csrf-token", csrf)
            }
        };
        built = match &request.sent {
            Sent::Nothing => built,
            Sent::Json(value) => built.json(value),
            Sent::Raw(media, bytes) => built.header("content-type", media).body(bytes.clone()),
        };
        let response = built.send().await.map_err(|error| failed(&error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.map_err(|error| failed(&error))?.to_vec();
        let json = serde_json::from_slice(&bytes).unwrap_or_default();
        Ok(Answer { status, headers, bytes, json, request: shown })
    }
}

impl Answer {
    /// A header's text; empty without the header.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The answer in a line.
    #[must_use]
    pub fn told(&self) -> String {
        let media = self.header("content-type");
        match &self.json {
            Value::Null if self.bytes.is_empty() => format!("{} without a body", self.status),
            Value::Null => format!("{} with {} bytes of {media}", self.status, self.bytes.len()),
            json => {
                let text = json.to_string();
                let end = text.char_indices().nth(600).map_or(text.len(), |(end, _)| end);
                format!("{} {}", self.status, text.split_at(end).0)
            }
        }
    }

    /// Fails unless what was expected is so.
    pub fn must(&self, holds: bool, expected: impl Into<String>) -> Result<(), Trouble> {
        if holds { Ok(()) } else { Err(self.instead_of(expected)) }
    }

    /// The failure that this came instead.
    #[must_use]
    pub fn instead_of(&self, expected: impl Into<String>) -> Trouble {
        Trouble::failed(expected, self.told(), self.request.clone())
    }

    /// The value at a place of the answer.
    pub fn at(&self, pointer: &str) -> Result<Value, Trouble> {
        let found = self.json.pointer(pointer).cloned();
        found.ok_or_else(|| self.instead_of(format!("a value at {pointer}")))
    }

    /// Fails unless it is a refusal of this status, in the form of the contract.
    pub fn must_refuse(&self, status: u16, code: Option<&str>) -> Result<(), Trouble> {
        let coded = code.map_or_else(String::new, |code| format!(" `{code}`"));
        self.must(self.status == status, format!("{status}{coded}"))?;
        let told = |name: &str| self.json.get(name).and_then(Value::as_str).unwrap_or_default();
        self.must(told("status") == "error", "a refusal with `status` `error`")?;
        let named = told("code");
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        self.must(!named.is_empty() && named.chars().all(snake), "a refusal with a `code`")?;
        self.must(!told("message").is_empty(), "a refusal with a `message`")?;
        self.must(!told("request_id").is_empty(), "a refusal with a `request_id`")?;
        let errors = self.json.get("errors").is_some_and(|errors| !errors.is_null());
        self.must(status == 422 || !errors, "`errors` with 422 only")?;
        let json = self.header("content-type").starts_with("application/json");
        self.must(json, "a refusal as application/json")?;
        self.must(!self.header("x-request-id").is_empty(), "the header X-Request-Id")?;
        match code {
            Some(code) => self.must(named == code, format!("the code `{code}`")),
            None => Ok(()),
        }
    }
}

impl Trouble {
    /// A check that failed.
    #[must_use]
    pub fn failed(
        expected: impl Into<String>,
        came: impl Into<String>,
        request: impl Into<String>,
    ) -> Self {
        let (expected, came, request) = (expected.into(), came.into(), request.into());
        Self::Failed(Box::new(Failure { expected, came, request }))
    }

    /// A mistake of the table or the settings.
    #[must_use]
    pub fn unprepared(what: impl Into<String>) -> Self {
        Self::failed("the records that the check needs", what, "(none was sent)")
    }
}

/// The fields that a report does not show.
const SECRETS: [&str; 4] = ["password", "token", "registration_token", "otp"];

/// The request as a command; credentials are variables.
fn command(request: &Request) -> String {
    let mut text = format!("curl -X {} '{}", request.method, request.url);
    for (place, (name, value)) in request.query.iter().enumerate() {
        let sign = if place == 0 { '?' } else { '&' };
        let _ = write!(text, "{sign}{name}={value}");
    }
    text.push('\'');
    match &request.proof {
        Proof::Nothing => {}
        Proof::Bearer(_, name) => {
            let _ = write!(text, " -H \"Authorization: Bearer ${name}\"");
        }
        Proof::Session(_, _, name) => {
            let _ = write!(text, " -b \"${name}_COOKIE\" -H \"X-CSRF-Token: ${name}_CSRF\"");
        }
    }
    for (name, value) in &request.headers {
        let _ = write!(text, " -H '{name}: {value}'");
    }
    match &request.sent {
        Sent::Nothing => {}
        Sent::Json(value) => {
            let _ = write!(text, " --json '{}'", masked(value));
        }
        Sent::Raw(media, bytes) => {
            let shown = short(&Value::String(String::from_utf8_lossy(bytes).into_owned()));
            let _ = write!(text, " -H 'Content-Type: {media}' --data-binary {shown}");
        }
    }
    text
}

fn masked(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let shown = fields.iter().map(|(name, value)| {
                let secret = SECRETS.contains(&name.as_str());
                (name.clone(), if secret { "…".into() } else { masked(value) })
            });
            Value::Object(shown.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}
