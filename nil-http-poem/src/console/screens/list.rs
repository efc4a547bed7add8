//! A list page of either side: heading, tabs, filters, the rows and what leads to the next ones.
//! Each list is a table of data; what a cell shows is a function.

use chrono::Datelike as _;
use futures::future::join;
use maud::{Markup, html};
use nil_core::error::Kind as Refused;
use nil_core::kernel::day_in;
use nil_core::{Error, Result};
use serde_json::Value;

use super::acts::{Act, menu};
use super::filters;
use crate::console::call::{Page, Shown};
use crate::console::describe::{Answer, Described, Field, Kind};
use crate::console::part::Part as _;
use crate::console::picks::{self, Picks};
use crate::console::query::Query;
use crate::console::table::{PAGING, chips, downloads, foot, name_of, nothing, rows_of, sort_head};
use crate::console::texts::{self, say};
use crate::console::{form, icons, views, words};

/// A list and its page.
pub(super) struct List {
    /// A key, as all words of a list.
    pub title: &'static str,
    pub operation: &'static str,
    /// What its inputs are unless the address says otherwise. They are no filters.
    pub usual: &'static [(&'static str, &'static str)],
    /// The input that the tabs set, and each value with its words; an empty value sets none.
    pub tabs: Option<(&'static str, &'static [(&'static str, &'static str)])>,
    /// The filters that stand in the row above the rows; the most telling ones if none is named.
    pub row: &'static [&'static str],
    pub columns: &'static [Column],
    /// What stands below the heading, whatever the rows are.
    pub about: &'static str,
    /// What stands there about these rows.
    pub says: fn(&Seen<'_>) -> Markup,
    /// What stands above the rows, such as figures.
    pub above: fn(&Seen<'_>) -> Markup,
    /// The files that these rows are sent as.
    pub exports: &'static [Export],
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
    row: &[],
    columns: &[],
    about: "",
    says: |_| html! {},
    above: |_| html! {},
    exports: &[],
    links: &[],
    menu: None,
    names: &[],
};

/// A column: its head, its classes (`n` for numbers, `w` for times, `p2` and `p3` for what leaves
/// on narrow windows), what it shows, and the orders that it can be sorted by.
pub(super) struct Column {
    title: &'static str,
    class: &'static str,
    cell: fn(&Seen<'_>, &Value) -> Markup,
    is_lead: bool,
    sort: Option<&'static str>,
    falls: bool,
}

pub(super) const fn column(
    title: &'static str,
    class: &'static str,
    cell: fn(&Seen<'_>, &Value) -> Markup,
) -> Column {
    Column { title, class, cell, is_lead: false, sort: None, falls: true }
}

/// The column that names the row, where it is not the first one.
pub(super) const fn lead(title: &'static str, cell: fn(&Seen<'_>, &Value) -> Markup) -> Column {
    Column { is_lead: true, ..column(title, "", cell) }
}

impl Column {
    /// Sorted by this word of the interface, and with a minus before it the other way round.
    pub(super) const fn sorted(mut self, by: &'static str) -> Self {
        self.sort = Some(by);
        self
    }

    /// Sorted by this word, in one way only.
    pub(super) const fn rising(mut self, by: &'static str) -> Self {
        self.sort = Some(by);
        self.falls = false;
        self
    }

    fn class(&self) -> Option<&'static str> {
        (!self.class.is_empty()).then_some(self.class)
    }

    fn head(&self, page: &Page<'_>, now: &str) -> Markup {
        if self.title.is_empty() {
            return html! { td class=[self.class()] {} };
        }
        let other = self.sort.map(|by| if self.falls { format!("-{by}") } else { by.to_owned() });
        let orders = self.sort.zip(other.as_deref()).map(|(by, other)| [by, other]);
        sort_head(page, (&texts::plain(self.title), self.class()), now, orders)
    }
}

/// A file of the rows: the operation that sends it, its words, and its fields beside the filters.
pub(super) struct Export {
    needs: &'static str,
    words: &'static str,
    more: &'static [(&'static str, &'static str)],
    /// A period of its own in place of the view's, and the key of its words.
    period: Option<(&'static str, &'static str)>,
}

/// The fields of a view that say of which time its rows are.
const PERIOD: [&str; 3] = ["preset", "from", "to"];

pub(super) const fn export(needs: &'static str, words: &'static str) -> Export {
    Export { needs, words, more: &[], period: None }
}

impl Export {
    pub(super) const fn with(mut self, more: &'static [(&'static str, &'static str)]) -> Self {
        self.more = more;
        self
    }

    /// The rows of this preset instead of the view's period; the text of `words` has a `form`.
    pub(super) const fn of(mut self, preset: &'static str, words: &'static str) -> Self {
        self.period = Some((preset, words));
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

/// What a list was asked for, and what it answered.
pub(super) struct Answered {
    /// The view with numbers in place of typed names.
    pub asked: Query,
    pub answer: Value,
    pub picks: Picks,
    /// Why the filters were refused; there are no rows then.
    pub refused: Option<Error>,
}

impl Answered {
    pub(super) fn seen<'s>(&'s self, page: &'s Page<'s>) -> Seen<'s> {
        Seen { page, asked: &self.asked, answer: &self.answer, picks: &self.picks }
    }
}

/// A list as it is shown.
pub(super) struct Seen<'s> {
    pub page: &'s Page<'s>,
    pub asked: &'s Query,
    pub answer: &'s Value,
    pub picks: &'s Picks,
}

