//! The packets for the clearinghouse.

use maud::html;
use nil_core::Result;

use super::list::{Column, List, athlete, cents, day, moment};
use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::words;

const LIST: List = List {
    operation: "clearance.list",
    title: "Clearinghouse",
    about: "What the clearinghouse is told about deals, and what it answered.",
    row: &["statuses", "athlete_ids"],
    columns: &[
        Column::lead("Deal", |page, row| {
            html! {
                a href=(page.at(&format!("/clearances/{}", row.part("id")))) { (row.text("title")) }
                small.dim { (row.text("payor")) }
            }
        }),
        Column::new("State", "", |_, row| {
            html! {
                (words::chip(row.text("status")))
                @if row.is_true("late") { " " span.chip.bad { "Late" } }
            }
        }),
        Column::new("Amount", "n", |_, row| cents(row, "amount_cents")),
        Column::new("Due", "w p2", |page, row| moment(page, row, "due_at")),
        Column::new("Athlete", "p2", athlete),
        Column::new("Signed", "w p3", |_, row| day(row, "signed_on")),
        Column::new("Reference", "p3 mono", |_, row| html! { (row.text("reference")) }),
    ],
    sort: "",
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.page(page, &html! {}).await?.into())
}
