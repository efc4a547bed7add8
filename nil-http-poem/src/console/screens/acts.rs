//! What can be done with a record, as a menu of links. Each act has a page of its own, which tells
//! what happens. The catalog says what it is and in which states it is possible.

use maud::{Markup, html};
use nil_core::catalog::{Entry, RECORDS, RecordList, catalog};
use serde_json::Value;

use crate::console::call::Page;
use crate::console::describe::{Field, Kind};
use crate::console::icons;
use crate::console::part::Part as _;
use crate::console::table::name_of;
use crate::console::texts::{self, say};

/// The acts that have a designed page, with its address.
const DESIGNED: [(&str, &str); 4] = [
    ("dispute.accept", "/disputes/{id}#accept"),
    ("dispute.answer", "/disputes/{id}#answer"),
    ("payment.refund", "/payments/{id}/refund"),
    ("processor_difference.settle", "/differences/{id}#settle"),
];

/// The words of an act in a menu, where they are shorter than its title.
fn short_words(needs: &str) -> Option<String> {
    Some(match needs {
        "athlete.send_verification" => say!("send-the-verification-again"),
        "payment.refund" => say!("refund"),
        "tax.set_withholding" => say!("backup-withholding"),
        "user.close" => say!("close-and-erase"),
        _ => return None,
    })
}

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
            let words = short_words(short).unwrap_or_else(|| texts::title(entry).into_owned());
            Some(Act { needs: short, path, words, is_dangerous: entry.confirm.is_some() })
        };
        catalog().of(page.side.interface).filter_map(of_entry).collect()
    }
}

/// What can be done with the record of this kind that a row tells about, but for what stands
/// elsewhere on the page.
pub(super) fn of_record(page: &Page<'_>, kind: &str, row: &Value, elsewhere: &[&str]) -> Vec<Act> {
    let record = Record::of(kind, "id", row);
    let acts = record.into_iter().flat_map(|record| record.acts(page, None));
    acts.filter(|act| !elsewhere.contains(&act.needs)).collect()
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
    let known = |row: &&RecordList| row.list == entry.name || row.shown_by == Some(entry.name);
    for row in RECORDS.iter().filter(known) {
        let id = if row.list == entry.name { row.id } else { "id" };
        if !all.iter().any(|(kind, _)| kind == row.kind) {
            all.push((row.kind.to_owned(), id));
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
