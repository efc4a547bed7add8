//! Values of answers as people read them: in the cells of tables and in lists of facts.

use chrono_tz::Tz;
use maud::{Markup, html};
use nil_core::kernel::Time;
use serde_json::Value;

use super::call::Page;
use super::describe::{Field, Kind};
use super::part::Part as _;
use super::texts::say;
use super::words;

/// What stands where there is no value.
const NOTHING: &str = "\u{2013}";
/// The most values of a list that a cell names.
const NAMED: usize = 4;

/// A value in the words of its field.
pub(super) fn cell(kind: &Kind, name: &str, value: &Value, zone: Tz) -> Markup {
    match (kind, value) {
        (_, Value::Null) => html! { (NOTHING) },
        (Kind::Cents, value) if value.is_i64() => {
            html! { (words::money(value.as_i64().unwrap_or_default())) }
        }
        (Kind::Rate, value) if value.is_i64() => {
            html! { (words::rate(value.as_i64().unwrap_or_default())) }
        }
        (_, Value::Bool(truth)) => html! { @if *truth { (say!("yes")) } @else { (say!("no")) } },
        (Kind::Day, Value::String(text)) => {
            text.parse().map_or_else(|_| html! { (text) }, words::day)
        }
        (Kind::Moment, Value::String(text)) => {
            let at = text.parse::<Time>();
            at.map_or_else(|_| html! { (text) }, |at| words::moment(at, zone))
        }
        (Kind::Choice(_), Value::String(text)) if is_state(name) => words::chip(text),
        (Kind::Choice(_), Value::String(text)) => html! { (words::word(text)) },
        (Kind::Text { .. }, Value::String(text)) if text.is_empty() => html! { (NOTHING) },
        (_, Value::String(text)) => html! { (text) },
        (Kind::Whole { .. }, value) if value.is_i64() && !name.ends_with("year") => {
            html! { (words::number(value.as_i64().unwrap_or_default())) }
        }
        (_, Value::Number(number)) => html! { (number.to_string()) },
        (Kind::Several(one), Value::Array(all)) => several(one, name, all, zone),
        (_, Value::Array(all)) => html! { (all.len()) },
        (_, Value::Object(_)) => html! { (label_of(value).unwrap_or(NOTHING)) },
    }
}

fn several(one: &Kind, name: &str, all: &[Value], zone: Tz) -> Markup {
    if all.is_empty() {
        return html! { (NOTHING) };
    }
    html! {
        @for (at, value) in all.iter().take(NAMED).enumerate() {
            @if at > 0 { ", " }
            (cell(one, name, value, zone))
        }
        @if all.len() > NAMED { " " (say!("and-more", count = all.len() - NAMED)) }
    }
}

/// The text by which people know a record.
pub(super) fn label_of(record: &Value) -> Option<&str> {
    let names = ["name", "title", "label", "full_name", "subject", "email", "number", "reference"];
    names.iter().find_map(|name| record.get(name)?.as_str()).filter(|text| !text.is_empty())
}

fn is_state(name: &str) -> bool {
    matches!(name, "status" | "state" | "result" | "outcome") || name.ends_with("_status")
}

/// A record as a list of facts; what is nested stands in lists of its own.
pub(super) fn facts(fields: &[Field], record: &Value, zone: Tz) -> Markup {
    let known = |field: &&Field| record.get(&field.name).is_some();
    let single = fields.iter().filter(|field| field.is_single()).filter(known);
    html! {
        dl.facts {
            @for field in single {
                dt { (field.label()) }
                dd { (cell(&field.kind, &field.name, record.part(&field.name), zone)) }
            }
        }
        @for field in fields.iter().filter(|field| !field.is_single()).filter(known) {
            @let value = record.part(&field.name);
            @match (&field.kind, value) {
                (_, Value::Null) => {}
                (Kind::Group(inner), Value::Object(_)) => {
                    h3 { (field.label()) }
                    (facts(inner, value, zone))
                }
                (Kind::Groups(_), Value::Array(all)) if all.is_empty() => {}
                (Kind::Groups(inner), Value::Array(all)) => {
                    details.more {
                        summary { (field.label()) " (" (all.len()) ")" }
                        @for item in all { (facts(inner, item, zone)) }
                    }
                }
                (_, Value::Object(inner)) if inner.is_empty() => {}
                (_, Value::Array(inner)) if inner.is_empty() => {}
                (_, value) => {
                    details.more {
                        summary { (field.label()) }
                        pre { (serde_json::to_string_pretty(value).unwrap_or_default()) }
                    }
                }
            }
        }
    }
}

/// An amount of a row; empty without one.
pub(super) fn cents(row: &Value, name: &str) -> Markup {
    html! { @if let Some(cents) = row.part(name).as_i64() { (words::money(cents)) } }
}

/// A day of a row; empty without one.
pub(super) fn day(row: &Value, name: &str) -> Markup {
    html! { @if let Some(day) = row.day(name) { (words::day(day)) } }
}

/// An instant of a row in the zone of the page; empty without one.
pub(super) fn moment(page: &Page<'_>, row: &Value, name: &str) -> Markup {
    html! { @if let Some(at) = row.moment(name) { (words::moment(at, page.person.zone)) } }
}

/// A figure above a page: its name, its number, and what puts it in proportion.
pub(super) fn figure(name: &str, number: &str, beside: &str) -> Markup {
    html! { div { dt { (name) } dd { (number) @if !beside.is_empty() { small.dim { (beside) } } } } }
}
