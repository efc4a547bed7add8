//! What can be done with a record, as a menu of links. Each act has a page of its own, which tells
//! what happens. The catalog says what it is and in which states it is possible.

use maud::{Markup, html};
use nil_core::catalog::{Entry, RECORDS, catalog};
use serde_json::Value;

use crate::console::call::Page;
use crate::console::describe::{Field, Kind};
use crate::console::icons;
use crate::console::part::Part as _;
use crate::console::table::name_of;
use crate::console::texts::{self, say};

/// The acts that have a designed page, with its address.
const DESIGNED: [(&str, &str); 1] = [("payment.refund", "/payments/{id}/refund")];

/// Something that can be done with a record.
pub(super) struct Act {
    pub needs: &'static str,
    pub path: String,
    pub words: String,
    is_dangerous: bool,
}

pub(super) fn act(needs: &'static str, path: String, words: impl Into<String>) -> Act {
    Act { needs, path, words: words.into(), is_dangerous: false }
}

/// A record that a row or a page tells about.
#[derive(Clone, Copy)]
pub(super) struct Record<'r> {
    /// Its kind, as the catalog names it.
    pub kind: &'r str,
    pub id: i64,
    /// None if it is not told: the operation decides then.
    pub state: Option<&'r str>,
}

impl<'r> Record<'r> {
    /// The record of this kind that a row tells about.
    pub(super) fn of(kind: &'r str, id: &str, row: &'r Value) -> Option<Self> {
        Some(Self { kind, id: row.part(id).as_i64()?, state: row.part("status").as_str() })
    }

    /// What can be done with it in its state by whoever is signed in; `list` is where it was found.
    pub(super) fn acts(self, page: &Page<'_>, list: Option<&str>) -> Vec<Act> {
        let of_entry = |entry: &'static Entry| {
            let on = entry.acts.iter().find(|on| on.record == self.kind)?;
            let is_here = on.list.is_none() || list.is_none() || on.list == list;
            let is_possible = is_here && on.possible_in(self.state);
            let short = page.side.short(entry);
            page.allowed(short).filter(|_| is_possible)?;
            let designed = DESIGNED.iter().find(|(needs, _)| *needs == short);
            let path = match designed {
                Some((_, path)) => path.replace("{id}", &self.id.to_string()),
                None => format!("/op/{short}?{}={}", on.field, self.id),
            };
            let is_dangerous = entry.confirm.is_some();
            Some(Act { needs: short, path, words: texts::title(entry).into_owned(), is_dangerous })
        };
        catalog().of(page.side.interface).filter_map(of_entry).collect()
    }
}

/// Whether an operation is open to whoever is signed in and possible with a record in this state.
pub(super) fn is_possible(page: &Page<'_>, operation: &str, state: &str) -> bool {
    let entry = page.allowed(operation);
    entry.is_some_and(|entry| entry.acts.iter().any(|on| on.possible_in(Some(state))))
}

/// The records that an operation's answer or the rows of its list tell about: each with its kind
/// and the field that has its number.
pub(super) fn told_by(entry: &Entry, fields: &[Field]) -> Vec<(String, &'static str)> {
    let own = fields.iter().find(|field| field.name == "id").and_then(|field| match &field.kind {
        Kind::Record(kind) => Some((kind.clone(), "id")),
        _ => None,
    });
    let mut all: Vec<_> = own.into_iter().collect();
    for listed in RECORDS.iter().filter(|row| row.list == entry.name) {
        if !all.iter().any(|(kind, _)| kind == listed.kind) {
            all.push((listed.kind.to_owned(), listed.id));
        }
    }
    all
}

/// What can be done with the records that a row tells about.
pub(super) fn of_row(
    page: &Page<'_>,
    list: &str,
    kinds: &[(String, &'static str)],
    row: &Value,
) -> Markup {
    let records = kinds.iter().filter_map(|(kind, id)| Record::of(kind, id, row));
    let acts: Vec<Act> = records.flat_map(|record| record.acts(page, Some(list))).collect();
    menu(page, &acts, icons::MORE, &name_of(row))
}

/// Whether anything can be done with records of these kinds by whoever is signed in.
pub(super) fn are_there(page: &Page<'_>, kinds: &[(String, &'static str)]) -> bool {
    let any =
        |(kind, _): &(String, _)| !Record { kind, id: 0, state: None }.acts(page, None).is_empty();
    kinds.iter().any(any)
}

/// A menu of what can be done; nothing if nothing of it is allowed.
pub(super) fn menu(page: &Page<'_>, acts: &[Act], icon: icons::Icon, name: &str) -> Markup {
    let allowed = || acts.iter().filter(|act| page.allowed(act.needs).is_some());
    html! {
        @if allowed().next().is_some() {
            details.menu {
                summary.btn.quiet.small { (icon.show()) span.vh { (say!("actions-for", name = name)) } }
                div { @for act in allowed() {
                    a class=[act.is_dangerous.then_some("danger")] href=(page.at(&act.path)) {
                        (act.words)
                    }
                } }
            }
        }
    }
}

/// What an operation does and what stays, told before it is done; nothing if it is harmless.
pub(super) fn warning(entry: &Entry) -> Markup {
    html! { @if let Some([happens, stays]) = texts::confirm(entry) {
        section.note.warn {
            h2 { (happens) }
            p { (stays) }
        }
    } }
}
