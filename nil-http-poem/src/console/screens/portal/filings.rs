//! The filings about athletes' agents.

use maud::html;
use nil_core::Result;

use super::list::{Column, List, day, moment};
use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::words;

const LIST: List = List {
    operation: "disclosure.list",
    title: "Agent filings",
    about: "Contracts of your athletes with agents, and the notices of both sides.",
    row: &["q", "statuses", "sport_ids", "late"],
    columns: &[
        Column::lead("Agent", |page, row| {
            let agent = row.part("agent");
            html! {
                a href=(page.at(&format!("/filings/{}", row.part("id")))) { (agent.text("name")) }
                small.dim { (agent.text("business")) }
            }
        }),
        Column::new("Athlete", "", |page, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("athlete_id")))) {
                    (row.text("athlete_name"))
                }
            }
        }),
        Column::new("State", "", |_, row| {
            html! {
                (words::chip(row.text("status")))
                @if row.is_true("late") { " " span.chip.bad { "Late" } }
            }
        }),
        Column::new("Signed", "w p2", |_, row| day(row, "signed_on")),
        Column::new("Notice due", "w p2", |page, row| moment(page, row, "notice_due_at")),
        Column::new("May cancel until", "w p3", |page, row| {
            moment(page, row, "cancellation_ends_at")
        }),
        Column::new("Kind", "p3", |_, row| html! { (words::word(row.text("kind"))) }),
    ],
    sort: "",
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    let acts = html! {
        @if page.allowed("disclosure.submit").is_some() {
            a.btn href=(page.at("/op/disclosure.submit")) { "File an agent notice" }
        }
    };
    Ok(LIST.page(page, &acts).await?.into())
}
