//! One dispute: until when what is asked, the payments it is about, the evidence, and what can be
//! done with what it means in money.

use futures::future::join;
use maud::{Markup, html};
use nil_core::error::Kind as Refused;
use nil_core::{Error, Result};
use serde_json::Value;

use super::{disputes, history};
use crate::console::call::{Page, Shown, one};
use crate::console::form as forms;
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::acts::is_possible;
use crate::console::screens::{Form, Outcome};
use crate::console::texts::{self, key, say, tell};
use crate::console::{refusal, words};

const ANSWER: &str = "dispute.answer";
const ACCEPT: &str = "dispute.accept";
const EVIDENCE: &str = "dispute.download_evidence";

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let (answer, trail) =
        join(page.read("dispute.view", one("id", page.id())), history::of(page, "dispute")).await;
    let answer = answer?;
    let dispute = answer.part("data");
    let content = html! {
        (head(page, dispute))
        @if let Some(error) = refused { (refusal_note(page, error)) }
        (deadline(page, dispute))
        div.two {
            div {
                (payments(page, dispute))
                (facts(page, dispute))
            }
            div.stack {
                (evidence(page, dispute))
                (answering(page, dispute, typed))
                (accepting(page, dispute))
                @if let Some(trail) = &trail { (history::panel(page, "dispute", trail)) }
            }
        }
    };
    let mut shown =
        Shown::new(title(dispute), content).below(page.at("/disputes"), say!("nav-disputes"));
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn title(dispute: &Value) -> String {
    say!("dispute-of", amount = words::money(dispute.number("amount_cents")))
}

/// Whose card was charged, with a link to the account.
fn payer(page: &Page<'_>, dispute: &Value) -> Markup {
    let of = |name: &str, path: &str| {
        dispute.part(name).as_i64().map(|id| page.at(&format!("/{path}/{id}")))
    };
    let address = of("partner_id", "partners").or_else(|| of("agent_id", "agents"));
    html! { @match address {
        Some(address) => a href=(address) { (dispute.text("payer_name")) },
        None => (dispute.text("payer_name")),
    } }
}

fn head(page: &Page<'_>, dispute: &Value) -> Markup {
    html! { div.head { div {
        h1 { (title(dispute)) }
        p {
            (payer(page, dispute)) ", " (disputes::what(dispute)) " · "
            (words::word(dispute.text("kind"))) " "
            (words::chip(dispute.text("status")))
        }
    } } }
}

fn refusal_note(page: &Page<'_>, error: &Error) -> Markup {
    html! {
        (forms::summary(page.fields(ANSWER), error.fields(), &texts::message(error)))
        @let advice = refusal::advice(error);
        @if error.kind() == Refused::Conflict {
            p { (say!("what-you-typed-is-kept-below-the")) }
        } @else if !advice.is_empty() {
            p { (advice) }
        }
    }
}

/// What is to be done until when, in plain words.
fn deadline(page: &Page<'_>, dispute: &Value) -> Markup {
    let zone = page.person.zone;
    let at = |name: &str| dispute.moment(name).map(|at| words::moment(at, zone));
    let is_over = |due| due < page.desk.now();
    html! { @match (dispute.text("status"), disputes::due(dispute)) {
        ("needs_response", Some(due)) if is_over(due) => section.note.bad {
            h2 { (tell!("evidence-was-due", at = words::moment(due, zone))) }
            p { (say!("the-bank-may-take-none")) }
        },
        ("needs_response", Some(due)) => section.note.warn {
            h2 { (tell!("evidence-is-due", at = words::moment(due, zone))) }
            p { (disputes::left(page, due)) ". " (say!("without-evidence-it-is-lost")) }
        },
        ("needs_response", None) => section.note.warn {
            h2 { (say!("evidence-is-awaited")) }
            p { (say!("without-evidence-it-is-lost")) }
        },
        ("warning", _) => section.note.warn {
            h2 { (say!("no-money-has-moved-yet")) }
            p {
                (say!("a-refund-ends-it"))
                @if let Some(address) = refund(page, dispute) {
                    " " a href=(address) { (say!("look-at-the-refund")) }
                }
            }
        },
        ("under_review", _) => section.note {
            h2 { (say!("the-bank-decides")) }
            @if let Some(at) = at("answered_at") {
                p { (tell!("evidence-was-handed-in", at = at)) }
            }
        },
        (status, _) => section.note.good[status == "won"] {
            h2 { @if let Some(at) = at("closed_at") {
                (tell!("dispute-ended", state = words::word(status), at = at))
            } @else { (words::word(status)) } }
            p { (ended(dispute)) }
        },
    } }
}

