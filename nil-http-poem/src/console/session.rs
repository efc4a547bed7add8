//! Sessions of the pages: the same as those of the API, with cookies of their own. What a cookie
//! holds is sealed, so that the API takes none of them, and no page takes a token of the API.
//!
//! A form whose session has ended is not lost: its fields stand in the sign-in page, and are sent
//! when the same account has signed in.

use chrono::TimeDelta;
use hyper::Response;
use maud::{Markup, html};
use nil_core::auth::Principal;
use nil_core::catalog::{Entry, Interface, catalog};
use nil_core::error::{Kind, codes};
use nil_core::http::{Desk, Outgoing};
use nil_core::operation::{Fields, SessionCookie};
use nil_core::{Error, Result};
use poem::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::call::{Page, Person, value};
use super::form::Refusals;
use super::part::Part as _;
use super::query::Query;
use super::side::Side;
use super::texts::{self, say, tell};
use super::{cookies, frame, refusal, signing_on};

/// How long a password is held between the two steps of a sign-in.
const BETWEEN_STEPS: TimeDelta = TimeDelta::minutes(5);
/// What the names of kept fields begin with.
pub(super) const KEPT: &str = "kept.";
/// The fields that every form of a page has beside its own.
pub(super) const BESIDE: [&str; 5] = ["form_token", "idempotency_key", "as", "more", "had"];

/// What a session's cookie holds.
#[derive(Debug, Serialize, Deserialize)]
struct Sealed {
    secret: String,
    name: String,
    house: String,
    zone: String,
}

/// The first step of a sign-in, while the second is asked for.
#[derive(Debug, Serialize, Deserialize)]
struct Held {
    email: String,
    password: String,
    /// Seconds since 1970.
    until: i64,
}

/// Whoever is signed in at a side, if somebody is.
pub(super) async fn signed_in(
    desk: Desk<'_>,
    headers: &HeaderMap,
    side: &Side,
) -> Result<Option<(Principal, Person)>> {
    let name = cookies::own_name(side.cookie, desk.is_secure());
    let opened = cookies::find(headers, &name).and_then(|sealed| desk.open(side.cookie, sealed));
    let sealed: Option<Sealed> = opened.and_then(|text| serde_json::from_str(&text).ok());
    let Some(Sealed { secret, name, house, zone }) = sealed else { return Ok(None) };
    let who = desk.who(side.interface, &secret).await?;
    let person = Person { name, house, zone: zone.parse().unwrap_or(chrono_tz::UTC) };
    Ok((!who.is_anonymous()).then_some((who, person)))
}

fn set(desk: Desk<'_>, side: &Side, response: &mut Response<Outgoing>, sealed: Option<&str>) {
    let name = cookies::own_name(side.cookie, desk.is_secure());
    let what = sealed.map_or(("", Some(0)), |sealed| (sealed, None));
    // What is sealed fits into a header.
    let _ = cookies::give(desk, response, &name, what);
}

/// Gives the browser the new secret of a session that goes on, such as after a change of password.
pub(super) fn renew(
    page: &Page<'_>,
    cookie: Option<SessionCookie>,
    response: &mut Response<Outgoing>,
) {
    if let Some(SessionCookie::Set(secret)) = cookie
        && let Ok(sealed) = seal(page.desk, page.side, secret.expose(), &page.person)
    {
        set(page.desk, page.side, response, Some(&sealed));
    }
}

fn seal(desk: Desk<'_>, side: &Side, secret: &str, person: &Person) -> Result<String> {
    let sealed = Sealed {
        secret: secret.to_owned(),
        name: person.name.clone(),
        house: person.house.clone(),
        zone: person.zone.name().to_owned(),
    };
    desk.seal(side.cookie, &serde_json::to_string(&sealed).map_err(Error::internal)?)
}

/// The mark by which a kept form is known to be of the account that signs in.
pub(super) fn mark_of(desk: Desk<'_>, who: &Principal) -> String {
    desk.mark(&format!("form of {}", who.actor()))
}

