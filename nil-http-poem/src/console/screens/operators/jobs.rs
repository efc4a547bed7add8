//! The jobs that wait for a review, and one of them with its decision.

use futures::future::join;
use maud::{Markup, html};
use nil_core::error::Kind as Refused;
use nil_core::{Error, Result};
use serde_json::{Value, json};

use super::job;
use crate::console::call::{Page, Shown, one};
use crate::console::cells::cents;
use crate::console::describe::{Choice, Kind};
use crate::console::form as forms;
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::deciding::{self, Reason, Way};
use crate::console::screens::list::{List, PLAIN, column};
use crate::console::screens::{Form, Outcome, acts};
use crate::console::table::rows_of;
use crate::console::texts::{self, key, say, tell};
use crate::console::{refusal, words};

const DECIDE: &str = "job.decide_pending";
const RESOLVE: &str = "job.resolve_manual_review";

static JOBS: List = List {
    title: key!("nav-jobs"),
    operation: "job.list",
    usual: &[("status", "pending"), ("id", "0"), ("sort", "created_at")],
    tabs: Some((
        "status",
        &[
            ("", key!("pending")),
            ("changes_requested", key!("changes-requested")),
            ("open", key!("open")),
            ("rejected", key!("rejected")),
            ("closed", key!("closed")),
            ("completed", key!("completed")),
            ("all", key!("all-of-them")),
        ],
    )),
    columns: &[
        column(key!("job"), "", |seen, row| {
            html! {
                (seen.to(&format!("/jobs/{}", row.number("id")), row.text("title")))
                small.dim { (say!("number-small", id = row.number("id").to_string())) " · " (words::word(row.text("kind"))) }
            }
        }),
        column(key!("posted"), "w", |seen, row| seen.when(row, "created_at")).sorted("created_at"),
        column(key!("pay"), "n", |_, row| {
            html! { (cents(row, "amount_cents")) small.dim { "× " (row.number("slots")) } }
        }),
        column(key!("brand"), "p2", |seen, row| {
            let id = row.number("partner_id");
            let name = seen
                .picks
                .name("partner", id)
                .map_or_else(|| say!("brand-number", id = id.to_string()), str::to_owned);
            seen.to(&format!("/partners/{id}"), &name)
        }),
        column(key!("applied-hired"), "n p3", |_, row| {
            html! { (row.number("applicants")) ", " (row.number("hired")) }
        }),
        column(key!("col-state"), "", |_, row| {
            html! {
                (words::chip(row.text("status")))
                @if row.part("manual_review").text("status") == "open" {
                    " " span.chip.warn { (say!("help-asked-for")) }
                }
            }
        }),
    ],
    says: |seen| {
        let oldest = rows_of(seen.answer).first();
        html! {
            (seen.counted(key!("count-jobs"))) "."
            @if seen.page.query.0.is_empty() && let Some(oldest) = oldest {
                " " (tell!("oldest-waits", at = seen.when(oldest, "created_at")))
            }
        }
    },
    names: &["partner"],
    ..PLAIN
};

