//! The page of any operation: a list is a table, a record is facts, a save is a form, a file is a
//! form that downloads. Every operation of both sides has one, whether it stands on a designed
//! screen or not.

use futures::future::join;
use maud::{Markup, html};
use nil_core::catalog::{Entry, Interface, Needs};
use nil_core::error::{Kind as Refused, codes};
use nil_core::operation::Body;
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use super::{Outcome, acts, filters, forms};
use crate::console::call::{Page, Shown, value};
use crate::console::cells::facts;
use crate::console::describe::{self, Answer, Described, Field, Kind};
use crate::console::form::{self, Filled, Refusals};
use crate::console::part::Part as _;
use crate::console::picks::{self, Picks};
use crate::console::query::Query;
use crate::console::side::reads;
use crate::console::table::{Menu, Table, chips, name_of};
use crate::console::texts::{self, say};
use crate::console::{frame, reading, views, words};

/// The operation of a short name, or 404; 403 with who may.
pub(super) fn find(page: &Page<'_>, short: &str) -> Result<&'static Entry> {
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
        return Ok(forms::show(page, entry, described, &typed, None).await.into());
    }
    let asked = picks::resolved(page, &described.fields, &page.query).await;
    let refusals = match reading::read(&described.fields, &asked, page.person.zone) {
        Ok(_) if matches!(described.answer, Answer::File) => {
            return Ok(file_page(page, entry, described).await.into());
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
            div { (asking(page, described, &refusals).await) }
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
    let shower = shower(page, entry);
    let shows = shower.and_then(|(short, field)| {
        Some((page.allowed(&short).filter(|shows| reads(shows))?, field))
    });
    let record = match shows {
        Some((shows, field)) => {
            let id = page.query.get(&field).or(page.query.get("id"));
            let Some(Ok(id)) = id.map(str::parse::<i64>) else { return Ok(None) };
            let asked = Map::from_iter([(field, Value::from(id))]);
            Some(value(page.perform(shows, asked, None).await?)?)
        }
        None => listed(page, described).await?,
    };
    let Some(record) = record else { return Ok(None) };
    let mut filled = reading::filled(&described.fields, data_of(&record), page.person.zone);
    for (name, value) in &page.query.0 {
        filled = filled.with(name, Some(value));
    }
    Ok(Some(filled))
}

/// A record that people edit and that no operation shows by itself: the row of its list.
async fn listed(page: &Page<'_>, described: &Described) -> Result<Option<Value>> {
    if !described.fields.iter().any(|field| matches!(field.kind, Kind::Revision)) {
        return Ok(None);
    }
    let kind = described.fields.iter().find_map(|field| match &field.kind {
        Kind::Record(kind) if field.name == "id" => Some(kind),
        _ => None,
    });
    let id = page.query.get("id").and_then(|id| id.parse::<i64>().ok());
    let Some((kind, id)) = kind.zip(id) else { return Ok(None) };
    picks::row(page, kind, id).await
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
    let picks = async {
        match described.answer {
            Answer::List(_) => picks::of(page, &described.fields).await,
            _ => Picks::default(),
        }
    };
    let (reply, picks) = join(page.perform(entry, fields, None), picks).await;
    let reply = match reply {
        Ok(reply) => reply,
        Err(error) if error.kind() == Refused::Invalid => {
            let content = html! {
                (head(entry))
                (form::summary(&described.fields, error.fields(), &texts::message(&error)))
                (asking(page, described, error.fields()).await)
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
        Answer::List(columns) => list(page, entry, described, (columns, &picks), &answer),
        Answer::Record(shown) => html! {
            (head(entry))
            div.two {
                div.stack {
                    @if !described.fields.is_empty() {
                        details.more open[page.query.0.is_empty()] {
                            summary { (say!("what-is-shown")) }
                            (asking(page, described, &Refusals::new()).await)
                        }
                    }
                    (record(page, entry, shown, data_of(&answer)))
                }
                (about(page, entry))
            }
        },
        Answer::File => html! { (head(entry)) },
    };
    Ok(framed(page, entry, content, 200).into())
}

/// What an answer is about: its `data`, or all of it where the specification has no envelope.
pub(super) fn data_of(answer: &Value) -> &Value {
    answer.get("data").unwrap_or(answer)
}

pub(super) fn record(page: &Page<'_>, entry: &Entry, fields: &[Field], data: &Value) -> Markup {
    let name = name_of(data);
    let kinds = acts::told_by(entry, fields);
    html! {
        section.panel.pad aria-label=(say!("answer")) {
            div.row {
                h2 { @if name.is_empty() { (say!("answer")) } @else { (name) } }
                (acts::of_row(page, entry.name, &kinds, data))
            }
            @if data.is_object() && !fields.is_empty() {
                (facts(fields, data, page.person.zone))
            } @else if data.is_null() {
                p { (say!("nothing-to-show")) }
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
    (columns, picks): (&[Field], &Picks),
    answer: &Value,
) -> Markup {
    let shower = shower(page, entry);
    let link = |row: &Value| {
        let (short, field) = shower.as_ref()?;
        let id = row.part("id").as_i64()?;
        Some(page.at(&format!("/op/{short}?{field}={id}")))
    };
    let kinds = acts::told_by(entry, columns);
    let menu = |row: &Value| acts::of_row(page, entry.name, &kinds, row);
    let menu: Option<Menu<'_>> = if acts::are_there(page, &kinds) { Some(&menu) } else { None };
    let table = Table { caption: &texts::title(entry), fields: columns, link: Some(&link), menu };
    html! {
        (head(entry))
        (views::show(page))
        (filters::show(page, described, picks))
        (chips(page, &described.fields, picks))
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

/// The form that asks what to show.
async fn asking(page: &Page<'_>, described: &Described, refusals: &Refusals) -> Markup {
    let picks = &picks::of(page, &described.fields).await;
    let zone = page.person.zone;
    let filled = Filled { values: &page.query, refusals, picks, zone, filters: false };
    html! {
        form.panel.pad method="get" {
            (form::fields(&described.fields, &filled))
            div.acts { button.pri { (say!("show")) } }
        }
    }
}

/// The page of an operation that gives a file.
async fn file_page(page: &Page<'_>, entry: &'static Entry, described: &Described) -> Shown {
    let (none, picks) = (Refusals::new(), &picks::of(page, &described.fields).await);
    let zone = page.person.zone;
    let filled = Filled { values: &page.query, refusals: &none, picks, zone, filters: false };
    let content = html! {
        (head(entry))
        div.two {
            form.panel.pad method="get" action=(page.at(&format!("/file/{}", page.side.short(entry)))) {
                (form::fields(&described.fields, &filled))
                div.acts { button.pri { (say!("download")) } }
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
        .map_err(|refusals| reading::invalid(&refusals))?;
    let reply = page.perform(entry, fields, None).await?;
    Ok(Outcome::Response(match reply.body {
        Body::Redirect(address) => frame::see_other(&address),
        _ => page.desk.response(reply),
    }))
}

pub(super) fn framed(page: &Page<'_>, entry: &Entry, content: Markup, status: u16) -> Shown {
    let section = texts::of_catalog("section", entry.section.name, entry.section.name);
    let mut shown = Shown::new(texts::title(entry), content).below(page.at("/all"), section);
    shown.status = status;
    shown
}

pub(super) fn head(entry: &Entry) -> Markup {
    let purpose = words::plain_word(entry.purpose);
    let purpose = (purpose != entry.title)
        .then(|| texts::of_catalog("purpose", entry.name, &purpose).into_owned());
    html! { div.head { div {
        h1 { (texts::title(entry)) }
        @if let Some(purpose) = purpose { p { (purpose) "." } }
    } } }
}

/// Who may, what can go wrong, and the same as a command.
pub(super) fn about(page: &Page<'_>, entry: &Entry) -> Markup {
    let who = match (page.side.interface, entry.needs) {
        (_, Needs::Role(role)) => say!("who-role", role = role.to_string()),
        (_, Needs::Permission(permission)) => {
            say!("who-permission", permission = permission.to_string())
        }
        (Interface::Compliance, _) => say!("who-portal"),
        _ => say!("who-operators"),
    };
    html! {
        aside.stack aria-label=(say!("about-operation")) {
            section.panel.pad {
                h2 { (say!("who-may")) }
                p { (who) @if entry.is_strict() { " · " (say!("strict")) } }
                @if !entry.errors.is_empty() {
                    details {
                        summary { (say!("what-can-go-wrong")) }
                        ul {
                            @for code in entry.errors {
                                @let error = Error::from(*code);
                                li { b { (texts::message(&error)) } " "
                                    small.mono { (error.kind().status()) " " (error.code()) } }
                            }
                        }
                    }
                }
                details {
                    summary { (say!("as-a-command")) }
                    pre { "nil call " (entry.name) }
                }
            }
        }
    }
}