/// A form whose session has ended.
pub(super) struct Kept {
    /// Where it is sent, below the side's base: the path and the query of its page.
    pub to: String,
    /// The mark of whoever it was shown to.
    pub mark: String,
    pub fields: Query,
}

impl Kept {
    /// What the form of an ended session keeps: no passwords.
    pub(super) fn of(to: &str, sent: &Query) -> Self {
        let secret = |name: &str| name.contains("password") || name.contains("totp");
        let kept = sent.0.iter().filter(|(name, _)| !secret(name)).cloned();
        Self {
            to: to.to_owned(),
            mark: sent.get("as").unwrap_or_default().to_owned(),
            fields: Query(kept.collect()),
        }
    }

    /// The form that a sign-in carries on.
    fn carried(sent: &Query) -> Option<Self> {
        let to = sent.get("kept_to")?.to_owned();
        let fields = sent
            .0
            .iter()
            .filter_map(|(name, value)| Some((name.strip_prefix(KEPT)?.to_owned(), value.clone())));
        let mark = sent.get("kept_as").unwrap_or_default().to_owned();
        Some(Self { to, mark, fields: Query(fields.collect()) })
    }

    fn inputs(&self) -> Markup {
        html! {
            input type="hidden" name="kept_to" value=(self.to);
            input type="hidden" name="kept_as" value=(self.mark);
            @for (name, value) in &self.fields.0 {
                input type="hidden" name={ (KEPT) (name) } value=(value);
            }
        }
    }
}

/// The idempotency key of a form.
pub(super) fn key_of(sent: &Query) -> Option<String> {
    let plain = |key: &&str| key.len() <= 255 && key.bytes().all(|byte| byte.is_ascii_graphic());
    sent.get("idempotency_key").filter(plain).map(str::to_owned)
}

/// Where a sign-in leads afterwards, below the side's base.
fn then(sent: &Query) -> String {
    path_in(sent, "then")
}

/// The path below the side's base that a form leads to.
pub(super) fn path_in(sent: &Query, name: &str) -> String {
    let plain = |path: &&str| path.starts_with('/') && !path.starts_with("//");
    sent.get(name).filter(plain).filter(|it| it.is_ascii()).unwrap_or_default().to_owned()
}

/// The sign-in page.
pub(super) fn sign_in_page(
    desk: Desk<'_>,
    side: &Side,
    sent: &Query,
    kept: Option<&Kept>,
    refused: Option<&Error>,
) -> Response<Outgoing> {
    let refusals = refused.map(|error| error.fields().clone()).unwrap_or_default();
    let base = format!("{}{}", desk.prefix(), side.base);
    let content = html! {
        form.panel method="post" action={ (base) "/sign-in" } {
            @if let Some(kept) = kept {
                h1 { (say!("sign-in-again")) }
                p {
                    (tell!("session-ended", kept = html! { b { (say!("session-ended-kept")) } }))
                }
                (kept.inputs())
            } @else {
                h1 { (say!("sign-in")) }
                p.dim { (texts::plain(side.leads_to)) }
            }
            @if let Some(error) = refused.filter(|_| refusals.is_empty()) {
                p.err role="alert" id="errors" tabindex="-1" { (texts::message(error)) }
            }
            input type="hidden" name="then" value=(then(sent));
            (email(sent.get("email").unwrap_or_default(), &refusals))
            div.field {
                label for="password" { (say!("password")) }
                input id="password" name="password" type="password" required
                    autocomplete="current-password" maxlength="128";
            }
            button.pri.wide { @if kept.is_some() { (say!("sign-in-and-send")) } @else { (say!("sign-in")) } }
        }
        @if desk.offers_sign_on(side.interface) && kept.is_none() {
            p {
                a href={ (base) (signing_on::PATH) (Query::default().with("then", Some(&then(sent))).without_empty_entries().address()) } {
                    (signing_on::link(side))
                }
            }
        }
        @if side.interface == Interface::Compliance {
            p { a href={ (base) "/forgotten" } { (say!("forgotten")) } }
        }
        @if let Some(kept) = kept {
            details {
                summary { (say!("kept-title")) }
                dl.facts {
                    @for (name, value) in kept.fields.0.iter()
                        .filter(|(name, value)| !BESIDE.contains(&name.as_str()) && !value.is_empty())
                    {
                        dt { (super::words::field_label(name)) }
                        dd { (value) }
                    }
                }
            }
        }
    };
    let status = refused.map_or(if kept.is_some() { 401 } else { 200 }, |it| it.kind().status());
    let response = frame::alone(
        desk,
        kept.is_none().then_some((side, "/sign-in")),
        status,
        (&say!("sign-in"), "nil"),
        &content,
    );
    match refused {
        Some(error) => refusal::wait(response, error),
        None => response,
    }
}