pub(in crate::console::screens) async fn list(page: &Page<'_>) -> Result<Outcome> {
    Ok(JOBS.get(page).await?.into())
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

/// The jobs that wait, the oldest first.
async fn waiting(page: &Page<'_>) -> Option<Value> {
    let oldest = json!({ "status": "pending", "id": 0, "sort": "created_at", "per_page": 100 });
    page.part("job.list", oldest.as_object().cloned().unwrap_or_default()).await
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let about = one("id", page.id());
    let (answer, waiting) = join(page.read("job.view", about), waiting(page)).await;
    let answer = answer?;
    let job = answer.part("data");
    let queue = waiting.as_ref().map_or(&[][..], rows_of);
    let content = html! {
        div.head { div {
            h1 { (say!("nav-jobs")) }
            p { (say!("jobs-wait", count = queue.len())) }
        } }
        @if let Some(error) = refused { (refusal_note(error)) }
        div.review {
            (beside(page, queue))
            (job::record(page, job))
            div.stick.stack {
                (decision(page, job, typed))
                (manual_review(page, job, typed))
            }
        }
    };
    let mut shown =
        Shown::new(job.text("title"), content).below(page.at("/jobs"), say!("nav-jobs"));
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn refusal_note(error: &Error) -> Markup {
    html! {
        (forms::summary(&[], error.fields(), &texts::message(error)))
        @let advice = refusal::advice(error);
        @if error.kind() == Refused::Conflict {
            p { (say!("what-you-typed-is-kept-below-the")) }
        } @else if !advice.is_empty() {
            p { (advice) }
        }
    }
}

/// The jobs that wait, beside the one that is looked at.
fn beside(page: &Page<'_>, queue: &[Value]) -> Markup {
    html! {
        section.panel aria-label=(say!("waiting-jobs")) {
            @if queue.is_empty() {
                div.empty { p { (say!("o-nothing-waits")) } }
            } @else {
                ol.queue { @for job in queue {
                    @let id = job.number("id");
                    li { a href=(page.at(&format!("/jobs/{id}")))
                        aria-current=[(id == page.id()).then_some("true")] {
                        b { (job.text("title")) }
                        small { (cents(job, "amount_cents")) " × " (job.number("slots")) }
                        @if let Some(at) = job.moment("created_at") {
                            small.dim { (words::span(page.desk.now() - at)) }
                        }
                    } }
                } }
            }
        }
    }
}

/// The words that a field of an operation takes.
fn choices(page: &Page<'_>, operation: &str, name: &str) -> &'static [Choice] {
    let kind =
        page.fields(operation).iter().find(|field| field.name == name).map(|field| &field.kind);
    match kind {
        Some(Kind::Choice(choices)) => choices,
        Some(Kind::Several(one)) => match &**one {
            Kind::Choice(choices) => choices,
            _ => &[],
        },
        _ => &[],
    }
}

/// What a choice is called by those who make it.
const DECISIONS: [Way; 3] = [
    ("open", key!("decide-approve"), key!("it-opens-to-athletes-at-once")),
    ("changes_requested", key!("ask-for-changes"), key!("the-brand-corrects-it-and-sends-it")),
    ("rejected", key!("refuse"), key!("it-is-over")),
];

const REASON: Reason<'_> = Reason {
    name: "reason",
    label: key!("in-your-own-words"),
    hint: key!("the-brand-reads-it-needed-unless"),
    most: 2_000,
};

fn decision(page: &Page<'_>, job: &Value, typed: &Query) -> Markup {
    if !acts::is_possible(page, DECIDE, job.text("status")) {
        return html! {};
    }
    let is_usual = |value: &str| typed.all("usual_reasons").any(|given| given == value);
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="decision" {
            h2 id="decision" { (say!("decision")) }
            (page.hidden())
            (deciding::ways("status", DECISIONS.into_iter(), typed))
            details.more open[typed.get("usual_reasons").is_some()] {
                summary { (say!("usual-reasons")) }
                fieldset {
                    legend.vh { (say!("usual-reasons")) }
                    @for choice in choices(page, DECIDE, "usual_reasons") {
                        label.choice {
                            input type="checkbox" name="usual_reasons" value=(choice.value)
                                checked[is_usual(&choice.value)];
                            span { (choice.about().trim_end_matches('.')) }
                        }
                    }
                }
            }
            (REASON.show(typed))
            div.acts {
                button.pri name="act" value="next" { (say!("decide-next")) }
                button name="act" value="stay" { (say!("decide")) }
            }
        }
    }
}

/// What a side asks an operator to settle, and the form that settles it.
fn manual_review(page: &Page<'_>, job: &Value, typed: &Query) -> Markup {
    let review = job.part("manual_review");
    if review.text("status") != "open" {
        return html! {};
    }
    let deliverables = job.list("deals").iter().flat_map(|deal| deal.list("deliverables"));
    let submitted = deliverables.filter(|one| one.text("status") == "submitted");
    let chosen = typed.get("approve_deliverable_id").unwrap_or_default();
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="task" {
            h2 id="task" { (say!("help-asked-for")) }
            p { (review.text("reason")) }
            p.dim {
                (words::word(review.text("asked_by")).replace(':', " "))
                @if let Some(at) = review.moment("at") {
                    ", " (words::moment(at, page.person.zone))
                }
            }
            @if page.allowed(RESOLVE).is_some() {
                (page.hidden())
                div.field {
                    label for="f-approve" { (say!("approve-a-deliverable")) }
                    p.hint id="approve-h" { (say!("in-place-of-the-brand-which-then")) }
                    select id="f-approve" name="approve_deliverable_id"
                        aria-describedby="approve-h" {
                        option value="" { (say!("none")) }
                        @for one in submitted {
                            @let id = one.number("id").to_string();
                            option value=(id) selected[id == chosen] {
                                (one.text("title")) ", " (cents(one, "amount_cents"))
                            }
                        }
                    }
                }
                div.field {
                    label for="f-note" { (say!("note-button")) }
                    textarea id="f-note" name="note" maxlength="2000" {
                        (typed.get("note").unwrap_or_default())
                    }
                }
                div.acts { button name="act" value="resolve" { (say!("settle-it")) } }
            }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let resolves = sent.get("act") == Some("resolve");
    let mut input = one("job_id", page.id());
    let names: &[&str] = if resolves { &["note"] } else { &["status", "reason"] };
    for name in names {
        if let Some(value) = sent.get(name) {
            input.insert((*name).into(), value.into());
        }
    }
    if resolves {
        let approved = sent.get("approve_deliverable_id").and_then(|id| id.parse::<i64>().ok());
        if let Some(id) = approved {
            input.insert("approve_deliverable_id".into(), id.into());
        }
    } else {
        let usual: Vec<&str> = sent.all("usual_reasons").collect();
        if !usual.is_empty() {
            input.insert("usual_reasons".into(), json!(usual));
        }
    }
    let operation = if resolves { RESOLVE } else { DECIDE };
    match page.write(operation, input, &sent).await {
        Ok(_) if sent.get("act") == Some("next") => {
            let list = waiting(page).await;
            let next = list.as_ref().and_then(|list| rows_of(list).first());
            let to =
                next.map_or_else(|| "/jobs".into(), |job| format!("/jobs/{}", job.number("id")));
            Ok(Outcome::to(&page.at(&to)))
        }
        Ok(_) => Ok(Outcome::to(&page.at(page.path))),
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}
