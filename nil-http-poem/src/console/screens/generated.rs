//! The page of any operation: a list is a table, a record is facts, a save is a form, a file is a
//! form that downloads. Every operation of both sides has one, whether it stands on a designed
//! screen or not.

use std::collections::BTreeMap;

use hyper::Response;
use maud::{Markup, html};
use nil_core::catalog::{Entry, Needs};
use nil_core::error::{Kind as Refused, codes};
use nil_core::http::Outgoing;
use nil_core::operation::{Body, Fields, Reply};
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use super::{Form, Outcome};
use crate::console::call::{Page, Shown, value};
use crate::console::cells::facts;
use crate::console::describe::{self, Answer, Described, Field};
use crate::console::form::{self, Filled, Refusals};
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::side::reads;
use crate::console::table::{PAGING, Table, chips, name_of};
use crate::console::{frame, reading, refusal, session, words};

/// The filters that stand in the row above a table; the others unfold.
const IN_ROW: usize = 4;

/// The operation of a short name, or 404; 403 with who may.
fn find(page: &Page<'_>, short: &str) -> Result<&'static Entry> {
    let entry = page.side.entry(short).ok_or_else(|| Error::from(codes::NOT_FOUND))?;
    entry.admit(&page.who)?;
    Ok(entry)
}

/// Shows an operation's page: its answer if it only reads and has what it needs, else its form.
pub(super) async fn get(page: &Page<'_>, short: &str) -> Result<Outcome> {
    let entry = find(page, short)?;
    let described = describe::of(entry);
    if !reads(entry) {
        let typed = match known(page, entry, described).await? {
            Some(known) => known,
            None => page.query.clone(),
        };
        return Ok(form_page(page, entry, described, &typed, None).into());
    }
    let refusals = match reading::read(&described.fields, &page.query, page.person.zone) {
        Ok(_) if matches!(described.answer, Answer::File) => {
            return Ok(file_page(page, entry, described).into());
        }
        Ok(fields) if is_complete(&described.fields, &fields) => {
            return answer(page, entry, described, fields).await;
        }
        Ok(_) => Refusals::new(),
        Err(refusals) => refusals,
    };
    let content = html! {
        (head(entry))
        div.two {
            div { (asking(page, described, &refusals, "Show")) }
            (about(page, entry))
        }
    };
    Ok(framed(page, entry, content, if refusals.is_empty() { 200 } else { 422 }).into())
}

/// What a form that changes a record is filled with: the record, if an operation shows it.
async fn known(
    page: &Page<'_>,
    entry: &'static Entry,
    described: &Described,
) -> Result<Option<Query>> {
    let Some((short, field)) = shower(page, entry) else { return Ok(None) };
    let Some(shows) = page.allowed(&short).filter(|shows| reads(shows)) else { return Ok(None) };
    let Some(id) = page.query.get(&field).or(page.query.get("id")) else { return Ok(None) };
    let Ok(id) = id.parse::<i64>() else { return Ok(None) };
    let asked = Map::from_iter([(field, Value::from(id))]);
    let answer = value(page.perform(shows, asked, None).await?)?;
    let mut filled = reading::filled(&described.fields, data_of(&answer), page.person.zone);
    for (name, value) in &page.query.0 {
        filled = filled.with(name, Some(value));
    }
    Ok(Some(filled))
}

fn is_complete(fields: &[Field], given: &Map<String, Value>) -> bool {
    fields.iter().all(|field| !field.required || given.contains_key(&field.name))
}

/// The page of an answer.
async fn answer(
    page: &Page<'_>,
    entry: &'static Entry,
    described: &Described,
    fields: Map<String, Value>,
) -> Result<Outcome> {
    let reply = match page.perform(entry, fields, None).await {
        Ok(reply) => reply,
        Err(error) if error.kind() == Refused::Invalid => {
            let content = html! {
                (head(entry))
                (form::summary(&described.fields, error.fields(), error.message()))
                (asking(page, described, error.fields(), "Show"))
            };
            return Ok(framed(page, entry, content, 422).into());
        }
        Err(error) => return Err(error),
    };
    if let Body::Redirect(address) = &reply.body {
        return Ok(Outcome::Response(frame::see_other(address)));
    }
    if matches!(reply.body, Body::File(_)) {
        return Ok(Outcome::Response(page.desk.response(reply)));
    }
    let answer = value(reply)?;
    let content = match &described.answer {
        Answer::List(columns) => list(page, entry, described, columns, &answer),
        Answer::Record(shown) => html! {
            (head(entry))
            div.two {
                div.stack {
                    @if !described.fields.is_empty() {
                        details.more open[page.query.0.is_empty()] {
                            summary { "What is shown" }
                            (asking(page, described, &Refusals::new(), "Show"))
                        }
                    }
                    (record(page, shown, data_of(&answer)))
                }
                (about(page, entry))
            }
        },
        Answer::File => html! { (head(entry)) },
    };
    Ok(framed(page, entry, content, 200).into())
}

/// What an answer is about: its `data`, or all of it where the specification has no envelope.
fn data_of(answer: &Value) -> &Value {
    answer.get("data").unwrap_or(answer)
}

fn record(page: &Page<'_>, fields: &[Field], data: &Value) -> Markup {
    let name = name_of(data);
    html! {
        section.panel.pad aria-label="Answer" {
            @if !name.is_empty() { h2 { (name) } }
            @if data.is_object() && !fields.is_empty() {
                (facts(fields, data, page.person.zone))
            } @else if data.is_null() {
                p { "There is nothing to show." }
            } @else {
                pre { (serde_json::to_string_pretty(data).unwrap_or_default()) }
            }
        }
    }
}

fn list(
    page: &Page<'_>,
    entry: &'static Entry,
    described: &Described,
    columns: &[Field],
    answer: &Value,
) -> Markup {
    let shower = shower(page, entry);
    let link = |row: &Value| {
        let (short, field) = shower.as_ref()?;
        let id = row.part("id").as_i64()?;
        Some(page.at(&format!("/op/{short}?{field}={id}")))
    };
    let title = title(entry);
    let table = Table { caption: &title, fields: columns, link: Some(&link) };
    html! {
        (head(entry))
        (filters(page, described))
        (chips(page, &described.fields))
        (table.show(page, answer))
        (about(page, entry))
    }
}

/// The operation that shows one record of a list, and the field that names it.
fn shower(page: &Page<'_>, entry: &Entry) -> Option<(String, String)> {
    let noun = page.side.short(entry).rsplit_once('.')?.0;
    ["detail", "view", "show", "save", "change", "record", "note"].iter().find_map(|verb| {
        let short = format!("{noun}.{verb}");
        let found = page.allowed(&short).filter(|found| found.name != entry.name)?;
        let fields = &describe::of(found).fields;
        let names = ["id".to_owned(), format!("{noun}_id")];
        let field = fields.iter().find(|field| names.contains(&field.name))?;
        Some((short, field.name.clone()))
    })
}

/// The filters of a list.
fn filters(page: &Page<'_>, described: &Described) -> Markup {
    let is_filter = |field: &&Field| !PAGING.contains(&field.name.as_str());
    let mut all: Vec<&Field> = described.fields.iter().filter(is_filter).collect();
    all.sort_by_key(|field| match field.name.as_str() {
        "q" => 0,
        _ if field.required => 0,
        "status" | "statuses" => 1,
        "from" | "to" => 2,
        _ => 3,
    });
    let several = |field: &&Field| matches!(field.kind, describe::Kind::Several(_));
    let (row, more): (Vec<&Field>, Vec<&Field>) = {
        let short: Vec<&Field> =
            all.iter().copied().filter(|field| !several(field) && field.is_single()).collect();
        let row: Vec<&Field> = short.into_iter().take(IN_ROW).collect();
        let rest = all.iter().copied().filter(|field| !row.iter().any(|it| it.name == field.name));
        let rest = rest.collect();
        (row, rest)
    };
    let none = Refusals::new();
    let filled =
        Filled { values: &page.query, refusals: &none, zone: page.person.zone, filters: true };
    let is_open = more.iter().any(|field| form::is_open(&field.name, &filled));
    html! {
        @if !all.is_empty() {
            details.filt {
                summary.btn { "Filters" }
                form.filters method="get" role="search" aria-label="Filter the list" {
                    (carried(page, &row))
                    @for field in row { (form::in_row(field, &filled)) }
                    button { "Apply" }
                }
            }
        }
        @if !more.is_empty() {
            details.more open[is_open] {
                summary { "More filters (" (more.len()) ")" }
                form.panel.pad.half method="get" {
                    (carried(page, &more))
                    @for field in &more { (form::one(field, &field.name, false, &filled)) }
                    div.acts { button.pri { "Apply" } }
                }
            }
        }
    }
}

/// What a filter form keeps of the view: everything but its own fields and the page.
fn carried(page: &Page<'_>, own: &[&Field]) -> Markup {
    let kept = |(name, value): &&(String, String)| {
        !value.is_empty()
            && !["page", "after"].contains(&name.as_str())
            && !own
                .iter()
                .any(|field| field.name == *name || name.starts_with(&format!("{}.", field.name)))
    };
    html! {
        @for (name, value) in page.query.0.iter().filter(kept) {
            input type="hidden" name=(name) value=(value);
        }
    }
}

/// The form that asks what to show.
fn asking(page: &Page<'_>, described: &Described, refusals: &Refusals, verb: &str) -> Markup {
    let filled = Filled { values: &page.query, refusals, zone: page.person.zone, filters: false };
    html! {
        form.panel.pad method="get" {
            (form::fields(&described.fields, &filled))
            div.acts { button.pri { (verb) } }
        }
    }
}

/// The page of an operation that gives a file.
fn file_page(page: &Page<'_>, entry: &'static Entry, described: &Described) -> Shown {
    let none = Refusals::new();
    let filled =
        Filled { values: &page.query, refusals: &none, zone: page.person.zone, filters: false };
    let content = html! {
        (head(entry))
        div.two {
            form.panel.pad method="get" action=(page.at(&format!("/file/{}", page.side.short(entry)))) {
                (form::fields(&described.fields, &filled))
                div.acts { button.pri { "Download" } }
            }
            (about(page, entry))
        }
    };
    framed(page, entry, content, 200)
}

/// Sends the file of an operation.
pub(super) async fn file(page: &Page<'_>, short: &str) -> Result<Outcome> {
    let entry = find(page, short)?;
    if !reads(entry) {
        return Err(codes::NOT_FOUND.into());
    }
    let described = describe::of(entry);
    let fields = reading::read(&described.fields, &page.query, page.person.zone)
        .map_err(|refusals| invalid(&refusals))?;
    let reply = page.perform(entry, fields, None).await?;
    Ok(Outcome::Response(match reply.body {
        Body::Redirect(address) => frame::see_other(&address),
        _ => page.desk.response(reply),
    }))
}

fn invalid(refusals: &Refusals) -> Error {
    let told = refusals.iter().filter_map(|(name, reasons)| Some((name, reasons.first()?)));
    Error::invalid_fields(told.map(|(name, reason)| (name.clone(), reason.clone())))
}

/// Does what an operation's form asks for.
pub(super) async fn post(page: &Page<'_>, short: &str, form: Form) -> Result<Outcome> {
    let entry = find(page, short)?;
    let described = describe::of(entry);
    let Form { fields: sent, file } = form;
    if sent.get("more").is_some() {
        return Ok(form_page(page, entry, described, &sent, None).into());
    }
    let again = |error: &Error| form_page(page, entry, described, &sent, Some(error));
    let read = match reading::read(&described.fields, &sent, page.person.zone) {
        Ok(read) => read,
        Err(refusals) => return Ok(again(&invalid(&refusals)).into()),
    };
    let mut fields = Fields::from_object(read);
    if let Some(file) = file.filter(|file| !file.name.is_empty()) {
        for (name, value) in [("name", Some(file.name)), ("media_type", file.media_type)] {
            if let Some(value) = value.filter(|_| !fields.has(name)) {
                fields.put(name, value);
            }
        }
        fields.put_file("content", file.content);
    }
    let key = sent.get("idempotency_key").map(str::to_owned).filter(|key| is_key(key));
    let key = key.filter(|_| entry.writes());
    match page.desk.perform(entry, &page.who, fields, key).await {
        Ok(reply) => done(page, entry, described, reply),
        Err(error) => Ok(again(&error).into()),
    }
}

fn is_key(key: &str) -> bool {
    key.len() <= 255 && key.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The page after an operation was done: what it says, and what it answered.
fn done(
    page: &Page<'_>,
    entry: &'static Entry,
    described: &Described,
    mut reply: Reply,
) -> Result<Outcome> {
    let mut fresh: Response<Outgoing> = frame::see_other("");
    session::renew(page, &mut reply, &mut fresh);
    match reply.body {
        Body::Redirect(address) => return Ok(Outcome::Response(frame::see_other(&address))),
        Body::File(_) => return Ok(Outcome::Response(page.desk.response(reply))),
        _ => {}
    }
    let answer = value(reply)?;
    let data = data_of(&answer);
    let said = answer.part("message").as_str().filter(|text| !text.is_empty());
    let said = said.unwrap_or(if entry.says.is_empty() { "Done" } else { entry.says });
    let content = html! {
        (head(entry))
        section.note.good role="status" { h2 { (said) } }
        @match &described.answer {
            Answer::List(columns) => {
                (Table { caption: &title(entry), fields: columns, link: None }.show(page, &answer))
            }
            Answer::Record(fields) if !data.is_null() => { (record(page, fields, data)) }
            _ => {}
        }
        div.acts {
            a.btn.pri href=(page.at("")) { "Back to the first page" }
            a.btn href=(page.at(&format!("/op/{}", page.side.short(entry)))) { "Do it again" }
        }
    };
    let mut response = frame::page(page, &framed(page, entry, content, 200));
    response.headers_mut().extend(
        fresh
            .headers()
            .iter()
            .filter(|(name, _)| *name == "set-cookie")
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    Ok(Outcome::Response(response))
}

/// The page of a form; after a refusal with its reason, and with what was typed.
fn form_page(
    page: &Page<'_>,
    entry: &'static Entry,
    described: &Described,
    typed: &Query,
    refused: Option<&Error>,
) -> Shown {
    let none = BTreeMap::new();
    let refusals = refused.map_or(&none, Error::fields);
    let filled = Filled { values: typed, refusals, zone: page.person.zone, filters: false };
    let key = typed.get("idempotency_key").filter(|_| refused.is_some_and(is_kept));
    let key = key.map_or_else(|| page.desk.new_key(), str::to_owned);
    let multipart = described.has_file.then_some("multipart/form-data");
    let content = html! {
        (head(entry))
        @if let Some(error) = refused {
            (form::summary(&described.fields, refusals, error.message()))
            @let advice = refusal::advice(error);
            @if !advice.is_empty() { p { (advice) } }
        }
        div.two {
            form.panel.pad method="post" enctype=[multipart]
                action=(page.at(&format!("/do/{}", page.side.short(entry)))) {
                input type="hidden" name="form_token"
                    value=(page.desk.form_token(&page.who).expose());
                input type="hidden" name="idempotency_key" value=(key);
                input type="hidden" name="as" value=(session::mark_of(page.desk, &page.who));
                (form::fields(&described.fields, &filled))
                @if described.has_file {
                    div.field {
                        label for="f-content" { "File" }
                        input id="f-content" type="file" name="content" required;
                    }
                }
                div.acts {
                    button.pri { (verb(entry)) }
                    a.btn href=(page.at("/all")) { "Cancel" }
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

fn framed(page: &Page<'_>, entry: &Entry, content: Markup, status: u16) -> Shown {
    let mut shown = Shown::new(title(entry), content).below(page.at("/all"), "All operations");
    shown.status = status;
    shown
}

fn title(entry: &Entry) -> String {
    words::word(entry.purpose)
}

fn verb(entry: &Entry) -> String {
    let (_, verb) = entry.name.rsplit_once('.').unwrap_or(("", entry.name));
    words::word(verb)
}

fn head(entry: &Entry) -> Markup {
    html! { div.head { div { h1 { (title(entry)) } p { (entry.section.name) } } } }
}

/// Who may, what can go wrong, and the same as a command.
fn about(page: &Page<'_>, entry: &Entry) -> Markup {
    let who = match (page.side.interface, entry.needs) {
        (_, Needs::Role(role)) => format!("Portal users ({role} or above)"),
        (_, Needs::Permission(permission)) => format!("Operators ({permission})"),
        _ => format!("{}s", page.side.kind),
    };
    html! {
        aside.stack aria-label="About this operation" {
            section.panel.pad {
                h2 { "Who may" }
                p { (who) @if entry.is_strict() { " · unknown fields are refused" } }
                @if !entry.errors.is_empty() {
                    details {
                        summary { "What can go wrong" }
                        ul {
                            @for code in entry.errors {
                                @let error = Error::from(*code);
                                li { b { (error.message()) } " "
                                    small.mono { (error.kind().status()) " " (error.code()) } }
                            }
                        }
                    }
                }
                details {
                    summary { "As a command" }
                    pre { "nil call " (entry.name) }
                }
            }
        }
    }
}
