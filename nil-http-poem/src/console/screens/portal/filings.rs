//! The filings about athletes' agents.

use maud::html;
use nil_core::Result;

use crate::console::call::Page;
use crate::console::cells::{day, moment};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{List, PLAIN, Seen, column, lead, link};
use crate::console::texts::{key, say};
use crate::console::words;

static LIST: List = List {
    operation: "disclosure.list",
    title: key!("nav-filings"),
    about: key!("filings-about"),
    row: &["q", "statuses", "sport_ids", "late"],
    columns: &[
        lead(key!("col-agent"), |Seen { page, .. }, row| {
            let agent = row.part("agent");
            html! {
                a href=(page.at(&format!("/filings/{}", row.part("id")))) { (agent.text("name")) }
                small.dim { (agent.text("business")) }
            }
        }),
        column(key!("col-athlete"), "", |Seen { page, .. }, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("athlete_id")))) {
                    (row.text("athlete_name"))
                }
            }
        }),
        column(key!("col-state"), "", |_, row| {
            html! {
                (words::chip(row.text("status")))
                @if row.is_true("late") { " " span.chip.bad { (say!("inbox-late")) } }
            }
        }),
        column(key!("col-signed"), "w p2", |_, row| day(row, "signed_on")),
        column(key!("col-notice-due"), "w p2", |Seen { page, .. }, row| {
            moment(page, row, "notice_due_at")
        }),
        column(key!("col-may-cancel"), "w p3", |Seen { page, .. }, row| {
            moment(page, row, "cancellation_ends_at")
        }),
        column(key!("col-kind"), "p3", |_, row| html! { (words::word(row.text("kind"))) }),
    ],
    links: &[link("disclosure.submit", "/op/disclosure.submit", key!("file-agent-notice"))],
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.get(page).await?.into())
}
