//! The shape that the lists of the portal share: filters, the chips of those in force, a table with
//! columns of its own, a foot with pages.

use futures::future::join;
use maud::{Markup, html};
use nil_core::error::Kind as Refused;
use nil_core::{Error, Result};
use serde_json::Value;

use super::inbox::mark_chip;
use crate::console::call::{Page, Shown};
use crate::console::describe::Field;
use crate::console::part::Part as _;
use crate::console::picks::{self, Picks};
use crate::console::query::Query;
use crate::console::screens::filters;
use crate::console::table::{PAGING, chips, downloads, foot, nothing, rows_of, sort_head};
use crate::console::{form, words};

/// What a cell shows of a row.
type Cell = fn(&Page<'_>, &Value) -> Markup;

/// A column of a list.
#[derive(Clone, Copy)]
pub(super) struct Column {
    title: &'static str,
    class: &'static str,
    is_lead: bool,
    /// The words by which the list is sorted by this column: rising, falling.
    sort: Option<[&'static str; 2]>,
    cell: Cell,
}

impl Column {
    /// A column: `n` is for numbers, `w` for times, `p2` and `p3` leave narrow windows.
    pub(super) const fn new(title: &'static str, class: &'static str, cell: Cell) -> Self {
        Self { title, class, is_lead: false, sort: None, cell }
    }

    /// The column that names the row.
    pub(super) const fn lead(title: &'static str, cell: Cell) -> Self {
        Self { title, class: "", is_lead: true, sort: None, cell }
    }

    pub(super) const fn sorted(mut self, rising: &'static str, falling: &'static str) -> Self {
        self.sort = Some([rising, falling]);
        self
    }

    fn class(&self) -> Option<&'static str> {
        (!self.class.is_empty()).then_some(self.class)
    }

    fn head(&self, page: &Page<'_>, usual: &str) -> Markup {
        let now = page.query.get("sort").unwrap_or(usual);
        sort_head(page, (self.title, self.class()), now, self.sort)
    }
}

/// A list of the portal.
pub(super) struct List {
    pub operation: &'static str,
    pub title: &'static str,
    /// What the page tells below its heading.
    pub about: &'static str,
    /// The filters that stand in the row above the table.
    pub row: &'static [&'static str],
    pub columns: &'static [Column],
    /// How the list is sorted unless the address says it.
    pub sort: &'static str,
}

/// What a list was asked for, and what it answered.
pub(super) struct Answered {
    /// The query with numbers in place of typed names.
    pub asked: Query,
    pub picks: Picks,
    pub answer: Result<Value>,
}

impl List {
    fn fields(&self, page: &Page<'_>) -> &'static [Field] {
        page.fields(self.operation)
    }

    /// The query with numbers in place of names.
    pub(super) async fn asked(&self, page: &Page<'_>) -> Query {
        picks::resolved(page, self.fields(page), &page.query).await
    }

    /// Reads the list, and what its filters offer.
    pub(super) async fn read(&self, page: &Page<'_>) -> Answered {
        let asked = self.asked(page).await;
        self.read_asked(page, asked).await
    }

    /// The same with a query whose names are resolved.
    pub(super) async fn read_asked(&self, page: &Page<'_>, asked: Query) -> Answered {
        let answer = async { page.read(self.operation, page.input(self.operation, &asked)?).await };
        let (answer, picks) = join(answer, picks::of(page, self.fields(page))).await;
        Answered { asked, picks, answer }
    }

    /// The heading, with what can be done beside it.
    pub(super) fn head(&self, acts: &Markup) -> Markup {
        html! { div.head {
            div { h1 { (self.title) } p { (self.about) } }
            div.row { (acts) }
        } }
    }

    /// The filters and the chips of those in force.
    pub(super) fn filters(&self, page: &Page<'_>, picks: &Picks) -> Markup {
        let about = format!("Filter: {}", self.title);
        html! {
            (filters::with_row(page, self.fields(page), self.row, (picks, &about)))
            (chips(page, self.fields(page), picks))
        }
    }

    /// The table of an answer; `sums` are the rows below its columns.
    pub(super) fn table(&self, page: &Page<'_>, answer: &Value, sums: &Markup) -> Markup {
        let rows = rows_of(answer);
        html! {
            section.panel {
                header { h2 id="cap" { (self.title) } }
                @if rows.is_empty() { (nothing(page)) } @else {
                    div.scroll role="region" aria-labelledby="cap" tabindex="0" {
                        table data-keys {
                            thead { tr {
                                @for column in self.columns { (column.head(page, self.sort)) }
                            } }
                            tbody { @for row in rows { tr {
                                @for column in self.columns {
                                    @if column.is_lead {
                                        th scope="row" { ((column.cell)(page, row)) }
                                    } @else {
                                        td class=[column.class()] { ((column.cell)(page, row)) }
                                    }
                                }
                            } } }
                            (sums)
                        }
                    }
                }
                (foot(page, answer, rows.len()))
            }
        }
    }

    /// The page of a list that has nothing else.
    pub(super) async fn page(&self, page: &Page<'_>, acts: &Markup) -> Result<Shown> {
        let Answered { picks, answer, .. } = self.read(page).await;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return self.refused(page, &picks, error),
        };
        Ok(Shown::new(
            self.title,
            html! {
                (self.head(acts))
                (self.filters(page, &picks))
                (self.table(page, &answer, &html! {}))
            },
        ))
    }

