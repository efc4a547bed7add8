//! The refund of a payment: who has what before and after it, then the refund itself.

use std::collections::BTreeMap;

use futures::future::join;
use maud::{Markup, html};
use nil_core::error::codes;
use nil_core::{Error, Result};
use serde_json::{Map, Value, json};

use crate::console::call::{Page, Shown};
use crate::console::form::{self, Filled};
use crate::console::part::Part as _;
use crate::console::picks::Picks;
use crate::console::query::Query;
use crate::console::screens::{Form, Outcome};
use crate::console::texts::{self, say, tell};
use crate::console::{refusal, words};

const REFUND: &str = "payment.refund";

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

/// What was typed, as the input of the operation.
fn input(page: &Page<'_>, typed: &Query) -> Result<Map<String, Value>> {
    page.input(REFUND, &typed.with("payment_id", Some(&page.id().to_string())))
}

/// The input of the preview: that of the refund, as far as it changes sums.
fn asked(input: &Map<String, Value>) -> Map<String, Value> {
    let names = ["payment_id", "amount_cents", "refund_fee"];
    let known = |name: &str| Some((name.to_owned(), input.get(name)?.clone()));
    names.into_iter().filter_map(known).collect()
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let one = json!({ "status": "all", "id": page.id() });
    let list = page.read("payment.list", one.as_object().cloned().unwrap_or_default());
    let preview = async {
        let input = asked(&input(page, typed)?);
        page.read("payment.preview_refund", input).await
    };
    let (list, preview) = join(list, preview).await;
    let list = list?;
    let payment = list.list("data").first().ok_or_else(|| Error::from(codes::NOT_FOUND))?;
    let refused = refused.or(preview.as_ref().err());
    let preview = preview.as_ref().ok().map(|answer| answer.part("data"));
    let content = html! {
        (head(page, payment))
        @if let Some(error) = refused {
            (form::summary(page.fields(REFUND), error.fields(), &texts::message(error)))
            @let advice = refusal::advice(error);
            p { @if advice.is_empty() { (say!("nothing-has-moved")) } @else { (advice) } }
        }
        div.two {
            div { @match preview {
                Some(preview) => (effects(page, payment, preview)),
                None => section.panel.pad {
                    h2 { (say!("what-the-refund-does")) }
                    p { (say!("it-is-not-possible-as-asked-so")) }
                },
            } }
            (asking(page, typed, preview, refused))
        }
    };
    let mut shown = Shown::new(say!("refund-of", what = payment.text("number")), content)
        .below(page.at("/payments"), say!("nav-payments"))
        .below(page.at(&format!("/payments?id={}", page.id())), payment.text("number"));
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn head(page: &Page<'_>, payment: &Value) -> Markup {
    let athlete = page.at(&format!("/athletes/{}", payment.number("athlete_id")));
    let at = payment.moment("paid_at").or(payment.moment("created_at"));
    html! {
        div.head { div {
            h1 { (say!("refund-of", what = payment.text("company_name"))) }
            p {
                (tell!(
                    "refund-head",
                    amount = words::money(payment.number("amount_cents")),
                    athlete = html! { a href=(athlete) { (payment.text("athlete_name")) } },
                    job = payment.text("job_title"),
                ))
                @if let Some(at) = at {
                    ", " (tell!("charged-at", at = words::moment(at, page.person.zone)))
                }
                " " (words::chip(payment.text("status")))
            }
        } }
    }
}

/// Who has what before and after the refund. The changes sum to zero.
fn effects(page: &Page<'_>, payment: &Value, preview: &Value) -> Markup {
    let lines = preview.list("lines");
    let sum: i64 = lines.iter().map(|line| line.number("change_cents")).sum();
    html! {
        section.panel {
            header {
                h2 id="pre" { (say!("what-the-refund-does")) }
                small {
                    (tell!(
                        "worked-out-at",
                        at = words::short_moment(page.desk.now(), page.person.zone),
                    ))
                }
            }
            div.scroll role="region" aria-labelledby="pre" tabindex="0" {
                table {
                    thead { tr {
                        th scope="col" { (say!("col-who")) }
                        th.n.p2 scope="col" { (say!("has-now")) }
                        th.n scope="col" { (say!("change")) }
                        th.n scope="col" { (say!("has-then")) }
                    } }
                    tbody { @for line in lines { (effect(payment, line)) } }
                    tfoot { tr {
                        th scope="row" { (say!("sum")) }
                        td.p2 {}
                        td.n { (words::money(sum)) }
                        td {}
                    } }
                }
            }
        }
        (told(preview))
    }
}

fn effect(payment: &Value, line: &Value) -> Markup {
    let (change, after) = (line.number("change_cents"), line.part("after_cents").as_i64());
    let amount = |cents: Option<i64>| cents.map_or_else(|| "\u{2013}".to_owned(), words::money);
    let class = if change < 0 { "n bad" } else { "n good" };
    html! { tr {
        th scope="row" { (account(payment, line.text("account"))) }
        td.n.p2 { (amount(after.map(|after| after - change))) }
        td class=(class) { @if change > 0 { "+" } (words::money(change)) }
        td.n { (amount(after)) }
    } }
}

/// An account of the ledger in words: `athlete:3:wallet` is “Dev Reyes, wallet”.
fn account(payment: &Value, account: &str) -> String {
    let mut parts = account.split(':');
    let (owner, id, what) = (parts.next(), parts.next(), parts.next());
    let what = match what {
        Some("receivable") => say!("owed-back"),
        Some("withheld") => say!("withheld-tax"),
        Some(what) => what.replace('_', " "),
        None => {
            let books = id.unwrap_or("books").replace('_', " ");
            return say!("platforms-account", account = books);
        }
    };
    let name = match owner {
        Some("athlete") => payment.text("athlete_name").to_owned(),
        Some("partner") => payment.text("company_name").to_owned(),
        owner => format!("{} {}", words::word(owner.unwrap_or_default()), id.unwrap_or_default()),
    };
    format!("{name}, {what}")
}

/// Where the money comes from, in sentences.
fn told(preview: &Value) -> Markup {
    let (owed, held) = (preview.number("owed_cents"), preview.number("from_held_payouts_cents"));
    html! {
        @if owed > 0 {
            section.note.warn {
                h2 { (say!("the-wallets-do-not-cover-it")) }
                p {
                    (say!("wallets-miss", amount = words::money(owed)))
                }
            }
        } @else {
            div.note { p {
                b { (say!("the-wallets-cover-it")) }
                " " (say!("payout-before-refund"))
            } }
        }
        @if held > 0 {
            div.note { p {
                (say!("from-held", amount = words::money(held)))
            } }
        }
    }
}

fn asking(
    page: &Page<'_>,
    typed: &Query,
    preview: Option<&Value>,
    refused: Option<&Error>,
) -> Markup {
    let (none, picks) = (BTreeMap::new(), &Picks::default());
    let refusals = refused.map_or(&none, Error::fields);
    let (values, zone) = (&filled(typed, preview), page.person.zone);
    let filled = Filled { values, refusals, picks, zone, filters: false };
    let shown = page.fields(REFUND).iter().filter(|field| field.name != "payment_id");
    let amount = preview.map(|preview| preview.number("amount_cents"));
    html! {
        form.panel.pad.stick method="post" action=(page.at(page.path)) aria-labelledby="task" {
            h2 id="task" { (say!("o-refund")) }
            @if let Some([happens, _]) = page.side.entry(REFUND).and_then(texts::confirm) {
                p { (happens) }
            }
            (page.hidden())
            input type="hidden" name="seen" value=(preview.map(seen).unwrap_or_default());
            @if let Some(preview) = preview {
                p.hint {
                    (say!(
                        "refundable",
                        amount = words::money(preview.number("refundable_cents")),
                    ))
                }
            }
            @for field in shown { (form::one(field, &field.name, field.required, &filled)) }
            div.acts {
                button name="preview" value="1" formnovalidate { (say!("work-it-out-again")) }
                @if let Some(amount) = amount {
                    button.pri.danger { (say!("refund-of", what = words::money(amount))) }
                }
            }
        }
    }
}

/// What the form is filled with: what was typed, and the amount that was worked out.
fn filled(typed: &Query, preview: Option<&Value>) -> Query {
    match preview {
        Some(preview) if typed.get("amount_cents").is_none() => {
            let amount = words::fraction(preview.number("amount_cents"));
            typed.with("amount_cents", Some(&amount))
        }
        _ => typed.clone(),
    }
}

/// The sums that a preview showed, so that no other refund than the one seen is made.
fn seen(preview: &Value) -> String {
    format!("{}+{}", preview.number("amount_cents"), preview.number("fee_cents"))
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    if sent.get("preview").is_some() {
        return Ok(show(page, &sent, None).await?.into());
    }
    let read = match input(page, &sent) {
        Ok(read) => read,
        Err(error) => return Ok(show(page, &sent, Some(&error)).await?.into()),
    };
    // Whoever changed the amount sees first what it does.
    let preview = page.read("payment.preview_refund", asked(&read)).await;
    let is_seen = |answer: &Value| sent.get("seen") == Some(&*seen(answer.part("data")));
    if preview.as_ref().is_ok_and(|answer| !is_seen(answer)) {
        return Ok(show(page, &sent, None).await?.into());
    }
    match page.write(REFUND, read, &sent).await {
        Ok(_) => {
            let to = page.at(&format!("/payments?id={}", page.id()));
            Ok(Outcome::to(&to))
        }
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_of_the_ledger_read_as_people_say_them() {
        let payment = json!({ "athlete_name": "Dev Reyes", "company_name": "Ironwood" });
        for (name, words) in [
            ("athlete:3:wallet", "Dev Reyes, wallet"),
            ("agent:2:receivable", "Agent 2, owed back"),
            ("partner:7:card", "Ironwood, card"),
            ("platform:fees", "The platform's fees"),
        ] {
            assert_eq!(account(&payment, name), words);
        }
    }
}
