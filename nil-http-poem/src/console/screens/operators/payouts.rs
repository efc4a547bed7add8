//! Payouts: what is on its way, what is held and why, what failed.

use maud::{Markup, html};
use nil_core::Result;
use serde_json::Value;

use super::list::{List, PLAIN, Seen, cents, column};
use super::payments::owner;
use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::words;

static PAYOUTS: List = List {
    title: "Payouts",
    operation: "payout.list",
    usual: &[("status", "all")],
    tabs: Some((
        "status",
        &[
            ("", "All"),
            ("failed", "Failed"),
            ("on_hold", "On hold"),
            ("pending", "Pending"),
            ("in_transit", "In transit"),
            ("paid", "Paid"),
        ],
    )),
    columns: &[
        column("Payee", "", |seen, row| {
            html! {
                (payee(seen, row))
                small.dim {
                    "payout " (row.number("id")) ", try " (row.number("attempt")) ", "
                    (seen.when(row, "created_at"))
                }
            }
        })
        .sorted("created_at"),
        column("Amount", "n", |_, row| cents(row, "amount_cents")).sorted("amount_cents"),
        column("State", "", |_, row| words::chip(row.text("status"))),
        column("Why", "p2", |_, row| {
            let holds = row.list("hold_reasons").iter().filter_map(Value::as_str);
            html! {
                @for hold in holds { small { (words::word(hold)) } }
                @if !row.text("failure_code").is_empty() {
                    small.bad { (words::word(row.text("failure_code"))) }
                }
            }
        }),
        column("Arrives", "w p3", |_, row| {
            html! { @match row.day("arrives_on") {
                Some(day) => (words::day(day)),
                None => "\u{2013}",
            } }
        }),
        column("", "n", acts),
    ],
    says: |seen| html! { (seen.counted("payout", "payouts")) "." },
    ..PLAIN
};

fn payee(seen: &Seen<'_>, row: &Value) -> Markup {
    let of = |kind: &str| Some((kind.to_owned(), row.part(&format!("{kind}_id")).as_i64()?));
    html! { @if let Some((kind, id)) = of("athlete").or_else(|| of("agent")) {
        (owner(seen, &format!("{kind}:{id}"), row.text("payee_name")))
    } }
}

fn acts(seen: &Seen<'_>, row: &Value) -> Markup {
    let (operation, words) = match row.text("status") {
        "failed" => ("payout.retry", "Try again…"),
        "on_hold" => ("payout.cancel", "Cancel…"),
        _ => return html! {},
    };
    let (page, id) = (seen.page, row.number("id"));
    html! {
        @if page.allowed(operation).is_some() {
            a.btn.small href=(page.at(&format!("/op/{operation}?id={id}"))) {
                (words) span.vh { " payout " (id) }
            }
        }
    }
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(PAYOUTS.get(page).await?.into())
}
