//! What can be done with several payouts at once: each act asks first, is done line by line, and
//! says of each line what came of it.

use maud::{Markup, html};
use nil_core::error::codes;
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use super::payouts::payee;
use crate::console::call::{Page, Shown, one};
use crate::console::cells::cents;
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::acts;
use crate::console::screens::list::Seen;
use crate::console::texts::{self, key, say, tell};
use crate::console::words;

/// Something that is done with each of the selected payouts.
pub(super) struct Bulk {
    /// Its word in the form.
    act: &'static str,
    operation: &'static str,
    /// On the button.
    verb: &'static str,
    /// What has happened to a line afterwards.
    done: &'static str,
    /// The operation's input for a row; none if it does not do this with such a row.
    input: fn(&Value) -> Option<Map<String, Value>>,
}

static ALL: [Bulk; 3] = [
    Bulk {
        act: "retry",
        operation: "payout.retry",
        verb: key!("try-again"),
        done: key!("new-payout-made"),
        input: |row| Some(one("id", row.number("id"))),
    },
    Bulk {
        act: "pay",
        operation: "payout.trigger",
        verb: key!("pay-out-the-wallet"),
        done: key!("payout-made"),
        input: |row| Some(one("id", row.part("athlete_id").as_i64()?)),
    },
    Bulk {
        act: "cancel",
        operation: "payout.cancel",
        verb: key!("cancel"),
        done: key!("cancelled"),
        input: |row| Some(one("id", row.number("id"))),
    },
];

/// The act of a form.
pub(super) fn find(page: &Page<'_>, act: &str) -> Result<&'static Bulk> {
    let found = ALL.iter().find(|bulk| bulk.act == act);
    let found = found.ok_or_else(|| Error::from(codes::NOT_FOUND))?;
    page.allowed(found.operation).map(|_| found).ok_or_else(|| codes::FORBIDDEN.into())
}

/// The acts below the rows; nothing if none is allowed.
pub(super) fn bar(page: &Page<'_>) -> Option<Markup> {
    let allowed = || ALL.iter().filter(|bulk| page.allowed(bulk.operation).is_some());
    allowed().next()?;
    Some(html! {
        div.bulk data-bulk {
            b { (tell!("selected", count = html! { span data-count { "0" } })) }
            @for bulk in allowed() {
                button class=[(bulk.act == "cancel").then_some("danger")] name="act"
                    value=(bulk.act) { (texts::plain(bulk.verb)) "…" }
            }
        }
    })
}

/// The page that asks before anything is done.
pub(super) fn asking(seen: &Seen<'_>, bulk: &Bulk, rows: &[&Value]) -> Shown {
    let page = seen.page;
    let title = format!("{}: {}", texts::plain(bulk.verb), counted(rows.len()));
    let content = html! {
        div.head { div { h1 { (title) } } }
        @if let Some(entry) = page.allowed(bulk.operation) { (acts::warning(entry)) }
        (table(seen, &say!("selected-payouts"), rows, |row| words::chip(row.text("status"))))
        form method="post" action=(page.here(&page.query)) {
            (page.hidden())
            @for row in rows { input type="hidden" name="ids" value=(row.number("id")); }
            input type="hidden" name="sure" value="true";
            div.acts {
                button.pri.danger name="act" value=(bulk.act) {
                    (texts::plain(bulk.verb)) ", " (counted(rows.len()))
                }
                a.btn href=(page.here(&page.query)) { (say!("leave-it")) }
            }
        }
    };
    Shown::new(title, content).below(page.at("/payouts"), say!("nav-payouts"))
}

fn counted(count: usize) -> String {
    texts::counted(key!("count-payouts"), i64::try_from(count).ok())
}

/// Does it with each row, and tells what came of each.
pub(super) async fn done(seen: &Seen<'_>, bulk: &Bulk, rows: &[&Value], sent: &Query) -> Markup {
    let page = seen.page;
    // The state of what was made, or why it was refused.
    let mut lines: Vec<(i64, Result<String, String>)> = Vec::new();
    for row in rows {
        let id = row.number("id");
        let Some(input) = (bulk.input)(row) else {
            lines.push((id, Err(say!("no-agents-wallet"))));
            continue;
        };
        // Each line has a key of its own, so that the form can be sent again.
        let key = sent.get("idempotency_key").map(|key| format!("{key}-{}-{id}", bulk.act));
        let sent = sent.with("idempotency_key", key.as_deref());
        let done = page.write(bulk.operation, input, &sent).await;
        let state = |answer: Value| answer.part("data").text("status").to_owned();
        lines.push((id, done.map(state).map_err(|error| texts::message(&error).into_owned())));
    }
    let done = lines.iter().filter(|(_, line)| line.is_ok()).count();
    let tone = if done == rows.len() { "note good" } else { "note warn" };
    let came_of = |row: &Value| {
        let line = lines.iter().find(|(id, _)| *id == row.number("id"));
        html! { @match line {
            Some((_, Ok(state))) => { (words::chip(state)) small { (texts::plain(bulk.done)) } }
            Some((_, Err(why))) => { span.chip.bad { (say!("o-refused")) } small { (why) } }
            None => {}
        } }
    };
    html! {
        section class=(tone) role="status" {
            @let what = texts::plain(bulk.done);
            h2 { (say!("done-of", what = what, done = done, all = rows.len())) }
        }
        (table(seen, &say!("what-came-of-it"), rows, came_of))
    }
}

/// The rows with one more column.
fn table(seen: &Seen<'_>, title: &str, rows: &[&Value], last: impl Fn(&Value) -> Markup) -> Markup {
    html! {
        section.panel {
            div.scroll role="region" aria-label=(title) tabindex="0" { table {
                thead { tr {
                    th scope="col" { (say!("payout")) }
                    th scope="col" { (say!("payee")) }
                    th.n scope="col" { (say!("col-amount")) }
                    th scope="col" { (title) }
                } }
                tbody { @for row in rows { tr {
                    th scope="row" { (say!("o-payout-number", id = row.number("id").to_string())) }
                    td { (payee(seen, row)) }
                    td.n { (cents(row, "amount_cents")) }
                    td { (last(row)) }
                } } }
            } }
        }
    }
}
