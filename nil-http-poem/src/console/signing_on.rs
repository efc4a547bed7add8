//! Sign-on through an identity provider: the page that leads to it, and the one that it leads back
//! to (decision 81).
//!
//! Between the two a cookie holds the browser's secret, sealed. It is `Lax`, so that it comes along
//! when the provider leads back.

use hyper::Response;
use hyper::header::HeaderName;
use maud::html;
use nil_core::auth::Principal;
use nil_core::catalog::{Entry, Interface};
use nil_core::error::codes;
use nil_core::http::{Desk, Outgoing};
use nil_core::operation::Fields;
use nil_core::{Error, Result};
use poem::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::call::value;
use super::part::Part as _;
use super::query::Query;
use super::session::{self, Entered, SignedIn};
use super::side::Side;
use super::texts::{self, say};
use super::{cookies, frame, refusal};

/// The page, below a side's base.
pub(super) const PATH: &str = "/sign-on";
/// What the cookie is sealed for, and its name.
const COOKIE: &str = "nil_sign_on";
/// How long the browser keeps the cookie, in seconds.
const KEPT: u32 = 600;
const REFRESH: HeaderName = HeaderName::from_static("refresh");

/// What the cookie holds.
#[derive(Debug, Serialize, Deserialize)]
struct Begun {
    side: String,
    secret: String,
    then: String,
}

/// The words of the link that leads here.
pub(super) fn link(side: &Side) -> String {
    match side.interface {
        Interface::Compliance => say!("sign-on-institution"),
        _ => say!("sign-on-organization"),
    }
}

/// The page: a form for the e-mail, or the end of a sign-on that has come back.
pub(super) async fn get(
    desk: Desk<'_>,
    side: &'static Side,
    headers: &HeaderMap,
    query: &Query,
) -> SignedIn {
    if query.get("error").is_some() {
        return failed(desk, side, query, &codes::SIGN_ON_FAILED.into());
    }
    if query.get("code").is_none() {
        return SignedIn::Page(page(desk, side, query, None));
    }
    match finish(desk, side, headers, query).await {
        Ok(signed_in) => signed_in,
        Err(error) => failed(desk, side, query, &error),
    }
}

/// The sign-in page says why a sign-on has led nowhere; nothing of the provider's answer is kept.
fn failed(desk: Desk<'_>, side: &'static Side, query: &Query, error: &Error) -> SignedIn {
    let sent = Query::default().with("then", query.get("then"));
    let response = session::sign_in_page(desk, side, &sent, None, Some(error));
    SignedIn::Page(with_cookie(desk, response, None))
}

async fn finish(
    desk: Desk<'_>,
    side: &'static Side,
    headers: &HeaderMap,
    query: &Query,
) -> Result<SignedIn> {
    let sealed = cookies::find(headers, &own_name(desk));
    let begun = sealed.and_then(|sealed| desk.open(COOKIE, sealed));
    let begun: Option<Begun> = begun.and_then(|text| serde_json::from_str(&text).ok());
    let begun = begun.filter(|begun| begun.side == side.base).ok_or(codes::SIGN_ON_FAILED)?;
    let mut fields = Map::new();
    for name in ["state", "code", "iss"] {
        if let Some(value) = query.get(name) {
            fields.insert(name.into(), value.into());
        }
    }
    fields.insert("secret".into(), begun.secret.into());
    let entry = entry(side, "sign_on.finish")?;
    let Entered { who, person, sealed } = session::entered(desk, side, entry, fields).await?;
    Ok(SignedIn::Person { who, person, sealed, kept: None, then: begun.then })
}

/// Begins a sign-on: the answer is a page that goes on by itself, because a form may only lead to
/// this site.
pub(super) async fn post(desk: Desk<'_>, side: &'static Side, sent: &Query) -> Response<Outgoing> {
    match start(desk, side, sent).await {
        Ok(response) => response,
        Err(error) => page(desk, side, sent, Some(&error)),
    }
}

async fn start(desk: Desk<'_>, side: &'static Side, sent: &Query) -> Result<Response<Outgoing>> {
    let mut fields = Map::new();
    fields.insert("email".into(), sent.get("email").unwrap_or_default().into());
    fields.insert("return_to".into(), "pages".into());
    let fields = Fields::from_object(fields);
    let entry = entry(side, "sign_on.start")?;
    let reply = desk.perform(entry, &Principal::Anonymous, fields, None).await?;
    let answer = value(reply)?;
    let started = answer.part("data");
    let text = |name: &str| started.part(name).as_str().unwrap_or_default().to_owned();
    let (to, then) = (text("authorization_url"), session::path_in(sent, "then"));
    let begun = Begun { side: side.base.to_owned(), secret: text("secret"), then };
    let sealed = serde_json::to_string(&begun).map_err(Error::internal)?;
    let sealed = desk.seal(COOKIE, &sealed)?;
    let content = html! {
        section.panel {
            h1 { (say!("sign-on-going")) }
            p { (say!("sign-on-going-how")) }
            p { a.button.pri href=(to) { (say!("sign-on-continue")) } }
        }
    };
    let mut response = frame::alone(desk, None, 200, (&say!("sign-on-going"), "nil"), &content);
    let address = format!("0; url={to}");
    response.headers_mut().insert(REFRESH, address.parse().map_err(Error::internal)?);
    Ok(with_cookie(desk, response, Some(&sealed)))
}

fn entry(side: &'static Side, short: &str) -> Result<&'static Entry> {
    side.entry(short).ok_or_else(|| codes::NOT_FOUND.into())
}

fn page(
    desk: Desk<'_>,
    side: &'static Side,
    sent: &Query,
    refused: Option<&Error>,
) -> Response<Outgoing> {
    let refusals = refused.map(|error| error.fields().clone()).unwrap_or_default();
    let base = format!("{}{}", desk.prefix(), side.base);
    let title = link(side);
    let content = html! {
        form.panel method="post" action={ (base) (PATH) } {
            h1 { (title) }
            p.dim { (say!("sign-on-how")) }
            @if let Some(error) = refused.filter(|_| !refusals.contains_key("email")) {
                p.err role="alert" id="errors" tabindex="-1" { (texts::message(error)) }
            }
            input type="hidden" name="then" value=(session::path_in(sent, "then"));
            (session::email(sent.get("email").unwrap_or_default(), &refusals))
            button.pri.wide { (say!("sign-on-continue")) }
        }
        p { a href={ (base) "/sign-in" } { (say!("back-to-sign-in")) } }
    };
    let status = refused.map_or(200, |error| error.kind().status());
    let response = frame::alone(desk, Some((side, PATH)), status, (&title, "nil"), &content);
    match refused {
        Some(error) => refusal::wait(response, error),
        None => response,
    }
}

fn with_cookie(
    desk: Desk<'_>,
    mut response: Response<Outgoing>,
    sealed: Option<&str>,
) -> Response<Outgoing> {
    let what = sealed.map_or(("", Some(0)), |sealed| (sealed, Some(KEPT)));
    // What is sealed fits into a header.
    let _ = cookies::give(desk, &mut response, &own_name(desk), what);
    response
}

fn own_name(desk: Desk<'_>) -> String {
    cookies::own_name(COOKIE, desk.is_secure())
}