impl Seen<'_> {
    /// A link below the side.
    pub(super) fn to(&self, path: &str, words: &str) -> Markup {
        html! { a href=(self.page.at(path)) { (words) } }
    }

    /// An instant, with its year unless that is this one.
    pub(super) fn when(&self, row: &Value, name: &str) -> Markup {
        let zone = self.page.person.zone;
        let this_year = day_in(self.page.desk.now(), zone).year();
        html! { @match row.moment(name) {
            Some(at) if day_in(at, zone).year() != this_year => (words::moment(at, zone)),
            Some(at) => (words::short_moment(at, zone)),
            None => "\u{2013}",
        } }
    }

    /// How many records there are, if the list counts them.
    pub(super) fn total(&self) -> Option<i64> {
        self.answer.part("pagination").part("total").as_i64()
    }

    /// The number of records, by the key of their name.
    pub(super) fn counted(&self, key: &str) -> String {
        texts::counted(key, self.total())
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
    /// Below the rows.
    pub after: Option<Markup>,
    /// The sums below the columns.
    pub sums: Option<Markup>,
    /// What can be done with the rows that are selected.
    pub bulk: Option<Markup>,
    /// In place of the heading.
    pub head: Option<Markup>,
}

impl List {
    /// The page.
    pub(super) async fn get(&self, page: &Page<'_>) -> Result<Shown> {
        let read = self.read(page).await?;
        Ok(self.show(&read.seen(page), read.refused.as_ref(), Around::default()))
    }

