//! The filings about athletes' agents.

use maud::html;
use nil_core::Result;

use crate::console::call::Page;
use crate::console::cells::{day, moment};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{List, PLAIN, Seen, column, lead, link};
use crate::console::words;

static LIST: List = List {
    operation: "disclosure.list",
    title: "Agent filings",
    about: "Contracts of your athletes with agents, and the notices of both sides.",
    row: &["q", "statuses", "sport_ids", "late"],
    columns: &[
        lead("Agent", |Seen { page, .. }, row| {
            let agent = row.part("agent");
            html! {
                a href=(page.at(&format!("/filings/{}", row.part("id")))) { (agent.text("name")) }
                small.dim { (agent.text("business")) }
            }
        }),
        column("Athlete", "", |Seen { page, .. }, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("athlete_id")))) {
                    (row.text("athlete_name"))
                }
            }
        }),
        column("State", "", |_, row| {
            html! {
                (words::chip(row.text("status")))
                @if row.is_true("late") { " " span.chip.bad { "Late" } }
            }
        }),
        column("Signed", "w p2", |_, row| day(row, "signed_on")),
        column("Notice due", "w p2", |Seen { page, .. }, row| moment(page, row, "notice_due_at")),
        column("May cancel until", "w p3", |Seen { page, .. }, row| {
            moment(page, row, "cancellation_ends_at")
        }),
        column("Kind", "p3", |_, row| html! { (words::word(row.text("kind"))) }),
    ],
    links: &[link("disclosure.submit", "/op/disclosure.submit", "File an agent notice")],
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(LIST.get(page).await?.into())
}
