//! What was done with a record, newest first, as the page of that record shows it.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::table::rows_of;
use crate::console::texts::say;
use crate::console::words;

/// The most entries that a page shows.
const SHOWN: usize = 12;

/// The entries of a record in the audit trail; none for whoever may not read it.
pub(super) async fn of(page: &Page<'_>, kind: &str) -> Option<Value> {
    let asked = json!({ "subject_kind": kind, "subject_id": page.id(), "per_page": SHOWN });
    page.part("audit.list", asked.as_object().cloned().unwrap_or_default()).await
}

/// The entries that `of` has read, with a link to all of them.
pub(super) fn panel(page: &Page<'_>, kind: &str, answer: &Value) -> Markup {
    let all = format!("/audit?subject_kind={kind}&subject_id={}", page.id());
    html! {
        section.panel.pad {
            h2 { (say!("history")) }
            (lines(page, rows_of(answer).iter(), done))
            p { a href=(page.at(&all)) { (say!("all-entries")) } }
        }
    }
}

/// What an entry tells on the page of its record. What the platform did by itself is its action
/// alone: it stands under the operation that could have led there.
fn done(entry: &Value) -> String {
    match entry.text("actor") {
        "platform" => words::word(entry.text("action")),
        _ => words::deed(entry),
    }
}

/// The newest of these entries, each as `told` tells it.
pub(super) fn lines<'e>(
    page: &Page<'_>,
    entries: impl Iterator<Item = &'e Value>,
    told: fn(&Value) -> String,
) -> Markup {
    let entries: Vec<&Value> = entries.take(SHOWN).collect();
    html! {
        @if entries.is_empty() { p.dim { (say!("nothing-is-on-record")) } }
        ol.line { @for entry in entries {
            li.done {
                (told(entry))
                small {
                    (say!("by-whom", name = words::word(entry.text("actor")).replace(':', " ")))
                    @if let Some(at) = entry.moment("at") {
                        ", " (words::moment(at, page.person.zone))
                    }
                }
            }
        } }
    }
}
