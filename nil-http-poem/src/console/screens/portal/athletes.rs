//! The institution's athletes, with what they received.

use super::cells::marks;
use crate::console::call::Page;
use crate::console::cells::{cents, moment};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{List, PLAIN, Seen, column, export, lead};
use crate::console::words;
use maud::html;
use nil_core::Result;

static LIST: List = List {
    operation: "athlete.list",
    title: "Athletes",
    about: "Your athletes, with what they received in the period that you choose.",
    row: &["q", "preset", "sport_ids", "genders", "min_cents"],
    columns: &[
        lead("Name", |Seen { page, .. }, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("id")))) {
                    (row.text("display_name"))
                }
            }
        })
        .rising("name"),
        column("Sport", "p2", |_, row| html! { (row.text("sport")) }),
        column("Year", "p3", |_, row| html! { (words::word(row.text("class_year"))) }),
        column("Deals", "n", |_, row| {
            html! { (words::number(row.part("totals").number("count"))) }
        }),
        column("Received", "n", |_, row| cents(row.part("totals"), "gross_cents"))
            .sorted("gross_cents"),
        column("Last", "w p2", |Seen { page, .. }, row| {
            moment(page, row.part("totals"), "last_at")
        }),
        column("Agent", "p3", |_, row| html! { (row.text("agency")) }),
        column("Marks", "p2", |_, row| marks(row)),
    ],
    usual: &[("sort", "name")],
    exports: &[
        export("athlete.export", "CSV").with(&[("format", "csv")]),
        export("athlete.export", "Excel").with(&[("format", "xlsx")]),
    ],
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.get(page).await?.into())
}
