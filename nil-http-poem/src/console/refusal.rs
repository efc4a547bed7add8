//! What a page says when an operation refuses: what stands in the way, and where to go.

use hyper::Response;
use maud::{Markup, html};
use nil_core::Error;
use nil_core::error::{Kind, codes};
use nil_core::http::Outgoing;
use poem::http::HeaderValue;
use poem::http::header::RETRY_AFTER;
use serde_json::Value;

use super::call::{Page, Shown};
use super::describe::{self, Field};
use super::part::Part as _;
use super::query::Query;
use super::texts::{self, say};
use super::{form, frame, reading, words};

/// The page of a refusal.
pub(super) fn page(page: &Page<'_>, error: &Error) -> Response<Outgoing> {
    let (title, content) = told(page, error);
    let mut shown = Shown::new(title, content);
    shown.status = error.kind().status();
    wait(frame::page(page, &shown), error)
}

/// Tells the client when to come again.
pub(super) fn wait(mut response: Response<Outgoing>, error: &Error) -> Response<Outgoing> {
    if let Some(seconds) = error.seconds_to_wait()
        && let Ok(seconds) = HeaderValue::from_str(&seconds.to_string())
    {
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
    response
}

/// The heading of a refusal.
pub(super) fn title(error: &Error) -> String {
    match error.kind() {
        Kind::Forbidden => say!("refused-forbidden"),
        Kind::NotFound | Kind::Gone => say!("refused-not-found"),
        Kind::Conflict => say!("refused-conflict"),
        Kind::Throttled => say!("refused-throttled"),
        Kind::Invalid | Kind::Malformed => say!("refused-invalid"),
        Kind::Unavailable => say!("refused-unavailable"),
        Kind::Internal | Kind::Again => say!("refused-internal"),
        _ => say!("refused"),
    }
}

/// What to know about a refusal beside its message.
pub(super) fn advice(error: &Error) -> String {
    match error.kind() {
        Kind::Internal | Kind::Again => {
            say!("refused-internal-advice")
        }
        Kind::Throttled => match error.seconds_to_wait() {
            Some(seconds) => say!("refused-throttled-wait", seconds = seconds),
            None => say!("refused-throttled-advice"),
        },
        Kind::NotFound => say!("refused-not-found-advice"),
        _ => String::new(),
    }
}

/// What stands above a form that was refused: what to look at again, and what to know about it.
pub(super) fn note(fields: &[Field], error: &Error) -> Markup {
    let advice = advice(error);
    html! {
        (form::summary(fields, error.fields(), &texts::message(error)))
        @if !advice.is_empty() { p { (advice) } }
    }
}

/// What became of a record while somebody was changing it: by whom, and how it differs from what
/// was typed. Nothing for other refusals.
pub(super) fn meanwhile(page: &Page<'_>, fields: &[Field], typed: &Query, error: &Error) -> Markup {
    let Some(data) = changed(error) else { return html! {} };
    let zone = page.person.zone;
    let now = reading::filled(fields, data.part("now"), zone);
    let all = |values: &Query, name: &str| values.all(name).collect::<Vec<_>>().join(", ");
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in &typed.0 {
        let first = name.split('.').next().unwrap_or(name);
        let is_shown =
            |field: &Field| field.name == first && !matches!(field.kind, describe::Kind::Revision);
        if fields.iter().any(is_shown) && !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.retain(|name| all(typed, name) != all(&now, name));
    html! {
        div.panel {
            header { h2 id="mw" { (say!("changed-meanwhile")) } }
            @for change in data.list("changes").iter().take(1) {
                p.pad {
                    @if let Some(at) = change.moment("at") { (words::moment(at, zone)) }
                    " " (say!("by-whom", name = change.text("by").replace([':', '_'], " ")))
                }
            }
            @if !names.is_empty() {
                div.scroll role="region" aria-labelledby="mw" tabindex="0" { table {
                    thead { tr {
                        th scope="col" { (say!("field")) } th scope="col" { (say!("now")) } th scope="col" { (say!("yours")) }
                    } }
                    tbody { @for name in names { tr {
                        th scope="row" { (form::label_at(fields, name)) }
                        td { (all(&now, name)) }
                        td { (all(typed, name)) }
                    } } }
                } }
            }
            p.pad { (say!("save-in-place")) }
        }
    }
}

/// What was typed, to be sent again: for the record as it is now, if that has just been shown.
pub(super) fn renewed(typed: &Query, error: Option<&Error>) -> Query {
    let now = error.and_then(changed).and_then(|data| data.part("revision").as_str());
    match now {
        Some(now) => typed.with("revision", Some(now)),
        None => typed.clone(),
    }
}

/// The record as it is, if the refusal is that somebody else has changed it.
fn changed(error: &Error) -> Option<&Value> {
    error.data().filter(|data| error.is(codes::STATE_CHANGED) && data.get("now").is_some())
}

fn told(page: &Page<'_>, error: &Error) -> (String, Markup) {
    let title = title(error);
    let content = html! {
        div.head { div { h1 { (title) } } }
        section.panel.pad {
            p { (texts::message(error)) }
            @let advice = advice(error);
            @if !advice.is_empty() { p { (advice) } }
            @for (field, reasons) in error.fields() {
                @for reason in reasons { p { (super::words::field_label(field)) ": " (reason) "." } }
            }
            div.acts { a.btn.pri href=(page.at("")) { (say!("back-to-first")) } }
            p.dim { (error.kind().status()) " " span.mono { (error.code()) } }
        }
    };
    (title, content)
}
