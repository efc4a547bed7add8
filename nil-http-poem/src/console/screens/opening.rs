//! The pages for whoever is not signed in yet: a forgotten password, a registration.

use hyper::Response;
use maud::html;
use nil_core::Error;
use nil_core::auth::Principal;
use nil_core::catalog::Entry;
use nil_core::http::{Desk, Outgoing};
use nil_core::operation::Fields;

use crate::console::form::{self, Filled, Refusals};
use crate::console::picks::Picks;
use crate::console::query::Query;
use crate::console::side::Side;
use crate::console::texts::{self, say};
use crate::console::{describe, frame, reading, refusal};

/// The operation of an open page.
fn entry(side: &'static Side, path: &str) -> Option<&'static Entry> {
    let short = match path {
        "/forgotten" => "auth.forgot_password",
        "/register" => "auth.register",
        _ => return None,
    };
    side.entry(short).filter(|entry| entry.is_open())
}

pub(super) fn is_open(side: &'static Side, path: &str) -> bool {
    entry(side, path).is_some()
}

/// The form; after a refusal with its reason.
pub(super) fn page(
    desk: Desk<'_>,
    side: &'static Side,
    path: &str,
    filled: &Query,
    refused: Option<(&Refusals, &Error)>,
) -> Response<Outgoing> {
    let Some(entry) = entry(side, path) else { return frame::missing(desk) };
    let described = describe::of(entry);
    let none = Refusals::new();
    let (refusals, status) =
        refused.map_or((&none, 200), |(refusals, error)| (refusals, error.kind().status()));
    let (picks, zone) = (&Picks::default(), chrono_tz::UTC);
    let filled = Filled { values: filled, refusals, picks, zone, filters: false };
    let title = texts::title(entry);
    let base = format!("{}{}", desk.prefix(), side.base);
    let content = html! {
        form.panel method="post" action={ (base) (path) } {
            h1 { (title) }
            @if let Some((refusals, error)) = refused {
                (form::summary(&described.fields, refusals, &texts::message(error)))
            }
            (form::fields(&described.fields, &filled))
            button.pri.wide { (say!("send")) }
        }
        p { a href={ (base) "/sign-in" } { (say!("back-to-sign-in")) } }
    };
    let response = frame::alone(desk, Some((side, path)), status, (&title, "nil"), &content);
    match refused {
        Some((_, error)) => refusal::wait(response, error),
        None => response,
    }
}

/// Sends the form.
pub(super) async fn send(
    desk: Desk<'_>,
    side: &'static Side,
    path: &str,
    sent: &Query,
) -> Response<Outgoing> {
    let Some(entry) = entry(side, path) else { return frame::missing(desk) };
    let fields = match reading::read(&describe::of(entry).fields, sent, chrono_tz::UTC) {
        Ok(fields) => Fields::from_object(fields),
        Err(refusals) => {
            let error = Error::invalid_fields(Vec::<(String, String)>::new());
            return page(desk, side, path, sent, Some((&refusals, &error)));
        }
    };
    match desk.perform(entry, &Principal::Anonymous, fields, None).await {
        Ok(_) => {
            let says = texts::of_catalog("says", entry.name, entry.says);
            let content = html! {
                section.panel {
                    h1 { (says) }
                    p { a href={ (desk.prefix()) (side.base) "/sign-in" } { (say!("to-sign-in")) } }
                }
            };
            frame::alone(desk, None, 200, (&says, "nil"), &content)
        }
        Err(error) => page(desk, side, path, sent, Some((error.fields(), &error))),
    }
}
