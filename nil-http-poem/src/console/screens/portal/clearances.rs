//! The packets for the clearinghouse.

use super::cells::athlete;
use crate::console::call::Page;
use crate::console::cells::{cents, day, moment};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{List, PLAIN, Seen, column, lead};
use crate::console::texts::{key, say};
use crate::console::words;
use maud::html;
use nil_core::Result;

static LIST: List = List {
    operation: "clearance.list",
    title: key!("nav-clearances"),
    about: key!("clearances-about"),
    row: &["statuses", "athlete_ids"],
    columns: &[
        lead(key!("col-deal"), |Seen { page, .. }, row| {
            html! {
                a href=(page.at(&format!("/clearances/{}", row.part("id")))) { (row.text("title")) }
                small.dim { (row.text("payor")) }
            }
        }),
        column(key!("col-state"), "", |_, row| {
            html! {
                (words::chip(row.text("status")))
                @if row.is_true("late") { " " span.chip.bad { (say!("inbox-late")) } }
            }
        }),
        column(key!("col-amount"), "n", |_, row| cents(row, "amount_cents")),
        column(key!("col-due"), "w p2", |Seen { page, .. }, row| moment(page, row, "due_at")),
        column(key!("col-athlete"), "p2", |Seen { page, .. }, row| athlete(page, row)),
        column(key!("col-signed"), "w p3", |_, row| day(row, "signed_on")),
        column(key!("col-reference"), "p3 mono", |_, row| html! { (row.text("reference")) }),
    ],
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.get(page).await?.into())
}
