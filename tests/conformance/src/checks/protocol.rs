//! Methods, media types and bodies that are none.

use crate::client::Sent;
use crate::endpoints::Interface;
use crate::suite::plain;
use crate::trial::Trial;

const METHODS: &str = "contract, JSON: methods";
const BODIES: &str = "contract, status codes";

pub(crate) async fn check(trial: &mut Trial<'_>) {
    options(trial).await;
    let mut request = trial.request();
    request.method = "PATCH".into();
    trial.refuses(("another method", METHODS), request, (405, None)).await;
    if trial.row.changes {
        let mut request = trial.request();
        request.method = "HEAD".into();
        let outcome = trial.send(&request).await;
        let outcome = outcome.and_then(|answer| answer.must(answer.status == 405, "405 to HEAD"));
        trial.note("HEAD of what changes something", METHODS, outcome);
    }
    if trial.reads() && trial.row.status == 200 {
        tolerated(trial).await;
    }
    if trial.endpoint.has_body() {
        for (check, media, bytes, status) in [
            ("a body that is no JSON", "application/json", "{\"a\":", 400),
            ("a body that is a list", "application/json", "[]", 422),
            ("a body of another type", "text/plain", "{}", 415),
        ] {
            let mut request = trial.request();
            request.sent = Sent::Raw(media.into(), bytes.into());
            let status = trial.status(status);
            trial.refuses((check, BODIES), request, (status, None)).await;
        }
    }
}

/// What a reader may write in another way.
async fn tolerated(trial: &mut Trial<'_>) {
    let mut slash = trial.request();
    slash.url.push('/');
    let mut ways = vec![("a slash at the end", slash)];
    if trial.endpoint.method == "POST" && trial.input.is_empty() {
        let mut empty = trial.request();
        empty.sent = Sent::Nothing;
        ways.push(("an empty body", empty));
    }
    let scalar = trial.input.values().all(|value| value.is_string() || value.is_number());
    if trial.endpoint.method == "POST" && trial.endpoint.interface == Interface::Admin && scalar {
        let mut form = trial.request();
        let fields = trial.input.iter().map(|(name, value)| format!("{name}={}", plain(value)));
        let body = fields.collect::<Vec<_>>().join("&");
        form.sent = Sent::Raw("application/x-www-form-urlencoded".into(), body.into_bytes());
        ways.push(("a form", form));
    }
    for (check, request) in ways {
        let outcome = trial.send(&request).await;
        let outcome = outcome.and_then(|answer| answer.must(answer.status == 200, "200"));
        trial.note(check, "contract, JSON: bodies and paths", outcome);
    }
}

async fn options(trial: &mut Trial<'_>) {
    let mut request = trial.request();
    request.method = "OPTIONS".into();
    let outcome = trial.send(&request).await.and_then(|answer| {
        let allowed = answer.header("allow").split(',').any(|m| m.trim() == trial.endpoint.method);
        let expected = format!("204 with {} in Allow", trial.endpoint.method);
        answer.must(answer.status == 204 && allowed, expected)
    });
    trial.note("OPTIONS", METHODS, outcome);
}