/// The page that refunds the payment, if the charge was for one.
fn refund(page: &Page<'_>, dispute: &Value) -> Option<String> {
    page.allowed("payment.preview_refund")?;
    match dispute.list("shares") {
        [share] => Some(page.at(&format!("/payments/{}/refund", share.number("payment_id")))),
        _ => None,
    }
}

/// What came of a dispute that is over.
fn ended(dispute: &Value) -> String {
    let fee = words::money(dispute.number("fee_cents"));
    match dispute.text("status") {
        "lost" => borne(dispute),
        "won" => say!("the-money-is-back", fee = fee),
        _ => say!("it-came-to-nothing", fee = fee),
    }
}

/// Who bears what if the dispute is lost, or since it is.
fn borne(dispute: &Value) -> String {
    let (amount, payees) = (dispute.number("amount_cents"), dispute.number("payees_bear_cents"));
    let is_lost = dispute.text("status") == "lost";
    texts::with(
        if is_lost { key!("it-was-lost") } else { key!("lost-means") },
        &[
            ("amount", words::money(amount).into()),
            ("payees", words::money(payees).into()),
            ("platform", words::money(amount - payees).into()),
            ("fee", words::money(dispute.number("fee_cents")).into()),
        ],
    )
}

/// The payments, each with its deal and what falls on whom.
fn payments(page: &Page<'_>, dispute: &Value) -> Markup {
    let shares = dispute.list("shares");
    if shares.is_empty() {
        return html! { section.panel.pad {
            h2 { (say!("nav-payments")) }
            p { (say!("it-is-of-a-subscription")) }
        } };
    }
    html! {
        section.panel {
            header { h2 id="p" { (say!("nav-payments")) } }
            div.scroll role="region" aria-labelledby="p" tabindex="0" { table {
                thead { tr {
                    th scope="col" { (say!("payment")) }
                    th scope="col" { (say!("col-athlete")) }
                    th.p2 scope="col" { (say!("contract")) }
                    th.n scope="col" { (say!("disputed")) }
                    th.n.p2 scope="col" { (say!("payees-bear")) }
                } }
                tbody { @for (share, deal) in shares.iter().zip(dispute.list("deals")) {
                    (payment(page, share, deal))
                } }
            } }
        }
    }
}

fn payment(page: &Page<'_>, share: &Value, deal: &Value) -> Markup {
    let to = |path: String, words: &str| html! { a href=(page.at(&path)) { (words) } };
    let waits = share.number("athlete_waits_cents") + share.number("agent_waits_cents");
    let job = format!("/jobs/{}", deal.number("job_id"));
    html! { tr {
        th scope="row" {
            span.mono { (to(format!("/payments?id={}", share.number("payment_id")), share.text("payment_number"))) }
            @if let Some(at) = deal.moment("paid_at") {
                small.dim { (words::moment(at, page.person.zone)) }
            }
        }
        td {
            (to(format!("/athletes/{}", share.number("athlete_id")), share.text("athlete_name")))
            @if let Some(agent) = deal.part("agent_name").as_str() { small.dim { (agent) } }
        }
        td.p2 {
            (to(job, deal.text("job_title")))
            small.dim.mono { (deal.text("contract_number")) }
        }
        td.n {
            (words::money(share.number("amount_cents") + share.number("fee_cents")))
            small.dim { (say!("fee-of-it", fee = words::money(share.number("fee_cents")))) }
        }
        td.n.p2 {
            (words::money(deal.number("payees_bear_cents")))
            @if waits > 0 { small.dim { (say!("waits-in-wallets", amount = words::money(waits))) } }
        }
    } }
}