    fn fields(&self, page: &Page<'_>) -> &'static [Field] {
        page.fields(self.operation)
    }

    /// The view with numbers in place of names.
    pub(super) async fn asked(&self, page: &Page<'_>) -> Query {
        picks::resolved(page, self.fields(page), &page.query).await
    }

    /// The rows; without any where a filter is refused.
    pub(super) async fn read(&self, page: &Page<'_>) -> Result<Answered> {
        let asked = self.asked(page).await;
        self.read_asked(page, asked).await
    }

    /// The same with a view whose names are resolved.
    pub(super) async fn read_asked(&self, page: &Page<'_>, asked: Query) -> Result<Answered> {
        let mut whole = asked.clone();
        for (name, value) in self.usual.iter().filter(|(name, _)| asked.get(name).is_none()) {
            whole = whole.with(name, Some(value));
        }
        let answer = async { page.read(self.operation, page.input(self.operation, &whole)?).await };
        let mut named = self.fields(page).to_vec();
        named.extend(self.names.iter().map(|kind| record_field(kind)));
        let (answer, picks) = join(answer, picks::of(page, &named)).await;
        let (answer, refused) = match answer {
            Ok(answer) => (answer, None),
            Err(error) if Error::kind(&error) == Refused::Invalid => (Value::Null, Some(error)),
            Err(error) => return Err(error),
        };
        Ok(Answered { asked, answer, picks, refused })
    }

    pub(super) fn show(&self, seen: &Seen<'_>, refused: Option<&Error>, around: Around) -> Shown {
        let page = seen.page;
        let fields = self.fields(page);
        let is_tab = |name: &str| self.tabs.is_some_and(|(tab, _)| tab == name);
        let in_force = |field: &&Field| !is_tab(&field.name) && field.name != "sort";
        let in_force: Vec<Field> = fields.iter().filter(in_force).cloned().collect();
        let content = html! {
            @match around.head { Some(head) => (head), None => (self.head(seen)) }
            @if let Some(error) = refused {
                (form::summary(fields, error.fields(), &texts::message(error)))
            }
            @if let Some(said) = around.said { (said) }
            (self.tabs(page))
            (views::show(page))
            (self.filters(seen, &in_force))
            (chips(page, &in_force, seen.picks))
            // Filters that are refused stay as they were typed, without rows.
            @if !seen.answer.is_null() {
                ((self.above)(seen))
                @let rows = html! {
                    @if let Some(before) = around.before { (before) }
                    (self.panel(seen, around.bulk, around.sums.as_ref()))
                };
                @match around.beside {
                    Some(beside) => div.two { div { (rows) } (beside) },
                    None => (rows),
                }
            }
            @if let Some(after) = around.after { (after) }
        };
        let mut shown = Shown::new(texts::plain(self.title), content);
        shown.status = refused.map_or(200, |error| error.kind().status());
        shown
    }

    fn filters(&self, seen: &Seen<'_>, in_force: &[Field]) -> Markup {
        let is_usual = |name: &str| self.usual.iter().any(|(usual, _)| *usual == name);
        let fields = in_force.iter().filter(|field| !is_usual(&field.name)).cloned().collect();
        if self.row.is_empty() {
            let filters = Described { fields, answer: Answer::Record(Vec::new()), file: None };
            return filters::show(seen.page, &filters, seen.picks);
        }
        let about = say!("filter-titled", title = texts::plain(self.title));
        filters::with_row(seen.page, &fields, self.row, (seen.picks, &about))
    }

    fn head(&self, seen: &Seen<'_>) -> Markup {
        let page = seen.page;
        let links = || self.links.iter().filter(|link| page.allowed(link.needs).is_some());
        let files = self.files(seen);
        html! {
            div.head {
                div { h1 { (texts::plain(self.title)) } p { (texts::plain(self.about)) ((self.says)(seen)) } }
                @if links().next().is_some() || !files.is_empty() {
                    div.row {
                        (downloads(&files))
                        @for link in links() {
                            a.btn href=(page.at(link.path)) { (texts::plain(link.words)) }
                        }
                    }
                }
            }
        }
    }

    /// The addresses of the files that whoever is signed in may have, with their words.
    fn files(&self, seen: &Seen<'_>) -> Vec<(String, String)> {
        let page = seen.page;
        // What means all records is no word of the operations that send them.
        let is_usual = |name: &str| self.usual.iter().any(|(usual, _)| *usual == name);
        let is_all = |(name, value): &(String, String)| value == "all" && is_usual(name);
        let query = seen.asked.without(&PAGING).without(&["sort", "id"]);
        let query = Query(query.0.into_iter().filter(|pair| !is_all(pair)).collect());
        let file = |export: &Export| {
            let with = |query: Query, (name, value): &(&str, &str)| query.with(name, Some(value));
            let view = match export.period {
                Some((preset, _)) => query.without(&PERIOD).with("preset", Some(preset)),
                None => query.clone(),
            };
            let query = export.more.iter().fold(view, with);
            let path = format!("/file/{}{}", export.needs, query.address());
            let form = texts::plain(export.words);
            let words = match (export.period, seen.total()) {
                (Some((_, words)), _) => texts::with(words, &[("form", form.into())]),
                (_, Some(count)) => say!("these-counted", count = count, form = form),
                _ => say!("these", form = form),
            };
            (page.at(&path), words)
        };
        self.exports.iter().filter(|it| page.allowed(it.needs).is_some()).map(file).collect()
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
                    (texts::plain(words))
                } }
            } }
        }
    }

    fn panel(&self, seen: &Seen<'_>, bulk: Option<Markup>, sums: Option<&Markup>) -> Markup {
        let (page, rows) = (seen.page, rows_of(seen.answer));
        let content = html! {
            @if rows.is_empty() {
                (nothing(page))
            } @else {
                div.scroll role="region" aria-label=(texts::plain(self.title)) tabindex="0" {
                    table data-keys {
                        (self.heads(page, bulk.is_some()))
                        tbody id="rows" { @for row in rows { (self.row(seen, row, bulk.is_some())) } }
                        @if let Some(sums) = sums { (sums) }
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
        let now = page.query.get("sort").or(usual).unwrap_or("-created_at");
        html! { thead { tr {
            @if selects { td.c { input type="checkbox" aria-label=(say!("select-all")) data-all; } }
            @for column in self.columns { (column.head(page, now)) }
            @if self.menu.is_some() { td {} }
        } } }
    }

    fn row(&self, seen: &Seen<'_>, row: &Value, selects: bool) -> Markup {
        let lead = self.columns.iter().position(|column| column.is_lead).unwrap_or_default();
        html! { tr {
            @if selects { td.c {
                input type="checkbox" name="ids" value=(row.number("id"))
                    aria-label=(say!("select-one", name = name_of(row)));
            } }
            @for (at, column) in self.columns.iter().enumerate() {
                @if at == lead {
                    th scope="row" class=[column.class()] { ((column.cell)(seen, row)) }
                } @else {
                    td class=[column.class()] { ((column.cell)(seen, row)) }
                }
            }
            @if let Some(acts) = self.menu {
                td.c { (menu(seen.page, &acts(seen, row), icons::MORE, &name_of(row))) }
            }
        } }
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
