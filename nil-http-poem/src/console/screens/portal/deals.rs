//! The deals that athletes disclosed.

use super::cells::{athlete, marks};
use crate::console::call::Page;
use crate::console::cells::{cents, moment};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{List, PLAIN, Seen, column, lead};
use crate::console::texts::key;
use crate::console::words;
use maud::html;
use nil_core::Result;

static LIST: List = List {
    operation: "disclosed_job.list",
    title: key!("nav-deals"),
    about: key!("deals-about"),
    row: &["statuses", "sport_ids", "category_ids", "from", "to"],
    columns: &[
        lead(key!("col-deal"), |Seen { page, .. }, row| {
            html! {
                a href=(page.at(&format!("/deals/{}", row.part("id")))) { (row.text("title")) }
                small.dim { (row.text("payer_name")) " · " (row.text("category_name")) }
            }
        }),
        column(key!("col-state"), "", |_, row| words::chip(row.text("status"))),
        column(key!("col-amount"), "n", |_, row| cents(row, "amount_cents")),
        column(key!("col-marks"), "p2", |_, row| marks(row)),
        column(key!("disclosed"), "w p2", |Seen { page, .. }, row| {
            moment(page, row, "first_submitted_at")
        }),
        column(key!("col-athlete"), "p2", |Seen { page, .. }, row| athlete(page, row)),
        column(key!("col-due"), "w p3", |Seen { page, .. }, row| moment(page, row, "due_at")),
        column(key!("nav-clearances"), "p3", |Seen { page, .. }, row| {
            let house = row.part("clearinghouse");
            html! {
                @if let Some(id) = house.part("id").as_i64() {
                    a href=(page.at(&format!("/clearances/{id}"))) {
                        (words::word(house.text("status")))
                        span.vh { ": " (row.text("title")) }
                    }
                }
            }
        }),
    ],
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.get(page).await?.into())
}