fn facts(page: &Page<'_>, dispute: &Value) -> Markup {
    let zone = page.person.zone;
    let reason = disputes::reason(dispute);
    let statement = dispute.text("statement");
    html! {
        section.panel.pad {
            h2 { (say!("facts")) }
            dl.facts {
                dt { (say!("why")) }
                dd {
                    (reason)
                    @if reason != dispute.text("reason") { small.dim.mono { (dispute.text("reason")) } }
                }
                dt { (say!("disputed")) } dd { (words::money(dispute.number("amount_cents"))) }
                dt { (say!("kept-by-the-processor")) } dd { (words::money(dispute.number("fee_cents"))) }
                dt { (say!("col-payer")) } dd { (payer(page, dispute)) }
                @for (title, name) in [
                    (say!("opened"), "opened_at"),
                    (say!("evidence-due"), "evidence_due_at"),
                    (say!("answered"), "answered_at"),
                    (say!("ended"), "closed_at"),
                ] {
                    @if let Some(at) = dispute.moment(name) { dt { (title) } dd { (words::moment(at, zone)) } }
                }
                dt { (say!("at-the-processor")) } dd.mono { (dispute.text("processor_dispute_id")) }
            }
            @if !statement.is_empty() {
                h3 { (say!("handed-in-statement")) }
                p { (statement) }
            }
        }
    }
}

fn evidence(page: &Page<'_>, dispute: &Value) -> Markup {
    if page.allowed(EVIDENCE).is_none() {
        return html! {};
    }
    let file = page.at(&format!("/file/{EVIDENCE}?id={}", dispute.number("id")));
    html! {
        section.panel.pad {
            h2 { (say!("evidence")) }
            p { (say!("evidence-about")) }
            p { a.btn href=(file) download { (say!("evidence-pdf")) } }
        }
    }
}

fn answering(page: &Page<'_>, dispute: &Value, typed: &Query) -> Markup {
    if !is_possible(page, ANSWER, dispute.text("status")) {
        return html! {};
    }
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="answer" {
            h2 id="answer" { (say!("answer-it")) }
            (page.hidden())
            (told(page, ANSWER))
            p {
                (say!("won-means", amount = words::money(dispute.number("amount_cents"))))
                " " (borne(dispute))
            }
            div.field {
                label for="f-statement" { (say!("statement")) }
                p.hint id="statement-h" { (say!("statement-hint")) }
                textarea id="f-statement" name="statement" required maxlength="5000" rows="8"
                    aria-describedby="statement-h" {
                    (typed.get("statement").unwrap_or_default())
                }
            }
            div.acts { button.pri name="act" value="answer" { (verb(page, ANSWER)) } }
        }
    }
}

/// Folded away, because it cannot be taken back.
fn accepting(page: &Page<'_>, dispute: &Value) -> Markup {
    if !is_possible(page, ACCEPT, dispute.text("status")) {
        return html! {};
    }
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="accept" {
            h2 id="accept" { (say!("accept-instead")) }
            (page.hidden())
            p { (borne(dispute)) }
            details.more {
                summary { (say!("accept-it")) }
                (told(page, ACCEPT))
                div.acts { button.danger name="act" value="accept" { (verb(page, ACCEPT)) } }
            }
        }
    }
}

pub(super) fn verb(page: &Page<'_>, operation: &str) -> String {
    page.side.entry(operation).map(|entry| texts::verb(entry).into_owned()).unwrap_or_default()
}

/// What an operation does and what stays, in the catalog's words.
pub(super) fn told(page: &Page<'_>, operation: &str) -> Markup {
    html! { @if let Some([happens, stays]) = page.side.entry(operation).and_then(texts::confirm) {
        p { (happens) " " (stays) }
    } }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let mut input = one("id", page.id());
    let operation = if sent.get("act") == Some("accept") { ACCEPT } else { ANSWER };
    if operation == ANSWER {
        input.insert("statement".into(), sent.get("statement").unwrap_or_default().into());
    }
    match page.write(operation, input, &sent).await {
        Ok(_) => Ok(Outcome::to(&page.at(page.path))),
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}
