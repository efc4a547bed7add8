//! Lists as tables: columns with a rank, filters in force as chips, pages.

use maud::{Markup, html};
use serde_json::Value;

use super::call::Page;
use super::cells::{cell, label_of};
use super::describe::{Field, Kind};
use super::icons;
use super::part::Part as _;
use super::picks::Picks;
use super::query::Query;
use super::texts::say;
use super::words;

/// How many columns a table has unless the address says which: the first ones of its row in the
/// catalog.
const USUAL: usize = 6;
/// Finds the address of a record's page.
pub(super) type Link<'t> = &'t (dyn Fn(&Value) -> Option<String> + Sync);

/// Shows what can be done with a record.
pub(super) type Menu<'t> = &'t (dyn Fn(&Value) -> Markup + Sync);

/// A list's table.
pub(super) struct Table<'t> {
    pub caption: &'t str,
    pub fields: &'t [Field],
    /// The address of a record's page; none if it has none.
    pub link: Option<Link<'t>>,
    /// What can be done with a record; none if nothing can be done with any.
    pub menu: Option<Menu<'t>>,
}

impl Table<'_> {
    /// The columns that the address asks for, or the usual ones.
    fn columns<'f>(ranked: &[&'f Field], query: &Query) -> Vec<&'f Field> {
        let wanted: Vec<&str> = query.all("cols").flat_map(|names| names.split(',')).collect();
        let lead = ranked.first().copied();
        let chosen = |(at, field): &(usize, &&'f Field)| {
            if wanted.is_empty() { *at < USUAL } else { wanted.contains(&&*field.name) }
        };
        let rest = ranked.iter().enumerate().skip(1).filter(chosen).map(|(_, field)| *field);
        lead.into_iter().chain(rest).collect()
    }

    /// The table of an answer, with what leads to its other pages.
    pub(super) fn show(&self, page: &Page<'_>, answer: &Value) -> Markup {
        let rows = rows_of(answer);
        let ranked: Vec<&Field> = self.fields.iter().filter(|field| field.is_single()).collect();
        let columns = Self::columns(&ranked, &page.query);
        html! {
            section.panel {
                header {
                    h2 id="cap" { (self.caption) }
                    @if ranked.len() > USUAL { div.row { (chooser(&ranked, &columns, page)) } }
                }
                @if rows.is_empty() {
                    (nothing(page))
                } @else {
                    div.scroll role="region" aria-labelledby="cap" tabindex="0" {
                        table data-keys {
                            thead { tr {
                                @for (at, field) in columns.iter().enumerate() {
                                    th scope="col" class=[class(at, field)] { (field.label()) }
                                }
                                @if self.menu.is_some() { td {} }
                            } }
                            tbody id="rows" { @for row in rows { (self.row(page, &columns, row)) } }
                        }
                    }
                }
                (foot(page, answer, rows.len()))
            }
        }
    }

    fn row(&self, page: &Page<'_>, columns: &[&Field], row: &Value) -> Markup {
        let address = self.link.and_then(|link| link(row));
        let zone = page.person.zone;
        html! { tr {
            @for (at, field) in columns.iter().enumerate() {
                @let shown = cell(&field.kind, &field.name, row.part(&field.name), zone);
                @if at == 0 {
                    th scope="row" {
                        @match &address {
                            Some(address) => a href=(address) { (shown) },
                            None => (shown),
                        }
                    }
                } @else {
                    td class=[class(at, field)] { (shown) }
                }
            }
            @if let Some(menu) = self.menu { td.c { (menu(row)) } }
        } }
    }
}

/// How many rows are shown, and what leads to the other pages.
pub(super) fn foot(page: &Page<'_>, answer: &Value, shown: usize) -> Markup {
    let query = page.query.without(&["page", "after"]);
    let pages = &answer.part("pagination");
    let next = match answer.part("next").as_str().filter(|next| !next.is_empty()) {
        Some(next) => Some(query.with("after", Some(next))),
        None => pages
            .part("page")
            .as_i64()
            .zip(pages.part("pages").as_i64())
            .filter(|(at, all)| at < all)
            .map(|(at, _)| query.with("page", Some(&(at + 1).to_string()))),
    };
    let first = page.query.get("after").is_some() || page.query.get("page").is_some();
    html! {
        footer {
            span {
                @match pages.part("total").as_i64() {
                    Some(total) => (say!("shown-of", shown = shown, total = total)),
                    None => (say!("shown", shown = shown)),
                }
            }
            span.pager {
                @if first { a.btn.small href=(page.here(&query)) { (say!("first-page")) } }
                @if let Some(next) = next {
                    a.btn.small rel="next" href=(page.here(&next)) {
                        (say!("next-page")) (icons::NEXT.show())
                    }
                }
            }
        }
    }
}

