//! The institution's athletes, with what they received.

use maud::html;
use nil_core::Result;

use super::list::{Column, List, cents, exports, marks, moment};
use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::words;

const LIST: List = List {
    operation: "athlete.list",
    title: "Athletes",
    about: "Your athletes, with what they received in the period that you choose.",
    row: &["q", "preset", "sport_ids", "genders", "min_cents"],
    columns: &[
        Column::lead("Name", |page, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("id")))) {
                    (row.text("display_name"))
                }
            }
        })
        .sorted("name", "name"),
        Column::new("Sport", "p2", |_, row| html! { (row.text("sport")) }),
        Column::new("Year", "p3", |_, row| html! { (words::word(row.text("class_year"))) }),
        Column::new("Deals", "n", |_, row| {
            html! { (words::number(row.part("totals").number("count"))) }
        }),
        Column::new("Received", "n", |_, row| cents(row.part("totals"), "gross_cents"))
            .sorted("gross_cents", "-gross_cents"),
        Column::new("Last", "w p2", |page, row| moment(page, row.part("totals"), "last_at")),
        Column::new("Agent", "p3", |_, row| html! { (row.text("agency")) }),
        Column::new("Marks", "p2", |_, row| marks(row)),
    ],
    sort: "name",
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    let files: [(&str, &[(&str, &str)]); 2] = [
        ("These athletes, CSV", &[("format", "csv")]),
        ("These athletes, Excel", &[("format", "xlsx")]),
    ];
    let acts = exports(page, "athlete.export", &page.query, &files);
    Ok(LIST.page(page, &acts).await?.into())
}
