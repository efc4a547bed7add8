//! The deals that athletes disclosed.

use maud::html;
use nil_core::Result;

use super::list::{Column, List, athlete, cents, marks, moment};
use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::words;

const LIST: List = List {
    operation: "disclosed_job.list",
    title: "Disclosed deals",
    about: "Deals made off the platform that your athletes disclosed.",
    row: &["statuses", "sport_ids", "category_ids", "from", "to"],
    columns: &[
        Column::lead("Deal", |page, row| {
            html! {
                a href=(page.at(&format!("/deals/{}", row.part("id")))) { (row.text("title")) }
                small.dim { (row.text("payer_name")) " · " (row.text("category_name")) }
            }
        }),
        Column::new("State", "", |_, row| words::chip(row.text("status"))),
        Column::new("Amount", "n", |_, row| cents(row, "amount_cents")),
        Column::new("Marks", "p2", |_, row| marks(row)),
        Column::new("Disclosed", "w p2", |page, row| moment(page, row, "first_submitted_at")),
        Column::new("Athlete", "p2", athlete),
        Column::new("Due", "w p3", |page, row| moment(page, row, "due_at")),
        Column::new("Clearinghouse", "p3", |page, row| {
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
    sort: "",
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.page(page, &html! {}).await?.into())
}