/// The head of a column: a link to the other order if the list can be sorted by it. `now` is the
/// order in force, the others are the words of the rising and the falling order.
pub(super) fn sort_head(
    page: &Page<'_>,
    (title, class): (&str, Option<&str>),
    now: &str,
    orders: Option<[&str; 2]>,
) -> Markup {
    let sorted = orders.and_then(|[rising, falling]| match now {
        now if now == rising => Some(("ascending", falling)),
        now if now == falling => Some(("descending", rising)),
        _ => None,
    });
    let next = sorted.map(|(_, next)| next).or(orders.map(|[_, falling]| falling));
    let query = page.query.without(&["page", "after"]);
    html! {
        th scope="col" class=[class] aria-sort=[sorted.map(|(way, _)| way)] {
            @match next {
                Some(next) => a href=(page.here(&query.with("sort", Some(next)))) { (title) },
                None => (title),
            }
        }
    }
}

/// A menu of files: the address of each, and its words. Nothing without any.
pub(super) fn downloads(files: &[(String, String)]) -> Markup {
    html! {
        @if !files.is_empty() {
            details.menu {
                summary.btn { (icons::DOWN.show()) (say!("export")) }
                div { @for (address, words) in files { a href=(address) { (words) } } }
            }
        }
    }
}

/// The rows of a list's answer.
pub(super) fn rows_of(answer: &Value) -> &[Value] {
    answer.part("data").as_array().map_or(&[], Vec::as_slice)
}

/// How a column stands, and on which widths it leaves.
fn class(at: usize, field: &Field) -> Option<String> {
    let mut names = Vec::new();
    if field.is_number() {
        names.push("n");
    }
    if matches!(field.kind, Kind::Day | Kind::Moment) {
        names.push("w");
    }
    match at {
        0 | 1 => {}
        2 | 3 => names.push("p2"),
        _ => names.push("p3"),
    }
    (!names.is_empty()).then(|| names.join(" "))
}

/// What stands in place of a table without rows.
pub(super) fn nothing(page: &Page<'_>) -> Markup {
    let narrowed = !page.query.without(&["cols", "per_page"]).0.is_empty();
    html! {
        div.empty {
            h2 { (say!("none")) }
            @if narrowed {
                p { (say!("nothing-matches")) }
                p { a.btn href=(page.here(&Query::default())) { (say!("remove-filters")) } }
            } @else {
                p { (say!("nothing-yet")) }
            }
        }
    }
}

/// The form that chooses columns.
fn chooser(ranked: &[&Field], columns: &[&Field], page: &Page<'_>) -> Markup {
    let is_shown = |field: &Field| columns.iter().any(|shown| shown.name == field.name);
    html! {
        details.menu {
            summary.btn.small { (icons::COLUMNS.show()) (say!("columns")) }
            form method="get" {
                @for (name, value) in &page.query.without(&["cols"]).0 {
                    input type="hidden" name=(name) value=(value);
                }
                @for field in ranked.iter().skip(1) {
                    label {
                        input type="checkbox" name="cols" value=(field.name)
                            checked[is_shown(field)];
                        (field.label())
                    }
                }
                button.small { (say!("show")) }
            }
        }
    }
}

/// The filters in force, each with a link that takes it away.
pub(super) fn chips(page: &Page<'_>, fields: &[Field], picks: &Picks) -> Markup {
    let known = |name: &str| fields.iter().find(|field| field.name == name);
    let set: Vec<_> = page
        .query
        .0
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .filter(|(name, _)| !PAGING.contains(&name.as_str()))
        .filter_map(|(name, value)| Some((known(name)?, name, value)))
        .collect();
    html! {
        @if !set.is_empty() {
            ul.chips {
                @for (field, name, value) in set {
                    @let rest = Query(page.query.0.iter()
                        .filter(|(n, v)| (n, v) != (name, value)).cloned().collect())
                        .without(&["page", "after"]);
                    li { a.chip href=(page.here(&rest)) {
                        (field.label()) ": " (said(field, value, picks)) " " span.vh { (say!("remove")) }
                        span aria-hidden="true" { "×" }
                    } }
                }
            }
        }
    }
}

/// The fields of a list's input that are not filters.
pub(super) const PAGING: [&str; 4] = ["page", "per_page", "after", "cols"];

fn said(field: &Field, value: &str, picks: &Picks) -> String {
    let one = match &field.kind {
        Kind::Several(one) => one,
        kind => kind,
    };
    if let Kind::Record(kind) = one {
        let names = value.split(',').map(|id| match id.parse() {
            Ok(number) => picks.name(kind, number).unwrap_or(id),
            Err(_) => id,
        });
        return names.collect::<Vec<_>>().join(", ");
    }
    let choice = matches!(one, Kind::Choice(_));
    match value {
        "true" => say!("yes-small"),
        "false" => say!("no-small"),
        value if choice => words::word(value),
        value => value.to_owned(),
    }
}

/// A record's own name, or its number.
pub(super) fn name_of(record: &Value) -> String {
    let number = || record.part("id").as_i64().map(|id| say!("record-number", id = id.to_string()));
    label_of(record).map(str::to_owned).or_else(number).unwrap_or_default()
}
