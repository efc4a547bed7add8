//! A list page of the console: heading, tabs, filters, the rows and what leads to the next ones.
//! Each list is a table of data; what a cell shows is a function.

use futures::future::join;
use maud::{Markup, html};
use nil_core::error::{Kind as Refused, codes};
use nil_core::{Error, Result};
use serde_json::Value;

use crate::console::call::{Page, Shown};
use crate::console::describe::{self, Answer, Described, Field, Kind};
use crate::console::part::Part as _;
use crate::console::picks::{self, Picks};
use crate::console::query::Query;
use crate::console::screens::filters;
use crate::console::table::{chips, downloads, foot, name_of, nothing, rows_of, sort_head};
use crate::console::{form, icons, words};

/// A list and its page.
pub(super) struct List {
    pub title: &'static str,
    pub operation: &'static str,
    /// What its inputs are unless the address says otherwise. They are no filters.
    pub usual: &'static [(&'static str, &'static str)],
    /// The input that the tabs set, and each value with its words; an empty value sets none.
    pub tabs: Option<(&'static str, &'static [(&'static str, &'static str)])>,
    pub columns: &'static [Column],
    /// What stands below the heading.
    pub says: fn(&Seen<'_>) -> Markup,
    /// What stands above the rows, such as figures.
    pub above: fn(&Seen<'_>) -> Markup,
    /// The operations that send these rows as a file, with their words.
    pub exports: &'static [(&'static str, &'static str)],
    /// The links beside the heading.
    pub links: &'static [Link],
    /// What can be done with a row.
    pub menu: Option<fn(&Seen<'_>, &Value) -> Vec<Act>>,
    /// The kinds of records whose names the rows show beside those of the filters.
    pub names: &'static [&'static str],
}

/// A list with nothing but what every page has.
pub(super) const PLAIN: List = List {
    title: "",
    operation: "",
    usual: &[],
    tabs: None,
    columns: &[],
    says: |_| html! {},
    above: |_| html! {},
    exports: &[],
    links: &[],
    menu: None,
    names: &[],
};

/// A column: its head, its classes (`n` for numbers, `p2` and `p3` for what leaves on narrow
/// windows), what it shows, and the order that it can be sorted by.
pub(super) struct Column {
    title: &'static str,
    class: &'static str,
    cell: fn(&Seen<'_>, &Value) -> Markup,
    sort: Option<&'static str>,
}

pub(super) const fn column(
    title: &'static str,
    class: &'static str,
    cell: fn(&Seen<'_>, &Value) -> Markup,
) -> Column {
    Column { title, class, cell, sort: None }
}

impl Column {
    pub(super) const fn sorted(mut self, by: &'static str) -> Self {
        self.sort = Some(by);
        self
    }
}

/// A link that is shown to whoever may call the operation.
pub(super) struct Link {
    pub needs: &'static str,
    pub path: &'static str,
    pub words: &'static str,
}

pub(super) const fn link(needs: &'static str, path: &'static str, words: &'static str) -> Link {
    Link { needs, path, words }
}

/// Something that can be done with a record.
pub(super) struct Act {
    needs: &'static str,
    path: String,
    words: String,
    is_dangerous: bool,
}

pub(super) fn act(needs: &'static str, path: String, words: impl Into<String>) -> Act {
    Act { needs, path, words: words.into(), is_dangerous: false }
}

impl Act {
    pub(super) fn dangerous(mut self) -> Self {
        self.is_dangerous = true;
        self
    }
}

/// A list as it is shown.
pub(super) struct Seen<'s> {
    pub page: &'s Page<'s>,
    pub answer: &'s Value,
    pub picks: &'s Picks,
}

impl Seen<'_> {
    /// A link below the console.
    pub(super) fn to(&self, path: &str, words: &str) -> Markup {
        html! { a href=(self.page.at(path)) { (words) } }
    }

    /// An instant of about now.
    pub(super) fn when(&self, row: &Value, name: &str) -> Markup {
        let zone = self.page.person.zone;
        html! { @match row.moment(name) {
            Some(at) => (words::short_moment(at, zone)),
            None => "\u{2013}",
        } }
    }

    /// How many records there are, if the list counts them.
    pub(super) fn total(&self) -> Option<i64> {
        self.answer.part("pagination").part("total").as_i64()
    }

    /// The number of records with their name.
    pub(super) fn counted(&self, one: &str, many: &str) -> String {
        match self.total() {
            Some(1) => format!("1 {one}"),
            Some(count) => format!("{} {many}", words::number(count)),
            None => format!("Many {many}"),
        }
    }
}

/// What stands around the rows of a list beside its own.
#[derive(Default)]
pub(super) struct Around {
    /// What was done, or refused, a moment ago.
    pub said: Option<Markup>,
    /// Above the rows.
    pub before: Option<Markup>,
    /// At their right.
    pub beside: Option<Markup>,
    /// What can be done with the rows that are selected.
    pub bulk: Option<Markup>,
    /// In place of the heading.
    pub head: Option<Markup>,
}

impl List {
    /// The page.
    pub(super) async fn get(&self, page: &Page<'_>) -> Result<Shown> {
        let (answer, picks, refused) = self.read(page).await?;
        let seen = Seen { page, answer: &answer, picks: &picks };
        Ok(self.show(&seen, refused.as_ref(), Around::default()))
    }

    fn described(&self, page: &Page<'_>) -> Result<&'static Described> {
        let entry = page.side.entry(self.operation);
        Ok(describe::of(entry.ok_or_else(|| Error::from(codes::NOT_FOUND))?))
    }

    /// The rows; without any where a filter is refused.
    pub(super) async fn read(&self, page: &Page<'_>) -> Result<(Value, Picks, Option<Error>)> {
        let fields = &self.described(page)?.fields;
        let mut asked = picks::resolved(page, fields, &page.query).await;
        for (name, value) in self.usual {
            if asked.get(name).is_none() {
                asked = asked.with(name, Some(value));
            }
        }
        let answer = async { page.read(self.operation, page.input(self.operation, &asked)?).await };
        let mut named = fields.clone();
        named.extend(self.names.iter().map(|kind| record_field(kind)));
        let (answer, picks) = join(answer, picks::of(page, &named)).await;
        match answer {
            Ok(answer) => Ok((answer, picks, None)),
            Err(error) if error.kind() == Refused::Invalid => Ok((Value::Null, picks, Some(error))),
            Err(error) => Err(error),
        }
    }

    pub(super) fn show(&self, seen: &Seen<'_>, refused: Option<&Error>, around: Around) -> Shown {
        let page = seen.page;
        let fields = self.described(page).map_or(&[][..], |described| &described.fields);
        let is_tab = |name: &str| self.tabs.is_some_and(|(tab, _)| tab == name);
        let is_usual = |name: &str| self.usual.iter().any(|(usual, _)| *usual == name);
        let in_force = |field: &&Field| !is_tab(&field.name) && field.name != "sort";
        let in_force: Vec<Field> = fields.iter().filter(in_force).cloned().collect();
        let filters = in_force.iter().filter(|field| !is_usual(&field.name)).cloned().collect();
        let filters =
            Described { fields: filters, answer: Answer::Record(Vec::new()), has_file: false };
        let rows = html! {
            @if let Some(before) = around.before { (before) }
            (self.panel(seen, around.bulk))
        };
        let content = html! {
            @match around.head { Some(head) => (head), None => (self.head(seen)) }
            @if let Some(error) = refused {
                (form::summary(fields, error.fields(), error.message()))
            }
            @if let Some(said) = around.said { (said) }
            (self.tabs(page))
            (filters::show(page, &filters, seen.picks))
            (chips(page, &in_force, seen.picks))
            ((self.above)(seen))
            @match around.beside {
                Some(beside) => div.two { div { (rows) } (beside) },
                None => (rows),
            }
        };
        let mut shown = Shown::new(self.title, content);
        shown.status = refused.map_or(200, |error| error.kind().status());
        shown
    }

    fn head(&self, seen: &Seen<'_>) -> Markup {
        let page = seen.page;
        let links = || self.links.iter().filter(|link| page.allowed(link.needs).is_some());
        let query = page.query.without(&["page", "per_page", "after", "sort", "cols", "id"]);
        let query = Query(query.0.into_iter().filter(|(_, value)| value != "all").collect());
        let these = seen.total().map_or_else(String::new, |all| format!(" {}", words::number(all)));
        let file = |(operation, words): &(&str, &str)| {
            let path = format!("/file/{operation}{}", query.address());
            (page.at(&path), format!("These{these}, {words}"))
        };
        let exports = self.exports.iter().filter(|(needs, _)| page.allowed(needs).is_some());
        let files: Vec<(String, String)> = exports.map(file).collect();
        html! {
            div.head {
                div { h1 { (self.title) } p { ((self.says)(seen)) } }
                @if links().next().is_some() || !files.is_empty() {
                    div.row {
                        (downloads(&files))
                        @for link in links() {
                            a.btn href=(page.at(link.path)) { (link.words) }
                        }
                    }
                }
            }
        }
    }

    fn tabs(&self, page: &Page<'_>) -> Markup {
        let Some((name, tabs)) = self.tabs else { return html! {} };
        let current = page.query.get(name).unwrap_or_default();
        html! {
            ul.tabs { @for (value, words) in tabs {
                @let value = Some(*value).filter(|value| !value.is_empty());
                @let view = page.query.without(&["page", "after"]).with(name, value);
                @let is_current = value.unwrap_or_default() == current;
                li { a href=(page.here(&view)) aria-current=[is_current.then_some("page")] {
                    (words)
                } }
            } }
        }
    }

    fn panel(&self, seen: &Seen<'_>, bulk: Option<Markup>) -> Markup {
        let (page, rows) = (seen.page, rows_of(seen.answer));
        let content = html! {
            @if rows.is_empty() {
                (nothing(page))
            } @else {
                div.scroll role="region" aria-label=(self.title) tabindex="0" {
                    table data-keys {
                        (self.heads(page, bulk.is_some()))
                        tbody { @for row in rows { (self.row(seen, row, bulk.is_some())) } }
                    }
                }
            }
            (foot(page, seen.answer, rows.len()))
        };
        match bulk {
            Some(bulk) if !rows.is_empty() => html! {
                form.panel method="post" action=(page.here(&page.query)) {
                    (page.hidden())
                    (content)
                    (bulk)
                }
            },
            _ => html! { section.panel { (content) } },
        }
    }

    fn heads(&self, page: &Page<'_>, selects: bool) -> Markup {
        let usual = self.usual.iter().find(|(name, _)| *name == "sort").map(|(_, sort)| *sort);
        let sort = page.query.get("sort").or(usual).unwrap_or("-created_at");
        html! { thead { tr {
            @if selects { td.c { input type="checkbox" aria-label="Select all" data-all; } }
            @for column in self.columns {
                @let class = (!column.class.is_empty()).then_some(column.class);
                @match column.sort {
                    _ if column.title.is_empty() => td class=[class] {},
                    by => {
                        @let falling = by.map(|by| format!("-{by}"));
                        @let orders = by.zip(falling.as_deref()).map(|(by, falling)| [by, falling]);
                        (sort_head(page, (column.title, class), sort, orders))
                    },
                }
            }
            @if self.menu.is_some() { td {} }
        } } }
    }

    fn row(&self, seen: &Seen<'_>, row: &Value, selects: bool) -> Markup {
        html! { tr {
            @if selects { td.c {
                input type="checkbox" name="ids" value=(row.number("id"))
                    aria-label={ "Select " (name_of(row)) };
            } }
            @for (at, column) in self.columns.iter().enumerate() {
                @let class = (!column.class.is_empty()).then_some(column.class);
                @if at == 0 {
                    th scope="row" class=[class] { ((column.cell)(seen, row)) }
                } @else {
                    td class=[class] { ((column.cell)(seen, row)) }
                }
            }
            @if let Some(acts) = self.menu {
                td.c { (menu(seen.page, &acts(seen, row), icons::MORE, &name_of(row))) }
            }
        } }
    }
}

/// A menu of what can be done; nothing if nothing of it is allowed.
pub(super) fn menu(page: &Page<'_>, acts: &[Act], icon: icons::Icon, name: &str) -> Markup {
    let allowed = || acts.iter().filter(|act| page.allowed(act.needs).is_some());
    html! {
        @if allowed().next().is_some() {
            details.menu {
                summary.btn.quiet.small { (icon.show()) span.vh { "Actions for " (name) } }
                div { @for act in allowed() {
                    a class=[act.is_dangerous.then_some("danger")] href=(page.at(&act.path)) {
                        (act.words)
                    }
                } }
            }
        }
    }
}

/// A field that makes a page know the names of a kind's records.
fn record_field(kind: &str) -> Field {
    Field {
        name: kind.to_owned(),
        label: String::new(),
        hint: String::new(),
        kind: Kind::Record(kind.to_owned()),
        required: false,
    }
}

/// An amount in a cell.
pub(super) fn cents(row: &Value, name: &str) -> Markup {
    html! { (words::money(row.number(name))) }
}

/// A figure: its name, the number, and what puts it in proportion.
pub(super) fn figure(name: &str, number: &str, beside: &str) -> Markup {
    html! { div { dt { (name) } dd { (number) small.dim { (beside) } } } }
}