pub(super) fn email(value: &str, refusals: &Refusals) -> Markup {
    let wrong = refusals.get("email").and_then(|reasons| reasons.first());
    html! {
        div.field {
            label for="email" { (say!("email")) }
            @if let Some(wrong) = wrong {
                p.err id="email-e" { span.vh { (say!("error")) " " } (wrong) "." }
            }
            input id="email" name="email" type="email" required autocomplete="username"
                value=(value) autofocus aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[wrong.map(|_| "email-e")];
        }
    }
}

/// The page of the second step.
fn second_step(
    desk: Desk<'_>,
    side: &Side,
    sent: &Query,
    held: &str,
    error: &Error,
) -> Response<Outgoing> {
    let wrong = (!error.is(codes::TOTP_REQUIRED)).then(|| texts::message(error).into_owned());
    let base = format!("{}{}", desk.prefix(), side.base);
    let kept = Kept::carried(sent);
    let content = html! {
        form.panel method="post" action={ (base) "/sign-in" } {
            h1 { (say!("second-step")) }
            p.dim { (say!("second-step-how")) }
            input type="hidden" name="held" value=(held);
            input type="hidden" name="then" value=(then(sent));
            @if let Some(kept) = &kept { (kept.inputs()) }
            div.field {
                label for="totp" { (say!("second-step-code")) }
                @if let Some(wrong) = &wrong {
                    p.err id="totp-e" { span.vh { (say!("error")) " " } (wrong) }
                }
                input.otp id="totp" name="totp" required autocomplete="one-time-code" autofocus
                    maxlength="128" aria-invalid=[wrong.as_ref().map(|_| "true")]
                    aria-describedby=[wrong.as_ref().map(|_| "totp-e")];
            }
            button.pri.wide { (say!("sign-in")) }
        }
        p { a href={ (base) "/sign-in" } { (say!("sign-in-as-other")) } }
    };
    let status = if wrong.is_some() { error.kind().status() } else { 200 };
    frame::alone(desk, None, status, (&say!("second-step"), "nil"), &content)
}

/// What a sign-in comes to.
pub(super) enum SignedIn {
    /// A page: the second step, or the form again.
    Page(Response<Outgoing>),
    /// Somebody is signed in; the response of where they go is still to be given the cookie.
    Person { who: Principal, person: Person, sealed: String, kept: Option<Kept>, then: String },
}

/// Signs somebody in.
pub(super) async fn sign_in(desk: Desk<'_>, side: &'static Side, sent: &Query) -> SignedIn {
    let kept = Kept::carried(sent);
    let held = sent.get("held").and_then(|held| desk.open("held sign-in", held));
    let held: Option<Held> = held.and_then(|text| serde_json::from_str(&text).ok());
    let held = held.filter(|held| desk.now().timestamp() < held.until);
    let text = |name: &str| sent.get(name).unwrap_or_default().to_owned();
    let (email, password) = match held {
        Some(held) => (held.email, held.password),
        None => (text("email"), text("password")),
    };
    let mut fields = Map::new();
    fields.insert("email".into(), email.clone().into());
    fields.insert("password".into(), password.clone().into());
    if let Some(code) = sent.get("totp") {
        fields.insert("totp".into(), code.trim().into());
    }
    let sent = sent.with("email", Some(&email));
    let refused = |error: &Error| {
        if [codes::TOTP_REQUIRED, codes::TOTP_INVALID].iter().any(|code| error.is(*code)) {
            let until = (desk.now() + BETWEEN_STEPS).timestamp();
            let held = json!({ "email": email, "password": password, "until": until });
            if let Ok(held) = desk.seal("held sign-in", &held.to_string()) {
                return SignedIn::Page(second_step(desk, side, &sent, &held, error));
            }
        }
        SignedIn::Page(sign_in_page(desk, side, &sent, kept.as_ref(), Some(error)))
    };
    let Some(entry) = catalog().named(side.log_in) else {
        return refused(&codes::NOT_FOUND.into());
    };
    match entered(desk, side, entry, fields).await {
        Ok(Entered { who, person, sealed }) => {
            SignedIn::Person { who, person, sealed, kept, then: then(&sent) }
        }
        Err(error) => refused(&error),
    }
}

