//! One disclosed deal: what it says, which rules apply, what comparable deals paid, the decision.

use futures::future::join3;
use maud::{Markup, html};
use nil_core::disclosures::DisclosedJobDecision;
use nil_core::error::Kind as Refused;
use nil_core::{Error, Result};
use serde_json::{Value, json};

use super::inbox::mark_chip;
use crate::console::call::{Page, Shown, one};
use crate::console::cells::cell;
use crate::console::describe::{self, Answer, Field};
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::deciding::{self, Reason, Way};
use crate::console::screens::{Form, Outcome, acts};
use crate::console::texts::{self, key, say, tell};
use crate::console::{icons, refusal, words};

/// What an officer can decide: the word, what people call it, and what comes of it.
const DECISIONS: [Way; 4] = [
    ("approve", key!("decide-approve"), key!("decide-approve-about")),
    ("ask", key!("decide-ask"), key!("decide-ask-about")),
    ("reject", key!("decide-reject"), key!("decide-reject-about")),
    ("take", key!("decide-take"), key!("decide-take-about")),
];

const REASON: Reason<'_> =
    Reason { name: "note", label: key!("reason"), hint: key!("review-reason-hint"), most: 4_000 };

/// The facts of a deal, in their order.
const FACTS: [&str; 15] = [
    "payer_name",
    "payer_kind",
    "payer_parent",
    "category_name",
    "compensation",
    "amount_cents",
    "benefits_cents",
    "contingent_cents",
    "signed_on",
    "starts_on",
    "ends_on",
    "first_submitted_at",
    "due_at",
    "uses_marks",
    "attestations",
];

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let about = || one("id", page.id());
    let waiting = one("kinds", json!(["disclosed_job"]));
    let (answer, range, waiting) = join3(
        page.read("disclosed_job.detail", about()),
        page.part("compensation.of_disclosed_job", about()),
        page.part("inbox.list", waiting),
    )
    .await;
    let answer = answer?;
    let deal = answer.part("data");
    let title = deal.text("title");
    let order = waiting.as_ref().map(|list| neighbours(page, list)).unwrap_or_default();
    let content = html! {
        (head(page, deal, &order))
        @if let Some(error) = refused { (refusal_note(error)) }
        div.two {
            div {
                section.panel.pad {
                    h2 { (say!("the-deal")) }
                    p { (deal.part("description").as_str().map_or_else(|| say!("no-description"), str::to_owned)) }
                    (documents(page, deal))
                }
                div.half {
                    section.panel.pad { h2 { (say!("facts")) } (facts(page, deal)) }
                    section.panel.pad {
                        h2 { (say!("comparable")) }
                        (comparison(range.as_ref()))
                    }
                }
                (happened(page, deal))
            }
            div.stick.stack {
                (rules(page, deal))
                (decision(page, deal, typed))
                (clearinghouse(page, deal))
            }
        }
    };
    let mut shown = Shown::new(title, content).below(page.at("/deals"), say!("nav-deals"));
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

/// The deals that wait before and after this one.
#[derive(Default)]
struct Neighbours {
    before: Option<String>,
    after: Option<String>,
}

fn neighbours(page: &Page<'_>, list: &Value) -> Neighbours {
    let ids = crate::console::table::rows_of(list).iter().filter_map(|row| row.part("id").as_i64());
    let ids: Vec<i64> = ids.collect();
    let at = ids.iter().position(|id| *id == page.id());
    let address = |id: &i64| page.at(&format!("/deals/{id}"));
    Neighbours {
        before: at.and_then(|at| ids.get(at.checked_sub(1)?)).map(address),
        after: match at {
            Some(at) => ids.get(at + 1),
            None => ids.first(),
        }
        .map(address),
    }
}

fn head(page: &Page<'_>, deal: &Value, order: &Neighbours) -> Markup {
    let text = |name: &str| deal.part(name).as_str().unwrap_or_default();
    let athlete = format!("/athletes/{}", deal.part("athlete_id"));
    let marks = deal.list("flags").iter().filter_map(Value::as_str);
    html! {
        div.head {
            div {
                h1 { (text("title")) }
                p {
                    a href=(page.at(&athlete)) { (text("athlete_name")) }
                    " · " (text("payer_name")) " · "
                    (words::money(deal.number("amount_cents"))) " "
                    (words::chip(text("status"))) " "
                    @for mark in marks { (mark_chip(mark)) " " }
                }
            }
            div.row.pager {
                @if let Some(before) = &order.before {
                    a.btn.small rel="prev" href=(before) { (say!("before")) }
                }
                @if let Some(after) = &order.after {
                    a.btn.small rel="next" href=(after) { (say!("next-page")) (icons::NEXT.show()) }
                }
            }
        }
    }
}

