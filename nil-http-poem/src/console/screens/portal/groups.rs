//! Figures by group: sports, categories, kinds of payment; the largest first.

use maud::{Markup, html};
use serde_json::Value;

use crate::console::bars::meter;
use crate::console::call::Page;
use crate::console::cells::cents;
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::texts::{self, key, say};
use crate::console::words;

/// What the rows of an analysis are.
pub(super) struct Groups {
    pub operation: &'static str,
    /// Of the panel's heading.
    pub id: &'static str,
    /// The key of the heading.
    pub title: &'static str,
    /// The key of what stands above the column of names.
    pub head: &'static str,
    /// The field with a row's name.
    pub name: &'static str,
    /// The field with its number, and the filter that takes it; none if no filter does.
    pub filter: Option<(&'static str, &'static str)>,
}

pub(super) const SPORTS: Groups = Groups {
    operation: "analytics.by_sport",
    id: "by-sport",
    title: key!("by-sport"),
    head: key!("sport"),
    name: "sport",
    filter: Some(("sport_id", "sport_ids")),
};

pub(super) const CATEGORIES: Groups = Groups {
    operation: "analytics.by_category",
    id: "by-category",
    title: key!("by-category"),
    head: key!("category"),
    name: "category",
    filter: Some(("category_id", "category_ids")),
};

pub(super) const PAYMENTS: Groups = Groups {
    operation: "analytics.by_payment_type",
    id: "by-payment",
    title: key!("by-payment"),
    head: key!("col-kind"),
    name: "payment_type",
    filter: None,
};

impl Groups {
    /// The largest groups, with a link to all.
    pub(super) fn largest(&self, page: &Page<'_>, answer: &Value, most: usize) -> Markup {
        let query = page.query.without(&["page", "after", "sort"]);
        self.panel(page, &query, answer, Some(most))
    }

    /// All groups.
    pub(super) fn all(&self, page: &Page<'_>, answer: &Value) -> Markup {
        self.panel(page, &page.query, answer, None)
    }

    fn panel(&self, page: &Page<'_>, query: &Query, answer: &Value, most: Option<usize>) -> Markup {
        let rows = answer.list("data");
        let rows: Vec<&Value> = rows.iter().filter(|row| row.number("activity") > 0).collect();
        let top = rows.iter().map(|row| row.number("gross_cents")).max().unwrap_or_default();
        let shown = rows.iter().take(most.unwrap_or(usize::MAX));
        let is_all = most.is_none();
        html! {
            section.panel {
                header {
                    h2 id=(self.id) { (texts::plain(self.title)) }
                    @if !is_all {
                        a href={ (page.at("/analytics")) (query.address()) "#" (self.id) } {
                            (say!("all-count", count = rows.len())) span.vh { " " (texts::plain(self.title)) }
                        }
                    }
                }
                @if rows.is_empty() { div.empty { h2 { (say!("none")) } } } @else {
                    div.scroll role="region" aria-labelledby=(self.id) tabindex="0" { table {
                        thead { tr {
                            th scope="col" { (texts::plain(self.head)) }
                            th.n scope="col" { (say!("col-deals")) }
                            @if is_all { th.n.p3 scope="col" { (say!("nav-athletes")) } }
                            th.n scope="col" { (say!("col-gross")) }
                            @if is_all { th.n.p3 scope="col" { (say!("share")) } }
                            td.p2 {}
                        } }
                        tbody { @for row in shown { tr {
                            th scope="row" { (self.named(page, query, row)) }
                            td.n { (words::number(row.number("activity"))) }
                            @if is_all { td.n.p3 { (words::number(row.number("athletes"))) } }
                            td.n { (cents(row, "gross_cents")) }
                            @if is_all { td.n.p3 { (words::rate(row.number("share_basis_points"))) } }
                            td.p2 { (meter(row.number("gross_cents"), top)) }
                        } } }
                    } }
                }
            }
        }
    }

    /// A row's name, which leads to its transactions.
    fn named(&self, page: &Page<'_>, query: &Query, row: &Value) -> Markup {
        let Some((number, filter)) = self.filter else {
            return html! { (words::word(row.text(self.name))) };
        };
        let query = query.without(&["interval"]);
        let one = query.with(filter, Some(&row.number(number).to_string()));
        html! { a href={ (page.at("/transactions")) (one.address()) } { (row.text(self.name)) } }
    }
}
