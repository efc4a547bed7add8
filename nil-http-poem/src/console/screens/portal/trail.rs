//! What the institution's people read and changed.

use maud::{Markup, html};
use nil_core::Result;
use serde_json::Value;

use crate::console::call::Page;
use crate::console::cells::moment;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{List, PLAIN, Seen, column, lead};
use crate::console::texts::{key, say};
use crate::console::words;

/// The most letters of a value that changed.
const LONGEST: usize = 160;

static LIST: List = List {
    operation: "audit.list",
    title: key!("nav-trail"),
    about: key!("trail-about"),
    row: &["portal_user_id", "action", "subject_kind", "from", "to"],
    columns: &[
        column(key!("col-when"), "w", |Seen { page, .. }, row| moment(page, row, "at")),
        column(key!("col-who"), "", |_, row| {
            let name = row.part("name").as_str();
            html! { @match name {
                Some(name) => (name),
                None => (words::word(&row.text("actor").replace(':', " "))),
            } }
        }),
        lead(key!("col-what"), |_, row| what(row)),
        column(key!("col-about"), "p2", |Seen { page, .. }, row| about(page, row)),
        column(key!("col-address"), "p3 mono", |_, row| html! { (row.text("address")) }),
    ],
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.get(page).await?.into())
}

/// The page of a record.
fn address(page: &Page<'_>, kind: &str, id: &Value) -> Option<String> {
    let path = match kind {
        "athlete" => "athletes",
        "disclosed_job" => "deals",
        "clearance" => "clearances",
        "athlete_agent_disclosure" => "filings",
        _ => return None,
    };
    Some(page.at(&format!("/{path}/{id}")))
}

fn about(page: &Page<'_>, row: &Value) -> Markup {
    let (kind, id) = (row.text("subject_kind"), row.part("subject_id"));
    let name = match kind {
        "disclosed_job" => say!("disclosed-deal"),
        "clearance" => say!("packet"),
        "athlete_agent_disclosure" => say!("agent-filing"),
        kind => words::word(kind),
    };
    html! {
        @match address(page, kind, id) {
            Some(address) => a href=(address) { (name) " " (id) },
            None => { (name) " " (id) }
        }
    }
}

/// A value that changed, as short text.
fn value(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn what(row: &Value) -> Markup {
    let after = row.part("after").as_object();
    let fields = after.map_or(0, serde_json::Map::len);
    let title = say!("fields", count = fields);
    html! {
        (words::deed(row))
        @if let Some(after) = after.filter(|after| !after.is_empty()) {
            details.diff {
                summary { (title) }
                dl.facts { @for (name, new) in after {
                    dt { (words::field_label(name)) }
                    dd {
                        @let old = row.part("before").part(name);
                        @if !old.is_null() { del { (value(old)) } " " }
                        ins { (value(new)) }
                    }
                } }
            }
        }
    }
}