fn documents(page: &Page<'_>, deal: &Value) -> Markup {
    let all = deal.list("documents");
    html! {
        @if all.is_empty() {
            p.dim { (say!("no-document")) }
        } @else {
            ul.plainlist { @for document in all {
                @let id = document.part("id").as_i64().or(document.as_i64()).unwrap_or_default();
                @let name = document.part("name").as_str().map_or_else(|| say!("document"), str::to_owned);
                li { a href=(page.at(&format!("/file/file.download?id={id}"))) { (name) } }
            } }
        }
    }
}

/// The fields of a deal as its answer describes them.
fn described(page: &Page<'_>) -> &'static [Field] {
    let entry = page.side.entry("disclosed_job.detail");
    match entry.map(|entry| &describe::of(entry).answer) {
        Some(Answer::Record(fields)) => fields,
        _ => &[],
    }
}

fn facts(page: &Page<'_>, deal: &Value) -> Markup {
    let fields = described(page);
    html! {
        dl.facts { @for name in FACTS {
            @if let Some(field) = fields.iter().find(|field| field.name == name)
                && !deal.part(name).is_null() {
                dt { (field.label()) }
                dd { (cell(&field.kind, name, deal.part(name), page.person.zone)) }
            }
        } }
    }
}

fn comparison(range: Option<&Value>) -> Markup {
    let told = range.map(|answer| answer.part("data"));
    html! {
        @match told.and_then(|told| told.part("explanation").as_str()) {
            Some(explanation) => { p { (explanation) } }
            None => { p.dim { (say!("comparable-hidden")) } }
        }
    }
}

fn happened(page: &Page<'_>, deal: &Value) -> Markup {
    let zone = page.person.zone;
    let at = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
    let house = deal.part("clearinghouse");
    let mut line = [
        (key!("decided"), at(deal.part("decided_at"))),
        (key!("sent-to-clearinghouse"), at(house.part("submitted_at"))),
        (key!("clearinghouse-answered"), at(house.part("decided_at"))),
        (key!("disclosed-again"), at(deal.part("submitted_at"))),
        (key!("disclosed"), at(deal.part("first_submitted_at"))),
    ]
    .into_iter()
    .filter_map(|(what, at)| Some((what, at?)))
    .collect::<Vec<_>>();
    line.dedup_by_key(|(what, at)| (what.starts_with("disclosed"), *at));
    line.sort_by_key(|(_, at)| std::cmp::Reverse(*at));
    html! {
        section.panel.pad {
            h2 { (say!("what-happened")) }
            ol.line { @for (what, at) in line {
                li.done { (texts::plain(what)) small { (words::moment(at, zone)) } }
            } }
        }
    }
}

/// The rules that apply, each with why: the sentence, since when, and the sum with its deals.
fn rules(page: &Page<'_>, deal: &Value) -> Markup {
    let rules = deal.list("rules");
    let title = say!("rules-apply", count = rules.len());
    html! {
        section.panel.pad aria-labelledby="hits" {
            h2 id="hits" { (title) }
            ol.line { @for rule in rules { (applied(page, rule)) } }
        }
    }
}

fn applied(page: &Page<'_>, rule: &Value) -> Markup {
    // Only the clearinghouse's threshold is no rule of the institution.
    let name = rule.part("flag").as_str().or(rule.part("rule").as_str());
    let name = name.unwrap_or("threshold_of_the_clearinghouse");
    let since = rule.day("since");
    let threshold = rule.part("threshold");
    let deals = threshold.list("deals");
    let cents = |of: &Value, name: &str| words::money(of.part(name).as_i64().unwrap_or_default());
    html! {
        li {
            b { (words::word(name)) } br;
            (rule.text("message"))
            @if threshold.is_object() {
                details.more {
                    summary {
                        (say!(
                            "of-a-limit",
                            sum = cents(threshold, "sum_cents"),
                            limit = cents(threshold, "limit_cents"),
                        ))
                    }
                    ul { @for summed in deals { li {
                        (cents(summed, "amount_cents")) " "
                        @match summed.part("disclosed_job_id").as_i64() {
                            Some(id) => a href=(page.at(&format!("/deals/{id}"))) {
                                (summed.text("title"))
                            },
                            None => (summed.text("title")),
                        }
                        small.dim { (summed.text("payer")) }
                    } } }
                }
            }
            @if let Some(since) = since {
                small.dim {
                    (tell!("in-force-since", day = words::day(since)))
                    @if rule.part("rule").is_string() {
                        " · " a href=(page.at("/rules")) { (say!("the-rule")) }
                    }
                }
            }
        }
    }
}

fn decision(page: &Page<'_>, deal: &Value, typed: &Query) -> Markup {
    let state = deal.text("status");
    let ways = DECISIONS
        .into_iter()
        .filter(|(word, ..)| deciding::is_possible(word, state, DisclosedJobDecision::possible_in));
    let mut ways = ways.peekable();
    if !acts::is_possible(page, "disclosed_job.decide", state) || ways.peek().is_none() {
        return html! {};
    }
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="decision" {
            h2 id="decision" { (say!("your-decision")) }
            (page.hidden())
            (deciding::ways("decision", ways, typed))
            (REASON.show(typed))
            div.acts {
                button.pri { (say!("decide-and-next")) }
                button name="stay" value="1" { (say!("decide")) }
            }
        }
    }
}

