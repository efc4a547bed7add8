//! What a page says when an operation refuses: what stands in the way, and where to go.

use hyper::Response;
use maud::{Markup, html};
use nil_core::Error;
use nil_core::error::Kind;
use nil_core::http::Outgoing;
use poem::http::HeaderValue;
use poem::http::header::RETRY_AFTER;

use super::call::{Page, Shown};
use super::describe::Field;
use super::{form, frame};

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
pub(super) fn title(error: &Error) -> &'static str {
    match error.kind() {
        Kind::Forbidden => "You may not do this",
        Kind::NotFound | Kind::Gone => "There is no such record here",
        Kind::Conflict => "This is not possible now",
        Kind::Throttled => "A little slower, please",
        Kind::Invalid | Kind::Malformed => "Some fields need another look",
        Kind::Unavailable => "The service is not ready",
        Kind::Internal | Kind::Again => "Something broke on our side",
        _ => "This was refused",
    }
}

/// What to know about a refusal beside its message.
pub(super) fn advice(error: &Error) -> String {
    match error.kind() {
        Kind::Internal | Kind::Again => {
            "Nothing was saved. It is safe to send it again: it will not \
            happen twice. If it happens again, tell your operator the number of the request."
                .into()
        }
        Kind::Throttled => match error.seconds_to_wait() {
            Some(seconds) => format!("Nothing was lost. Try again in {seconds} seconds."),
            None => "Nothing was lost.".into(),
        },
        Kind::NotFound => "It does not exist, or it is not yours to see.".into(),
        _ => String::new(),
    }
}

/// What stands above a form that was refused: what to look at again, and what to know about it.
pub(super) fn note(fields: &[Field], error: &Error) -> Markup {
    let advice = advice(error);
    html! {
        (form::summary(fields, error.fields(), error.message()))
        @if !advice.is_empty() { p { (advice) } }
    }
}

fn told(page: &Page<'_>, error: &Error) -> (&'static str, Markup) {
    let title = title(error);
    let content = html! {
        div.head { div { h1 { (title) } } }
        section.panel.pad {
            p { (error.message()) }
            @let advice = advice(error);
            @if !advice.is_empty() { p { (advice) } }
            @for (field, reasons) in error.fields() {
                @for reason in reasons { p { (super::words::label(field)) ": " (reason) "." } }
            }
            div.acts { a.btn.pri href=(page.at("")) { "Back to the first page" } }
            p.dim { (error.kind().status()) " " span.mono { (error.code()) } }
        }
    };
    (title, content)
}
