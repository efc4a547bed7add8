//! Payouts: what is on its way, what is held and why, what failed.

use maud::{Markup, html};
use nil_core::Result;
use serde_json::Value;

use super::payments::owner;
use super::payouts_bulk;
use crate::console::call::{Page, Shown};
use crate::console::cells::cents;
use crate::console::part::Part as _;
use crate::console::screens::acts::of_record;
use crate::console::screens::list::{Around, List, PLAIN, Seen, column};
use crate::console::screens::{Form, Outcome};
use crate::console::table::rows_of;
use crate::console::texts::{key, say, tell};
use crate::console::words;

static PAYOUTS: List = List {
    title: key!("nav-payouts"),
    operation: "payout.list",
    usual: &[("status", "all")],
    tabs: Some((
        "status",
        &[
            ("", key!("all-of-them")),
            ("failed", key!("failed")),
            ("on_hold", key!("on-hold")),
            ("pending", key!("pending")),
            ("in_transit", key!("in-transit")),
            ("paid", key!("paid")),
        ],
    )),
    columns: &[
        column(key!("payee"), "", |seen, row| {
            html! {
                (payee(seen, row))
                small.dim {
                    (tell!(
                        "payout-told",
                        id = row.number("id").to_string(),
                        attempt = row.number("attempt"),
                        at = seen.when(row, "created_at"),
                    ))
                }
            }
        })
        .sorted("created_at"),
        column(key!("col-amount"), "n", |_, row| cents(row, "amount_cents")).sorted("amount_cents"),
        column(key!("col-state"), "", |_, row| words::chip(row.text("status"))),
        column(key!("why"), "p2", |_, row| {
            let holds = row.list("hold_reasons").iter().filter_map(Value::as_str);
            html! {
                @for hold in holds { small { (words::word(hold)) } }
                @if !row.text("failure_code").is_empty() {
                    small.bad { (words::word(row.text("failure_code"))) }
                }
            }
        }),
        column(key!("arrives"), "w p3", |_, row| {
            html! { @match row.day("arrives_on") {
                Some(day) => (words::day(day)),
                None => "\u{2013}",
            } }
        }),
        column("", "n", acts),
    ],
    says: |seen| html! { (seen.counted(key!("count-payouts"))) "." },
    ..PLAIN
};

pub(super) fn payee(seen: &Seen<'_>, row: &Value) -> Markup {
    let of = |kind: &str| Some((kind.to_owned(), row.part(&format!("{kind}_id")).as_i64()?));
    html! { @if let Some((kind, id)) = of("athlete").or_else(|| of("agent")) {
        (owner(seen, &format!("{kind}:{id}"), row.text("payee_name")))
    } }
}

fn acts(seen: &Seen<'_>, row: &Value) -> Markup {
    let number = say!("payout-number", id = row.number("id").to_string());
    html! {
        @for act in of_record(seen.page, "payout", row, &[]) {
            a.btn.small href=(seen.page.at(&act.path)) {
                @match act.needs {
                    "payout.retry" => (say!("o-try-again")),
                    "payout.cancel" => (say!("o-cancel")),
                    _ => (act.words),
                }
                span.vh { " " (number) }
            }
        }
    }
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, None).await?.into())
}

async fn show(page: &Page<'_>, said: Option<Markup>) -> Result<Shown> {
    let list = PAYOUTS.read(page).await?;
    let around = Around { said, bulk: payouts_bulk::bar(page), ..Around::default() };
    Ok(PAYOUTS.show(&list.seen(page), list.refused.as_ref(), around))
}

/// Asks about what is to be done with the selected payouts, or does it: one after the other, and
/// then says of each what came of it.
pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let act = payouts_bulk::find(page, sent.get("act").unwrap_or_default())?;
    let list = PAYOUTS.read(page).await?;
    let seen = list.seen(page);
    let is_chosen = |row: &&Value| {
        let id = row.number("id").to_string();
        sent.all("ids").any(|chosen| chosen == id)
    };
    let rows: Vec<&Value> = rows_of(&list.answer).iter().filter(is_chosen).collect();
    if rows.is_empty() {
        let said = html! {
            section.note.warn role="alert" tabindex="-1" id="errors" { h2 { (say!("inbox-nothing-selected")) } }
        };
        return Ok(show(page, Some(said)).await?.into());
    }
    if sent.get("sure").is_none() {
        return Ok(payouts_bulk::asking(&seen, act, &rows).into());
    }
    let said = payouts_bulk::done(&seen, act, &rows, &sent).await;
    Ok(show(page, Some(said)).await?.into())
}
