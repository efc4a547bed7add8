//! The filters above a list: a few in a row, the others unfold.

use maud::{Markup, html};

use crate::console::call::Page;
use crate::console::describe::{self, Described, Field};
use crate::console::form::{self, Filled, Refusals};
use crate::console::picks::Picks;
use crate::console::table::PAGING;
use crate::console::texts::say;

/// The filters that stand in the row above a table.
const IN_ROW: usize = 4;

/// The filters of a list.
pub(super) fn show(page: &Page<'_>, described: &Described, picks: &Picks) -> Markup {
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
    shown(page, &row, &more, (picks, &say!("filter-the-list")))
}

/// The filters of a list with these in the row.
pub(super) fn with_row(
    page: &Page<'_>,
    fields: &[Field],
    row: &[&str],
    (picks, about): (&Picks, &str),
) -> Markup {
    let is_filter = |field: &&Field| !PAGING.contains(&&*field.name) && field.name != "sort";
    let in_row = row.iter().filter_map(|name| fields.iter().find(|field| field.name == *name));
    let more = fields.iter().filter(is_filter).filter(|field| !row.contains(&&*field.name));
    shown(page, &in_row.collect::<Vec<_>>(), &more.collect::<Vec<_>>(), (picks, about))
}

fn shown(
    page: &Page<'_>,
    row: &[&Field],
    more: &[&Field],
    (picks, about): (&Picks, &str),
) -> Markup {
    let none = Refusals::new();
    let filled = Filled {
        values: &page.query,
        refusals: &none,
        picks,
        zone: page.person.zone,
        filters: true,
    };
    let is_open = more.iter().any(|field| form::is_open(&field.name, &filled));
    html! {
        @if !row.is_empty() {
            details.filt {
                summary.btn { (say!("filters")) }
                form.filters method="get" role="search" aria-label=(about) autocomplete="off" {
                    (carried(page, row))
                    @for field in row { (form::in_row(field, &filled)) }
                    button { (say!("apply")) }
                }
            }
        }
        @if !more.is_empty() {
            details.more open[is_open] {
                summary { (say!("more-filters", count = more.len())) }
                form.panel.pad.half method="get" autocomplete="off" {
                    (carried(page, more))
                    @for field in more { (form::one(field, &field.name, false, &filled)) }
                    div.acts { button.pri { (say!("apply")) } }
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