/// Somebody who has come in, with the sealed cookie of the session.
pub(super) struct Entered {
    pub who: Principal,
    pub person: Person,
    pub sealed: String,
}

/// Somebody whom this operation lets in with these fields.
pub(super) async fn entered(
    desk: Desk<'_>,
    side: &'static Side,
    entry: &'static Entry,
    fields: Map<String, Value>,
) -> Result<Entered> {
    let (secret, answer) = opened(desk, entry, fields).await?;
    let who = desk.who(side.interface, &secret).await?;
    if who.is_anonymous() {
        return Err(codes::UNAUTHENTICATED.into());
    }
    let person = person(desk, side, &who, &answer).await;
    let sealed = seal(desk, side, &secret, &person)?;
    Ok(Entered { who, person, sealed })
}

/// The secret of the session that an operation has opened, and what it answered.
async fn opened(
    desk: Desk<'_>,
    entry: &'static Entry,
    fields: Map<String, Value>,
) -> Result<(String, Value)> {
    let fields = Fields::from_object(fields);
    let mut reply = desk.perform(entry, &Principal::Anonymous, fields, None).await?;
    let cookie = reply.cookie.take();
    let answer = value(reply)?;
    let secret = match cookie {
        Some(SessionCookie::Set(secret)) => secret.expose().to_owned(),
        _ => answer.part("token").as_str().unwrap_or_default().to_owned(),
    };
    Ok((secret, answer))
}

/// Who has signed in, in the words of the pages.
async fn person(desk: Desk<'_>, side: &'static Side, who: &Principal, answer: &Value) -> Person {
    let account =
        if answer.part("user").is_object() { &answer.part("user") } else { &answer.part("data") };
    let mut person = Person {
        name: account.part("name").as_str().map_or_else(|| say!("you"), str::to_owned),
        house: "nil".into(),
        zone: chrono_tz::UTC,
    };
    let about = match side.interface {
        Interface::Compliance => "college.settings",
        _ => "site.settings",
    };
    if let Some(entry) = side.entry(about).filter(|entry| entry.admit(who).is_ok())
        && let Ok(reply) = desk.perform(entry, who, Fields::default(), None).await
        && let Ok(answer) = value(reply)
    {
        let told =
            |name: &str| answer.part("data").part(name).as_str().filter(|text| !text.is_empty());
        person.zone = told("time_zone").and_then(|zone| zone.parse().ok()).unwrap_or(person.zone);
        if let Some(house) = told("college_name").or_else(|| told("name")) {
            house.clone_into(&mut person.house);
        }
    }
    person
}

/// Adds the session's cookie to where the person who has signed in goes.
pub(super) fn begin(
    desk: Desk<'_>,
    side: &Side,
    sealed: &str,
    mut response: Response<Outgoing>,
) -> Response<Outgoing> {
    set(desk, side, &mut response, Some(sealed));
    response
}

/// Ends the session.
pub(super) async fn sign_out(page: &Page<'_>) -> Response<Outgoing> {
    let entry = catalog().named(page.side.log_out);
    if let Some(entry) = entry
        && let Err(error) = page.perform(entry, Map::new(), None).await
        && error.kind() != Kind::Unauthenticated
    {
        return refusal::page(page, &error);
    }
    let mut response = frame::see_other(&page.at("/sign-in"));
    set(page.desk, page.side, &mut response, None);
    response
}
