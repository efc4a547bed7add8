//! The search of the audit trail.

use maud::{Markup, html};
use nil_core::Result;
use serde_json::Value;

use super::payments::owner;
use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{List, PLAIN, Seen, column, link};
use crate::console::texts::{key, say};
use crate::console::words;

static AUDIT: List = List {
    title: key!("nav-audit"),
    operation: "audit.list",
    // Another way to page, which the page does not need.
    usual: &[("before_id", "")],
    columns: &[
        column(key!("col-what"), "", |_, row| {
            html! {
                (words::deed(row))
                small.dim.mono { (row.text("operation")) }
                (change(row))
            }
        }),
        column(key!("col-who"), "", |seen, row| {
            html! {
                (owner(seen, row.text("actor"), ""))
                @if let Some(other) = row.part("on_behalf_of").as_str() {
                    small.dim { (say!("for-whom", name = words::word(other).replace(':', " "))) }
                }
            }
        }),
        column(key!("o-record"), "p2", record),
        column(key!("col-when"), "w", |seen, row| {
            html! { @if let Some(at) = row.moment("at") {
                (words::moment(at, seen.page.person.zone))
            } }
        })
        .sorted("created_at"),
        column(key!("col-address"), "p3", |_, row| {
            html! {
                span.mono { (row.text("address")) }
                small.dim.mono { (row.text("request_id")) }
            }
        }),
    ],
    says: |_| {
        html! {
            (say!("audit-about"))
        }
    },
    links: &[link("export.request", "/reports?kind=audit", key!("export-as-a-report"))],
    ..PLAIN
};

/// What was changed, folded away.
fn change(row: &Value) -> Markup {
    let sides =
        [(say!("before-change"), row.part("before")), (say!("after-change"), row.part("after"))];
    html! {
        @if sides.iter().any(|(_, value)| !value.is_null()) {
            details {
                summary { (say!("change")) span.vh { " " (say!("of-entry", id = row.number("id").to_string())) } }
                @for (title, value) in sides {
                    @if !value.is_null() {
                        small.dim { (title) }
                        pre { (serde_json::to_string_pretty(value).unwrap_or_default()) }
                    }
                }
            }
        }
    }
}

/// The record, with a link to all entries about it.
fn record(seen: &Seen<'_>, row: &Value) -> Markup {
    let (kind, id) = (row.text("subject_kind"), row.number("subject_id"));
    let view = seen.page.query.without(&["page", "after"]);
    let view = view.with("subject_kind", Some(kind)).with("subject_id", Some(&id.to_string()));
    html! { a href=(seen.page.here(&view)) { (words::word(kind)) " " (id) } }
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(AUDIT.get(page).await?.into())
}
