//! Requests to the payment processor without an outcome: what was to move, for which record, and
//! when the processor is asked next.

use maud::html;
use nil_core::Result;
use serde_json::Value;

use super::differences::{amount, record};
use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::Outcome;
use crate::console::screens::acts::act;
use crate::console::screens::list::{List, PLAIN, column};
use crate::console::texts::{key, say};
use crate::console::words;

static REQUESTS: List = List {
    title: key!("requests-without-an-outcome"),
    operation: "processor_request.list",
    row: &["q"],
    columns: &[
        column(key!("processor-request"), "", |seen, row| {
            html! {
                (seen.to(&address(row.text("key")), &what(row)))
                small.dim { (say!("attempt-number", number = row.number("attempt"))) }
            }
        }),
        column(key!("col-amount"), "n", |_, row| html! { (amount(row, "amount_cents")) }),
        column(key!("o-record"), "p2", |seen, row| record(seen.page, row)),
        column(key!("requested"), "w", |seen, row| {
            html! { @if let Some(since) = row.moment("since") {
                (words::span(seen.page.desk.now() - since))
                small.dim { (seen.when(row, "since")) }
            } }
        })
        .sorted("created_at"),
        column(key!("asked-last"), "w p2", |seen, row| seen.when(row, "looked_at")),
        column(key!("asked-next"), "w p3", |seen, row| seen.when(row, "next_look_at")),
    ],
    says: |seen| html! { (seen.counted(key!("count-processor-requests"))) ". " (say!("requests-told")) },
    menu: Some(|_, row| {
        vec![act("processor_request.decide", address(row.text("key")), say!("decide-about-it"))]
    }),
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(REQUESTS.get(page).await?.into())
}

/// What a request is for, such as “Charge 57”.
pub(super) fn what(request: &Value) -> String {
    format!("{} {}", words::word(request.text("kind")), request.number("record_id"))
}

/// The page of a request, which has no number of its own.
fn address(key: &str) -> String {
    format!("/requests/decide{}", Query::default().with("key", Some(key)).address())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stands_in_an_address() {
        assert_eq!(address("m:charge:57:1"), "/requests/decide?key=m%3Acharge%3A57%3A1");
    }
}