    /// The page of filters that cannot be read: they stay as they were typed.
    pub(super) fn refused(&self, page: &Page<'_>, picks: &Picks, error: Error) -> Result<Shown> {
        if error.kind() != Refused::Invalid {
            return Err(error);
        }
        let content = html! {
            (self.head(&html! {}))
            (form::summary(self.fields(page), error.fields(), error.message()))
            (self.filters(page, picks))
        };
        let mut shown = Shown::new(self.title, content);
        shown.status = error.kind().status();
        Ok(shown)
    }
}

/// A menu of downloads of an operation, with the filters of the page.
pub(super) fn exports(
    page: &Page<'_>,
    short: &str,
    asked: &Query,
    files: &[(&str, &[(&str, &str)])],
) -> Markup {
    if page.allowed(short).is_none() {
        return html! {};
    }
    let asked = asked.without(&PAGING).without(&["sort"]);
    let file = |(words, more): &(&str, &[(&str, &str)])| {
        let query =
            more.iter().fold(asked.clone(), |query, (name, value)| query.with(name, Some(value)));
        (format!("{}{short}{}", page.at("/file/"), query.address()), (*words).to_owned())
    };
    downloads(&files.iter().map(file).collect::<Vec<_>>())
}

/// An amount of a row; empty without one.
pub(super) fn cents(row: &Value, name: &str) -> Markup {
    html! { @if let Some(cents) = row.part(name).as_i64() { (words::money(cents)) } }
}

/// A day of a row; empty without one.
pub(super) fn day(row: &Value, name: &str) -> Markup {
    let day = row.part(name).as_str().and_then(|day| day.parse().ok());
    html! { @if let Some(day) = day { (words::day(day)) } }
}

/// An instant of a row in the zone of the page; empty without one.
pub(super) fn moment(page: &Page<'_>, row: &Value, name: &str) -> Markup {
    html! { @if let Some(at) = row.moment(name) { (words::moment(at, page.person.zone)) } }
}

/// The marks of a row.
pub(super) fn marks(row: &Value) -> Markup {
    let marks = row.list("flags").iter().filter_map(Value::as_str);
    html! { @for mark in marks { (mark_chip(mark)) " " } }
}

/// A figure above a page: its name, its number, and what puts it in proportion.
pub(super) fn figure(name: &str, number: &str, beside: &str) -> Markup {
    html! { div { dt { (name) } dd { (number) @if !beside.is_empty() { small.dim { (beside) } } } } }
}

/// A link to the athlete of a row.
pub(super) fn athlete(page: &Page<'_>, row: &Value) -> Markup {
    let id = row.part("athlete_id");
    html! { a href=(page.at(&format!("/athletes/{id}"))) { (row.text("athlete_name")) } }
}
