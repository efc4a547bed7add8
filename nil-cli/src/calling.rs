//! `nil call`: calls any operation, in this process as a given account, or over HTTP.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use std::future::poll_fn;
use std::io::Read as _;
use std::pin::Pin;

use futures::{Stream as _, TryStreamExt as _, stream};

use nil_core::Platform;
use nil_core::auth::Principal;
use nil_core::catalog::{Entry, Interface, Method};
use nil_core::content::FileContent;
use nil_core::operation::{Beat, Body, Call as Request, EventStream, Fields};
use reqwest::Response;
use serde_json::{Map, Value, json};

use crate::args::Call;
use crate::describing::find;
use crate::failure::Failure;
use crate::out::{self, say};
use crate::saving;
use crate::settings::{Settings, env};
use crate::show::{self, Layout};
use crate::visiting::Visit;

/// The input as given: JSON, with each `FIELD=VALUE` replacing a field, as text.
struct Given {
    object: Map<String, Value>,
    pairs: Vec<(String, String)>,
}

impl Call {
    /// The input given as JSON; an empty object if there is none.
    pub(crate) fn object(&self) -> Result<Map<String, Value>, Failure> {
        let text = match self.input.as_deref() {
            None => "{}".to_owned(),
            Some("-") => {
                let mut text = String::new();
                std::io::stdin().read_to_string(&mut text)?;
                text
            }
            Some(named) => match named.strip_prefix('@') {
                Some(path) => std::fs::read_to_string(path)
                    .map_err(|error| Failure::Usage(format!("{path}: {error}")))?,
                None => named.to_owned(),
            },
        };
        match serde_json::from_str(&text)? {
            Value::Object(object) => Ok(object),
            _ => Err(Failure::Usage("the input must be a JSON object".into())),
        }
    }
}

fn given(call: &Call) -> Result<Given, Failure> {
    let object = call.object()?;
    let mut pairs = Vec::new();
    let mut wrong = Vec::new();
    for pair in &call.fields {
        match pair.split_once('=') {
            Some((name, value)) => pairs.push((name.to_owned(), value.to_owned())),
            None => wrong.push(format!("`{pair}` is not FIELD=VALUE")),
        }
    }
    Failure::of_all(&wrong)?;
    Ok(Given { object, pairs })
}

/// Calls in this process. Unknown fields are refused.
pub(crate) async fn in_process(settings: Settings, call: Call, json: bool) -> Result<(), Failure> {
    let entry = find(&call.name)?;
    let Given { object, pairs } = given(&call)?;
    let platform = nil_core::open(settings.config).await?;
    let mut fields = Fields::from_object(object);
    fields.overlay(Fields::from_pairs(pairs)?);
    let request_id = format!("cli-{}", platform.new_request_id());
    let outcome = async {
        let principal = principal(&platform, entry, &call, &mut fields).await?;
        entry.admit(&principal)?;
        let key = call.idempotency_key.clone();
        let request_id = request_id.clone();
        let request = Request { principal, fields, key, strict: true, address: None, request_id };
        Ok(entry.answer(&platform, request).await?)
    };
    let outcome: Result<_, Failure> = outcome.await;
    // Files and events are made while they are read, so the platform stays open until then.
    let shown = match outcome {
        Ok(reply) => present(reply.body, &call, json).await,
        Err(failure) => Err(failure),
    };
    platform.close().await;
    if let (true, Err(Failure::Refused(error))) = (json, &shown) {
        say!("{:#}", error.to_json(&request_id));
    }
    shown
}

async fn present(body: Body, call: &Call, json: bool) -> Result<(), Failure> {
    let printed = |answer: &[u8], status| print(answer, json, &call.layout, status);
    match body {
        Body::Json(bytes) => printed(&bytes, 200),
        Body::File(file) => {
            let (name, pieces) = (file.name, file.bytes.map_err(Failure::from));
            saving::save(call.output.as_deref(), &name, pieces).await
        }
        Body::Events(mut events) => print_events(&mut events, json).await,
        Body::Redirect(location) => {
            printed(json!({ "location": location }).to_string().as_bytes(), 302)
        }
        Body::Page(html) => printed(json!({ "page": html }).to_string().as_bytes(), 200),
    }
}

/// Prints events as they happen, one a line, until the stream ends or the user interrupts.
async fn print_events(events: &mut EventStream, json: bool) -> Result<(), Failure> {
    while let Some(beat) = poll_fn(|cx| Pin::new(&mut *events).poll_next(cx)).await {
        if let Beat::Event { id, name, data } = beat {
            if json {
                say!("{}", json!({ "id": id, "event": name, "data": data }));
            } else {
                say!("{id} {name} {data}");
            }
        }
    }
    Ok(())
}

async fn principal(
    platform: &Platform,
    entry: &Entry,
    call: &Call,
    fields: &mut Fields,
) -> Result<Principal, Failure> {
    if entry.callers == ["registrant"] {
        let token = fields.take_text("registration_token").unwrap_or_default();
        return Ok(platform.authenticate_registrant(&token).await?);
    }
    let Some(caller) = &call.caller else {
        return Ok(Principal::Anonymous);
    };
    let (kind, email) = caller
        .split_once(':')
        .ok_or_else(|| Failure::Usage(format!("`{caller}` is not KIND:EMAIL")))?;
    Ok(platform.vouch_for(kind, email).await?)
}

