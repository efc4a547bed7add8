//! The answer to an allowed caller: its status, headers, envelope and shape.

use serde_json::{Value, json};

use crate::checks::records::is_list;
use crate::client::Answer;
use crate::endpoints::Endpoint;
use crate::findings::Trouble;
use crate::shapes::misnamed;
use crate::trial::Trial;

const JSON: &str = "contract, JSON";
const HEADERS: &str = "contract, JSON: headers; specification 8";
const TYPES: &str = "contract, JSON: times, dates, money";

/// The key of a write that may be repeated.
pub(crate) fn key(trial: &Trial<'_>) -> Option<String> {
    let writes = !trial.reads() && !trial.row.once && trial.endpoint.method != "GET";
    (writes && trial.row.status == 200).then(|| format!("conformance-{}", trial.values.mark))
}

pub(crate) async fn check(trial: &mut Trial<'_>) -> Option<Answer> {
    let mut request = trial.request();
    if let Some(key) = key(trial) {
        request = trial.keyed(request, key);
    }
    let answer = match trial.send(&request).await {
        Ok(answer) => answer,
        Err(trouble) => {
            trial.note("answers", trial.endpoint.section(), Err(trouble));
            return None;
        }
    };
    let section = trial.endpoint.section();
    if trial.row.status != 200 {
        let outcome = answer.must_refuse(trial.row.status, trial.row.code.as_deref());
        trial.note("answers", section, outcome);
        return Some(answer);
    }
    trial.note("answers", section, answer.must(answer.status == 200, "200"));
    trial.note("headers", HEADERS, headers(trial.endpoint, &answer));
    if answer.status != 200 {
        return Some(answer);
    }
    if let Some(media) = &trial.row.sends {
        let file = answer.header("content-type").starts_with(media.as_str());
        let named = answer.header("content-disposition").contains("filename");
        let whole = file && named && !answer.bytes.is_empty();
        let expected = format!("a file of {media} with its name in Content-Disposition");
        trial.note("sends a file", format!("{JSON}; payloads"), answer.must(whole, expected));
        return Some(answer);
    }
    if let Some(cookie) = &trial.row.cookie {
        let set = answer.header("set-cookie");
        let guarded = set.starts_with(&format!("{cookie}="))
            && ["HttpOnly", "SameSite=Strict", "Path=/admin"].iter().all(|word| set.contains(word));
        let outcome = answer.must(guarded, format!("the cookie {cookie}, guarded"));
        trial.note("cookie", "contract, authentication", outcome);
    }
    trial.note("envelope", JSON, envelope(trial, &answer));
    shapes(trial, &answer);
    let misnamed = misnamed(&answer.json);
    let types = answer.must(misnamed.is_empty(), "the types of names").map_err(|trouble| {
        Trouble::failed("the types that names have", misnamed.join("; "), request_of(&trouble))
    });
    trial.note("types", TYPES, types);
    for (pointer, expected) in &trial.row.holds {
        let found = answer.json.pointer(pointer);
        let outcome = trial.values.fill(expected).map_err(Trouble::unprepared);
        let outcome = outcome.and_then(|expected| {
            answer.must(found == Some(&expected), format!("{pointer} = {expected}"))
        });
        let rule = trial.row.rule.as_deref().unwrap_or("payloads; model");
        trial.note(format!("holds {pointer}"), rule, outcome);
    }
    head(trial).await;
    Some(answer)
}

fn request_of(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Failed(failure) => failure.request.clone(),
        Trouble::Lacking(why) => why.clone(),
    }
}

fn headers(endpoint: &Endpoint, answer: &Answer) -> Result<(), Trouble> {
    answer.must(!answer.header("x-request-id").is_empty(), "the header X-Request-Id")?;
    let number = |name: &str| {
        let number = answer.header(name).parse::<u32>().ok();
        number
            .ok_or_else(|| answer.instead_of(format!("a number in {name}")))
            .map_err(|trouble| with_headers(trouble, answer))
    };
    let limit = number("ratelimit-limit")?;
    let left = number("ratelimit-remaining")?;
    number("ratelimit-reset")?;
    answer.must(left < limit, "RateLimit-Remaining below RateLimit-Limit")?;
    let right = match endpoint.class {
        "login" | "registration" => (4..=15).contains(&limit),
        "public" => limit == 200,
        "dashboard" => limit == 5,
        _ => true,
    };
    answer.must(right, format!("a limit of the class {}, not {limit}", endpoint.class))
}

/// A failure about headers shows the headers.
fn with_headers(trouble: Trouble, answer: &Answer) -> Trouble {
    match trouble {
        Trouble::Failed(mut failure) => {
            failure.came = format!("{} {:?}", answer.status, answer.headers);
            Trouble::Failed(failure)
        }
        lacking @ Trouble::Lacking(_) => lacking,
    }
}

fn envelope(trial: &Trial<'_>, answer: &Answer) -> Result<(), Trouble> {
    let media = answer.header("content-type");
    answer.must(media.starts_with("application/json"), "a body of application/json")?;
    if trial.row.data.is_none() {
        return Ok(());
    }
    answer.must(answer.json.get("status") == Some(&json!("success")), "`status` `success`")?;
    let told = answer.json.get("message").is_some_and(Value::is_string);
    answer.must(told, "a `message`")?;
    answer.must(answer.json.get("data").is_some(), "`data`")
}

fn shapes(trial: &mut Trial<'_>, answer: &Answer) {
    let data = trial.row.data.as_deref().map(|text| text.strip_prefix("feed ").unwrap_or(text));
    let parts = [(data, answer.json.get("data")), (trial.row.body.as_deref(), Some(&answer.json))];
    for (text, value) in parts {
        let Some(text) = text else { continue };
        let value = value.unwrap_or(&Value::Null);
        let outcome = match trial.suite.shapes.written(text) {
            Ok(shape) => {
                let mistakes = trial.suite.shapes.mistakes(&shape, value);
                let failed = || {
                    let came = format!("{} in {}", mistakes.join("; "), answer.told());
                    Trouble::failed(format!("the shape {text}"), came, answer.request.clone())
                };
                if mistakes.is_empty() { Ok(()) } else { Err(failed()) }
            }
            Err(mistake) => Err(Trouble::unprepared(format!("shape {text}: {mistake}"))),
        };
        let rule = trial.row.rule.as_deref().unwrap_or("payloads; model");
        trial.note("shape", rule, outcome);
    }
    let list = is_list(trial.row.data.as_deref());
    if list && answer.json.get("data").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        let why = "the list is empty, so its records cannot be read";
        trial.note("records of the list", "payloads; model", Err(Trouble::Lacking(why.into())));
    }
}

async fn head(trial: &mut Trial<'_>) {
    if trial.endpoint.method != "GET" || trial.row.changes {
        return;
    }
    let mut request = trial.request();
    request.method = "HEAD".into();
    let outcome = trial.send(&request).await.and_then(|answer| {
        answer.must(answer.status == 200 && answer.bytes.is_empty(), "200 without a body to HEAD")
    });
    trial.note("HEAD", "contract, JSON: methods", outcome);
}
