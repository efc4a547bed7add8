//! One difference from the processor's statement, and the note that settles it.

use futures::future::join;
use maud::{Markup, html};
use nil_core::{Error, Result};
use serde_json::Value;

use super::differences::{About, about, amount, record};
use super::history;
use crate::console::call::{Page, Shown, one};
use crate::console::form as forms;
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::acts::is_possible;
use crate::console::screens::deciding::Reason;
use crate::console::screens::{Form, Outcome};
use crate::console::texts::{self, key, say, tell};
use crate::console::{refusal, words};

const KIND: &str = "processor_difference";
const SETTLE: &str = "processor_difference.settle";

const NOTE: Reason<'_> = Reason {
    name: "note",
    label: key!("note-button"),
    hint: key!("what-was-found-out-and-done"),
    most: 2_000,
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let (answer, trail) =
        join(page.read("processor_difference.view", one("id", page.id())), history::of(page, KIND))
            .await;
    let answer = answer?;
    let difference = answer.part("data");
    let About { what, look } = about(difference.text("kind"));
    let content = html! {
        div.head { div {
            h1 { (what) }
            p { (difference.text("detail")) " " (words::chip(difference.text("status"))) }
        } }
        @if let Some(error) = refused {
            (forms::summary(page.fields(SETTLE), error.fields(), &texts::message(error)))
            @let advice = refusal::advice(error);
            @if !advice.is_empty() { p { (advice) } }
        }
        section.note.warn[difference.text("status") == "open"] {
            h2 { (say!("what-to-look-for")) }
            p { (look) }
        }
        div.two {
            div { (facts(page, difference)) }
            div.stack {
                (settling(page, difference, typed))
                @if let Some(trail) = &trail { (history::panel(page, KIND, trail)) }
            }
        }
    };
    let mut shown = Shown::new(what.clone(), content)
        .below(page.at("/differences"), say!("differences-from-the-statement"));
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn facts(page: &Page<'_>, difference: &Value) -> Markup {
    let zone = page.person.zone;
    html! {
        section.panel {
            header { h2 id="f" { (say!("both-sides")) } }
            div.scroll role="region" aria-labelledby="f" tabindex="0" { table {
                thead { tr {
                    th scope="col" { (say!("o-record")) }
                    th.n scope="col" { (say!("ours")) }
                    th.n scope="col" { (say!("theirs")) }
                    th.n.p2 scope="col" { (say!("difference")) }
                } }
                tbody { tr {
                    th scope="row" { (record(page, difference)) }
                    td.n { (amount(difference, "ours_cents")) }
                    td.n { (amount(difference, "theirs_cents")) }
                    td.n.p2 { (words::money(between(difference))) }
                } }
            } }
        }
        section.panel.pad {
            h2 { (say!("facts")) }
            dl.facts {
                @for (title, name) in [
                    (say!("moved-or-requested"), "at"),
                    (say!("first-found"), "found_at"),
                    (say!("last-found"), "last_found_at"),
                    (say!("gone-since"), "gone_at"),
                    (say!("settled"), "settled_at"),
                ] {
                    @if let Some(at) = difference.moment(name) { dt { (title) } dd { (words::moment(at, zone)) } }
                }
                @for (title, name) in [
                    (say!("line-of-the-statement"), "line_id"),
                    (say!("reference-of-the-processor"), "source"),
                    (say!("key-of-the-request"), "key"),
                ] {
                    @if let Some(text) = difference.part(name).as_str() { dt { (title) } dd.mono { (text) } }
                }
            }
            @if let Some(note) = difference.part("note").as_str() {
                h3 { (say!("note-button")) }
                p { (note) }
                p.dim { (say!("by-whom", name = words::word(difference.text("settled_by")).replace(':', " "))) }
            }
        }
    }
}

/// By how much their side is above ours.
fn between(difference: &Value) -> i64 {
    difference.number("theirs_cents") - difference.number("ours_cents")
}

fn settling(page: &Page<'_>, difference: &Value, typed: &Query) -> Markup {
    if !is_possible(page, SETTLE, difference.text("status")) {
        return html! {};
    }
    let since = difference.moment("found_at").map(|at| words::span(page.desk.now() - at));
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="settle" {
            h2 id="settle" { (say!("settle-it")) }
            (page.hidden())
            @if let Some(since) = since { p { (tell!("open-for", span = since)) } }
            p { (say!("settling-moves-no-money")) }
            (NOTE.show(typed))
            div.acts { button.pri { (say!("settle-it")) } }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let mut input = one("id", page.id());
    input.insert("note".into(), sent.get("note").unwrap_or_default().into());
    match page.write(SETTLE, input, &sent).await {
        Ok(_) => Ok(Outcome::to(&page.at(page.path))),
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}