/// Calls a server over HTTP.
pub(crate) async fn over_http(call: Call, json: bool) -> Result<(), Failure> {
    let entry = find(&call.name)?;
    let Given { mut object, pairs } = given(&call)?;
    for (name, value) in pairs {
        // Over HTTP a body is typed: a value that parses as JSON is sent as JSON, any other as
        // text.
        let value = serde_json::from_str(&value).unwrap_or(Value::String(value));
        object.insert(name, value);
    }
    let base = call.url.as_deref().unwrap_or_default().trim_end_matches('/');
    let lacking = entry.path_fields().into_iter().map(|(_, field)| field);
    let lacking: Vec<String> = lacking.filter(|field| !object.contains_key(field)).collect();
    if !lacking.is_empty() {
        return Err(Failure::Usage(format!("the path needs {}=…", lacking.join("=…, "))));
    }
    let path = entry
        .fill_path(&mut object)
        .map_err(|field| Failure::Usage(format!("the path needs {field}=…")))?;
    let address = format!("{base}{path}");
    // A redirect is the operation's answer; it is not followed.
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| Failure::Broken(error.to_string()))?;
    let visit = match entry.interface {
        Interface::Admin => Visit::of(&call, &client, base).await?,
        _ => None,
    };
    let mut request = match entry.method {
        Method::Get => client.get(&address),
        Method::Post => client.post(&address),
        Method::Put => client.put(&address),
        Method::Delete => client.delete(&address),
    };
    request = request.header("Prefer", "handling=strict");
    request = if entry.takes_bytes() {
        let content = object.remove("content").unwrap_or_default();
        let content: FileContent = serde_json::from_value(content)
            .map_err(|error| Failure::Usage(format!("content: {error}")))?;
        request.query(&pairs_of(&object)).body(content.to_vec())
    } else if entry.method.has_body() {
        request.header("content-type", "application/json").body(Value::Object(object).to_string())
    } else {
        request.query(&pairs_of(&object))
    };
    let token = call.token.clone().or_else(|| env("NIL_TOKEN"));
    match (&visit, token) {
        (Some(visit), _) => request = visit.carried_by(request),
        (None, Some(token)) => request = request.bearer_auth(token),
        (None, None) => {}
    }
    if let Some(key) = &call.idempotency_key {
        request = request.header("Idempotency-Key", key);
    }
    let broken = |error: reqwest::Error| Failure::Broken(format!("{address}: {error}"));
    let heard = match request.send().await {
        Ok(response) => present_heard(response, &call, json, &address).await,
        Err(error) => Err(broken(error)),
    };
    if let Some(visit) = visit {
        visit.end(&client, base).await;
    }
    heard
}

/// Shows what a server answered, while it arrives.
async fn present_heard(
    response: Response,
    call: &Call,
    json: bool,
    address: &str,
) -> Result<(), Failure> {
    let broken = |error: reqwest::Error| Failure::Broken(format!("{address}: {error}"));
    let status = response.status().as_u16();
    let kind = response.headers().get("content-type");
    if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
        let mut response = response;
        while let Some(piece) = response.chunk().await.map_err(broken)? {
            out::bytes(&piece);
        }
        return Ok(());
    }
    if let Some(location) = response.headers().get("location") {
        let location = String::from_utf8_lossy(location.as_bytes()).into_owned();
        let answer = json!({ "location": location });
        return print(answer.to_string().as_bytes(), json, &call.layout, status);
    }
    let is_json = response
        .headers()
        .get("content-type")
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_json || status >= 400 {
        let bytes = response.bytes().await.map_err(broken)?;
        return print(&bytes, json, &call.layout, status);
    }
    let pieces = stream::try_unfold(response, |mut response| async move {
        let piece = response.chunk().await?;
        Ok::<_, reqwest::Error>(piece.map(|piece| (piece, response)))
    });
    saving::save(call.output.as_deref(), "download", Box::pin(pieces.map_err(broken))).await
}

fn pairs_of(object: &Map<String, Value>) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    object
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| match value {
            Value::Array(items) => {
                (name.clone(), items.iter().map(text).collect::<Vec<_>>().join(","))
            }
            other => (name.clone(), text(other)),
        })
        .collect()
}

fn print(bytes: &[u8], json: bool, layout: &Layout, status: u16) -> Result<(), Failure> {
    let answer: Value = serde_json::from_slice(bytes)
        .map_err(|_| Failure::Broken(format!("status {status} without JSON")))?;
    if status >= 400 {
        if json {
            say!("{answer:#}");
        }
        let fields = answer["errors"].as_object().into_iter().flatten();
        let joined = |messages: &Value| match messages.as_array() {
            Some(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "),
            None => messages.to_string(),
        };
        return Err(Failure::Answered {
            code: answer["code"].as_str().unwrap_or("unknown").to_owned(),
            message: answer["message"].as_str().unwrap_or_default().to_owned(),
            fields: fields
                .map(|(name, messages)| format!("{name}: {}", joined(messages)))
                .collect(),
        });
    }
    if json {
        say!("{answer:#}");
    } else {
        let data = answer.get("data").unwrap_or(&answer);
        layout.check(data)?;
        show::answer(data, layout);
        if let Some(page) = answer.get("pagination") {
            let (number, pages, total) = (&page["page"], &page["pages"], &page["total"]);
            out::remark(format_args!("page {number} of {pages}, {total} in all"));
        }
    }
    Ok(())
}
