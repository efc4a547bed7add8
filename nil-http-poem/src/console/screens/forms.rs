//! The form of an operation that changes something, and what comes of it.

use std::collections::BTreeMap;

use maud::html;
use nil_core::catalog::Entry;
use nil_core::error::Kind as Refused;
use nil_core::operation::{Body, Fields, Reply};
use nil_core::{Error, Result};

use super::generated::{about, data_of, find, framed, head, record};
use super::{Form, Outcome, acts};
use crate::console::call::{Page, Shown, value};
use crate::console::describe::{self, Answer, Described};
use crate::console::form::{self, Filled};
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::table::Table;
use crate::console::texts::{self, say};
use crate::console::{frame, picks, reading, refusal, session};

/// Does what an operation's form asks for.
pub(super) async fn post(page: &Page<'_>, short: &str, form: Form) -> Result<Outcome> {
    let entry = find(page, short)?;
    let described = describe::of(entry);
    let Form { fields: sent, file } = form;
    if sent.get("more").is_some() {
        return Ok(show(page, entry, described, &sent, None).await.into());
    }
    let sent = picks::resolved(page, &described.fields, &sent).await;
    let read = match reading::read(&described.fields, &sent, page.person.zone) {
        Ok(read) => read,
        Err(refusals) => {
            let error = reading::invalid(&refusals);
            return Ok(show(page, entry, described, &sent, Some(&error)).await.into());
        }
    };
    let mut fields = Fields::from_object(read);
    if let Some(file) = file.filter(|file| !file.name.is_empty()) {
        file.fill(&mut fields);
    }
    let key = session::key_of(&sent).filter(|_| entry.writes());
    match page.desk.perform(entry, &page.who, fields, key).await {
        Ok(reply) => done(page, entry, described, reply),
        Err(error) => Ok(show(page, entry, described, &sent, Some(&error)).await.into()),
    }
}

/// The page after an operation was done: what it says, and what it answered.
fn done(
    page: &Page<'_>,
    entry: &'static Entry,
    described: &Described,
    mut reply: Reply,
) -> Result<Outcome> {
    let cookie = reply.cookie.take();
    match reply.body {
        Body::Redirect(address) => return Ok(Outcome::to(&address)),
        Body::File(_) => return Ok(Outcome::Response(page.desk.response(reply))),
        _ => {}
    }
    let answer = value(reply)?;
    let data = data_of(&answer);
    let said = answer.part("message").as_str().filter(|text| !text.is_empty());
    let said = match said.unwrap_or(entry.says) {
        "" => say!("done"),
        said if said == entry.says => texts::of_catalog("says", entry.name, said).into_owned(),
        said => said.to_owned(),
    };
    let content = html! {
        (head(entry))
        section.note.good role="status" {
            h2 { (said) }
            @if data.part("access_token").is_string() { p { (say!("token-not-shown")) } }
        }
        @match &described.answer {
            Answer::List(columns) => {
                (Table { caption: &texts::title(entry), fields: columns, link: None, menu: None }.show(page, &answer))
            }
            Answer::Record(fields) if !data.is_null() => { (record(page, entry, fields, data)) }
            _ => {}
        }
        div.acts {
            a.btn.pri href=(page.at("")) { (say!("back-to-first")) }
            a.btn href=(page.at(&format!("/op/{}", page.side.short(entry)))) { (say!("do-it-again")) }
        }
    };
    let mut response = frame::page(page, &framed(page, entry, content, 200));
    session::renew(page, cookie, &mut response);
    Ok(Outcome::Response(response))
}

/// The page of a form; after a refusal with its reason, and with what was typed.
pub(super) async fn show(
    page: &Page<'_>,
    entry: &'static Entry,
    described: &Described,
    typed: &Query,
    refused: Option<&Error>,
) -> Shown {
    let none = BTreeMap::new();
    let refusals = refused.map_or(&none, Error::fields);
    let picks = &picks::of(page, &described.fields).await;
    let values = &refusal::renewed(typed, refused);
    let filled = Filled { values, refusals, picks, zone: page.person.zone, filters: false };
    let key = typed.get("idempotency_key").filter(|_| refused.is_some_and(is_kept));
    let multipart = described.file.is_some().then_some("multipart/form-data");
    let content = html! {
        (head(entry))
        @if let Some(error) = refused {
            (refusal::note(&described.fields, error))
            (refusal::meanwhile(page, &described.fields, typed, error))
        }
        (acts::warning(entry))
        div.two {
            form.panel.pad method="post" enctype=[multipart]
                action=(page.at(&format!("/do/{}", page.side.short(entry)))) {
                (page.hidden_with(key))
                (form::lists(&described.fields, "", &filled))
                (form::grouped(&described.fields, entry.groups, &filled))
                @if let Some(file) = &described.file {
                    div.field {
                        label for="f-content" { (say!("file")) }
                        input id="f-content" type="file" name="content" required[file.required];
                    }
                }
                div.acts {
                    button class=(if entry.confirm.is_some() { "pri danger" } else { "pri" }) {
                        (texts::verb(entry))
                    }
                    a.btn href=(page.at("/all")) { (say!("cancel")) }
                }
            }
            (about(page, entry))
        }
    };
    let status = refused.map_or(200, |error| error.kind().status());
    framed(page, entry, content, status)
}

/// Whether the same key is sent again: the call may have been done although its answer was not
/// seen, or nothing about it was decided.
fn is_kept(error: &Error) -> bool {
    !matches!(error.kind(), Refused::Conflict)
}
