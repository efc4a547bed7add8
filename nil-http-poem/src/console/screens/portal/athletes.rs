//! The institution's athletes, with what they received.

use super::cells::marks;
use crate::console::call::Page;
use crate::console::cells::{cents, moment};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{List, PLAIN, Seen, column, export, lead};
use crate::console::texts::key;
use crate::console::words;
use maud::html;
use nil_core::Result;

static LIST: List = List {
    operation: "athlete.list",
    title: key!("nav-athletes"),
    about: key!("athletes-about"),
    row: &["q", "preset", "sport_ids", "genders", "min_cents"],
    columns: &[
        lead(key!("col-name"), |Seen { page, .. }, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("id")))) {
                    (row.text("display_name"))
                }
            }
        })
        .rising("name"),
        column(key!("sport"), "p2", |_, row| html! { (row.text("sport")) }),
        column(key!("col-year"), "p3", |_, row| html! { (words::word(row.text("class_year"))) }),
        column(key!("col-deals"), "n", |_, row| {
            html! { (words::number(row.part("totals").number("count"))) }
        }),
        column(key!("col-received"), "n", |_, row| cents(row.part("totals"), "gross_cents"))
            .sorted("gross_cents"),
        column(key!("col-last"), "w p2", |Seen { page, .. }, row| {
            moment(page, row.part("totals"), "last_at")
        }),
        column(key!("col-agent"), "p3", |_, row| html! { (row.text("agency")) }),
        column(key!("col-marks"), "p2", |_, row| marks(row)),
    ],
    usual: &[("sort", "name")],
    exports: &[
        export("athlete.export", key!("csv")).with(&[("format", "csv")]),
        export("athlete.export", key!("excel")).with(&[("format", "xlsx")]),
    ],
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.get(page).await?.into())
}