fn clearinghouse(page: &Page<'_>, deal: &Value) -> Markup {
    let house = deal.part("clearinghouse");
    let due = house.moment("due_at");
    html! {
        @if let Some(id) = house.part("id").as_i64() {
            section.panel.pad {
                h2 { (say!("nav-clearances")) }
                p {
                    (words::chip(house.text("status"))) " "
                    @if let Some(due) = due {
                        small { (tell!("due-at", at = words::short_moment(due, page.person.zone))) }
                    }
                }
                p { a href=(page.at(&format!("/clearances/{id}"))) { (say!("check-packet")) } }
            }
        }
    }
}

/// Why a decision was not taken.
pub(super) fn refusal_note(error: &Error) -> Markup {
    html! {
        @if error.kind() == Refused::Conflict {
            section.note.warn role="alert" tabindex="-1" id="errors" {
                h2 { (say!("somebody-was-faster")) }
                p { (texts::message(error)) " " (say!("somebody-was-faster-about")) }
            }
        } @else {
            (refusal::note(&[], error))
        }
    }
}

/// Starts the review of a deal that nobody has taken up, before it is sent back or rejected: an
/// officer decides in one step.
async fn taken_up(page: &Page<'_>, sent: &Query) -> Result<()> {
    if !matches!(sent.get("decision"), Some("ask" | "reject")) {
        return Ok(());
    }
    let about = one("id", page.id());
    let answer = page.read("disclosed_job.detail", about.clone()).await?;
    let state = answer.part("data").text("status");
    let decision = sent.get("decision").unwrap_or_default();
    if !deciding::is_possible(decision, state, DisclosedJobDecision::needs_review_of) {
        return Ok(());
    }
    let mut input = about;
    input.insert("decision".into(), "take".into());
    let key = sent.get("idempotency_key").map(|key| format!("{key}-take"));
    page.write("disclosed_job.decide", input, &sent.with("idempotency_key", key.as_deref()))
        .await
        .map(drop)
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let mut input = one("id", page.id());
    for name in ["decision", "note"] {
        if let Some(value) = sent.get(name) {
            input.insert(name.into(), value.into());
        }
    }
    if let Err(error) = taken_up(page, &sent).await {
        return Ok(show(page, &sent, Some(&error)).await?.into());
    }
    match page.write("disclosed_job.decide", input, &sent).await {
        Ok(_) if sent.get("stay").is_some() => Ok(Outcome::to(&page.at(page.path))),
        Ok(_) => {
            let waiting = one("kinds", json!(["disclosed_job"]));
            let list = page.part("inbox.list", waiting).await;
            let next = list.and_then(|list| neighbours(page, &list).after);
            Ok(Outcome::to(&next.unwrap_or_else(|| page.at(""))))
        }
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}
