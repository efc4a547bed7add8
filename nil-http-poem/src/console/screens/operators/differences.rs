//! How the processor's statement differs from our records: what to look for, both amounts, and how
//! long it has been so.

use maud::{Markup, html};
use nil_core::Result;
use serde_json::Value;

use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::acts::of_record;
use crate::console::screens::list::{List, PLAIN, column};
use crate::console::texts::{self, key, say};
use crate::console::words;

static DIFFERENCES: List = List {
    title: key!("differences-from-the-statement"),
    operation: "processor_difference.list",
    usual: &[("status", "open")],
    tabs: Some((
        "status",
        &[
            ("", key!("open")),
            ("settled", key!("settled")),
            ("gone", key!("gone")),
            ("all", key!("all-of-them")),
        ],
    )),
    row: &["q", "kind", "from", "to"],
    columns: &[
        column(key!("difference"), "", |seen, row| {
            let About { what, look, .. } = about(row.text("kind"));
            html! {
                (seen.to(&format!("/differences/{}", row.number("id")), &what))
                small.dim { (look) }
            }
        }),
        column(key!("ours"), "n", |_, row| html! { (amount(row, "ours_cents")) }),
        column(key!("theirs"), "n", |_, row| html! { (amount(row, "theirs_cents")) }),
        column(key!("o-record"), "p2", |seen, row| record(seen.page, row)),
        column(key!("found"), "w p2", |seen, row| {
            html! { @if let Some(at) = row.moment("found_at") {
                (words::span(seen.page.desk.now() - at))
                small.dim { (seen.when(row, "found_at")) }
            } }
        })
        .sorted("created_at"),
        column(key!("col-state"), "p2", |_, row| words::chip(row.text("status"))),
    ],
    says: |seen| {
        html! { (seen.counted(key!("count-differences"))) ". " (say!("differences-told")) }
    },
    menu: Some(|seen, row| of_record(seen.page, "processor_difference", row, &[])),
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(DIFFERENCES.get(page).await?.into())
}

/// A kind of difference in words, and what to look for.
pub(super) struct About {
    pub what: String,
    pub look: String,
}

pub(super) fn about(kind: &str) -> About {
    let (what, look) = match kind {
        "unknown_here" => (key!("difference-unknown-here"), key!("look-unknown-here")),
        "unknown_there" => (key!("difference-unknown-there"), key!("look-unknown-there")),
        "kind" => (key!("difference-kind"), key!("look-kind")),
        "twice" => (key!("difference-twice"), key!("look-twice")),
        "currency" => (key!("difference-currency"), key!("look-currency")),
        "amount" => (key!("difference-amount"), key!("look-amount")),
        "failed_here" => (key!("difference-failed-here"), key!("look-failed-here")),
        "given_up_here" => (key!("difference-given-up-here"), key!("look-given-up-here")),
        "open_here" => (key!("difference-open-here"), key!("look-open-here")),
        "undone_there" => (key!("difference-undone-there"), key!("look-undone-there")),
        "other_source" => (key!("difference-other-source"), key!("look-other-source")),
        "fee" => (key!("difference-fee"), key!("look-fee")),
        other => return About { what: words::word(other), look: String::new() },
    };
    About { what: texts::plain(what), look: texts::plain(look) }
}

/// An amount of either side; a dash if that side says nothing.
pub(super) fn amount(difference: &Value, name: &str) -> String {
    let cents = difference.part(name).as_i64();
    match difference.text("currency") {
        _ if cents.is_none() => "\u{2013}".to_owned(),
        "usd" => words::money(cents.unwrap_or_default()),
        currency => {
            format!("{} {}", words::fraction(cents.unwrap_or_default()), currency.to_uppercase())
        }
    }
}

/// The record under the key, with a link to where it is shown, and the key itself.
pub(super) fn record(page: &Page<'_>, difference: &Value) -> Markup {
    let record = difference.part("record");
    let name = format!("{} {}", words::word(record.text("kind")), record.number("id"));
    let key = difference.part("key").as_str().or(difference.part("source").as_str());
    html! {
        @if record.is_null() {
            (say!("no-record-here"))
        } @else {
            @match address(record) {
                Some(path) => a href=(page.at(&path)) { (name) },
                None => (name),
            }
        }
        @if let Some(key) = key { small.dim.mono { (key) } }
    }
}

/// Where a record is shown.
fn address(record: &Value) -> Option<String> {
    let of = |name: &str, path: &str| Some(format!("{path}{}", record.part(name).as_i64()?));
    match record.text("kind") {
        "dispute" => of("id", "/disputes/"),
        "payout" => of("athlete_id", "/payouts?athlete_id=").or_else(|| of("agent_id", "/agents/")),
        _ => of("payment_id", "/payments?id=")
            .or_else(|| of("partner_id", "/partners/"))
            .or_else(|| of("agent_id", "/agents/")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nil_core::payments::DifferenceKind;
    use serde_json::json;

    #[test]
    fn every_kind_says_what_to_look_for() {
        for kind in DifferenceKind::ALL {
            let About { what, look } = about(kind.as_str());
            assert!(what.len() > 8 && look.len() > 8, "{kind}: {what} {look}");
        }
    }

    #[test]
    fn a_record_is_shown_where_it_has_a_page() {
        for (record, path) in [
            (
                json!({ "kind": "charge", "id": 5, "payment_id": 7, "partner_id": 1 }),
                "/payments?id=7",
            ),
            (json!({ "kind": "payout", "id": 5, "athlete_id": 3 }), "/payouts?athlete_id=3"),
            (json!({ "kind": "payout", "id": 5, "agent_id": 4 }), "/agents/4"),
            (json!({ "kind": "subscription_charge", "id": 5, "partner_id": 2 }), "/partners/2"),
            (json!({ "kind": "dispute", "id": 9 }), "/disputes/9"),
        ] {
            assert_eq!(address(&record).as_deref(), Some(path));
        }
    }

    #[test]
    fn amounts_are_those_of_their_currency() {
        let one = json!({ "currency": "usd", "ours_cents": 1_250, "theirs_cents": null });
        assert_eq!(
            [amount(&one, "ours_cents"), amount(&one, "theirs_cents")],
            ["$12.50", "\u{2013}"]
        );
        let other = json!({ "currency": "eur", "ours_cents": 1_250 });
        assert_eq!(amount(&other, "ours_cents"), "12.5 EUR");
    }
}
