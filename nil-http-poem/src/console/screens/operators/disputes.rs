//! Disputes of charges: how much, why, until when evidence is taken, and who bears it.

use maud::{Markup, html};
use nil_core::Result;
use nil_core::kernel::Time;
use serde_json::Value;

use crate::console::call::Page;
use crate::console::cells::cents;
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::acts::{Act, act, of_record};
use crate::console::screens::list::{List, PLAIN, Seen, column, link};
use crate::console::texts::{self, key, say};
use crate::console::words;

static DISPUTES: List = List {
    title: key!("nav-disputes"),
    operation: "dispute.list",
    usual: &[("status", "all")],
    tabs: Some((
        "status",
        &[
            ("", key!("all-of-them")),
            ("needs_response", key!("to-answer")),
            ("warning", key!("asked-about")),
            ("under_review", key!("with-the-bank")),
            ("lost", key!("lost")),
            ("won", key!("won")),
            ("withdrawn", key!("withdrawn")),
        ],
    )),
    row: &["q", "kind"],
    columns: &[
        column(key!("dispute"), "", |seen, row| {
            html! {
                (seen.to(&format!("/disputes/{}", row.number("id")), row.text("payer_name")))
                small.dim { (what(row)) ", " (seen.when(row, "opened_at")) }
            }
        })
        .sorted("created_at"),
        column(key!("col-amount"), "n", |_, row| cents(row, "amount_cents")).sorted("amount_cents"),
        column(key!("col-state"), "", |seen, row| {
            html! {
                (words::chip(row.text("status")))
                small.dim { (words::word(row.text("kind"))) }
                @if let Some(at) = due(row) { (left(seen.page, at)) }
            }
        }),
        column(key!("why"), "p2", |_, row| html! { (reason(row)) }),
        column(key!("evidence-due"), "p2", |seen, row| {
            html! { @match due(row) {
                Some(at) => (words::moment(at, seen.page.person.zone)),
                None => "\u{2013}",
            } }
        }),
        column(key!("who-bears-it"), "p3", |_, row| html! { (borne(row)) }),
    ],
    says: |seen| html! { (seen.counted(key!("count-disputes"))) "." },
    links: &[link("dispute.list_terms", "/op/dispute.list_terms", key!("what-payees-bear"))],
    menu: Some(of_dispute),
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(DISPUTES.get(page).await?.into())
}

fn of_dispute(seen: &Seen<'_>, row: &Value) -> Vec<Act> {
    let id = row.number("id");
    let file = format!("/file/dispute.download_evidence?id={id}");
    let mut acts = vec![
        act("dispute.download_evidence", file, say!("evidence-pdf")),
        act(
            "audit.list",
            format!("/audit?subject_kind=dispute&subject_id={id}"),
            say!("nav-audit"),
        ),
    ];
    acts.extend(of_record(seen.page, "dispute", row, &[]));
    acts
}

/// What was charged: the number of the payment, or how many there are.
pub(super) fn what(dispute: &Value) -> String {
    if let Some(number) = dispute.part("payment_number").as_str() {
        return number.to_owned();
    }
    match dispute.number("payments") {
        0 => say!("a-subscription"),
        count => texts::counted(key!("count-payments"), Some(count)),
    }
}

/// The bank's reason in words.
pub(super) fn reason(dispute: &Value) -> String {
    let code = dispute.text("reason");
    let words = nil_core::wording::dispute_reason(code);
    texts::of_catalog("reason", code, words).into_owned()
}

/// Until when evidence is taken, while it is awaited.
pub(super) fn due(dispute: &Value) -> Option<Time> {
    let awaits = dispute.text("status") == "needs_response";
    dispute.moment("evidence_due_at").filter(|_| awaits)
}

/// How long is left until an instant, or that it is over.
pub(super) fn left(page: &Page<'_>, at: Time) -> Markup {
    let left = at - page.desk.now();
    html! {
        @if left.num_minutes() < 0 {
            small.bad { (say!("time-is-over")) }
        } @else if left.num_days() < 3 {
            small.bad { (say!("time-left", span = words::span(left))) }
        } @else {
            small.dim { (say!("time-left", span = words::span(left))) }
        }
    }
}

/// Who bears the money, as far as it is known.
fn borne(dispute: &Value) -> String {
    let (amount, payees) =
        (dispute.number("amount_cents"), dispute.number("borne_by_payees_cents"));
    let fee = words::money(dispute.number("fee_cents"));
    match dispute.text("status") {
        "warning" => say!("no-money-has-moved-yet"),
        "needs_response" | "under_review" => say!("the-platform-until-it-is-decided"),
        "lost" if payees > 0 => say!(
            "payees-and-the-platform",
            payees = words::money(payees),
            platform = words::money(amount - payees),
        ),
        "lost" => say!("the-platform-all-of-it"),
        _ if dispute.number("fee_cents") > 0 => say!("the-platform-the-fee", fee = fee),
        _ => say!("nobody"),
    }
}
