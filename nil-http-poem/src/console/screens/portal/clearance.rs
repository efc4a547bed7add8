//! One packet for the clearinghouse: what it says, what is missing, whether the payer is
//! associated, what the clearinghouse answered.

use futures::future::join;
use maud::{Markup, html};
use nil_core::{Error, Result};
use serde_json::{Value, json};

use super::people::People;
use super::review::refusal_note;
use crate::console::call::{Page, Shown, one};
use crate::console::cells::{cents, day, moment};
use crate::console::form::{self, Filled, Refusals};
use crate::console::part::Part as _;
use crate::console::picks::Picks;
use crate::console::query::Query;
use crate::console::screens::acts::is_possible;
use crate::console::screens::{Form, Outcome};
use crate::console::texts::{say, tell};
use crate::console::{frame, icons, words};

/// What the answers about the payer begin with in the form.
const ANSWER: &str = "answer.";

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let (answer, people) =
        join(page.read("clearance.detail", one("id", page.id())), People::of(page)).await;
    let answer = answer?;
    let clearance = answer.part("data");
    let packet = clearance.part("packet");
    let is_told = told(page, packet);
    let asked = association(page, clearance, typed);
    let content = html! {
        (head(page, clearance))
        @if let Some(error) = refused { (refusal_note(error)) }
        (missing(clearance, &[&is_told, &asked]))
        div.two {
            div {
                (is_told)
                (work(packet))
                (steps(page, clearance, &people))
            }
            div.stick.stack {
                (asked)
                (payer(page, packet))
                (record(page, clearance, typed, refused))
            }
        }
    };
    let title = say!("packet-titled", title = clearance.text("title"));
    let mut shown =
        Shown::new(title, content).below(page.at("/clearances"), say!("nav-clearances"));
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn head(page: &Page<'_>, clearance: &Value) -> Markup {
    let packet = clearance.part("packet");
    let athlete = page.at(&format!("/athletes/{}", clearance.part("athlete_id")));
    let deal = clearance.part("disclosed_job_id").as_i64();
    let due = clearance.moment("due_at");
    let is_open = matches!(clearance.text("status"), "due" | "flagged");
    html! {
        div.head {
            div {
                h1 { (say!("packet-titled", title = clearance.text("title"))) }
                p {
                    a href=(athlete) { (packet.text("athlete_name")) } " · "
                    (clearance.text("payor")) " · " (cents(clearance, "amount_cents")) " "
                    (words::chip(clearance.text("status"))) " "
                    @if clearance.is_true("late") {
                        span.chip.bad { (say!("inbox-late")) }
                    } @else if let Some(due) = due.filter(|_| is_open) {
                        span.chip.warn { (tell!("due-at", at = words::short_moment(due, page.person.zone))) }
                    }
                }
            }
            div.row {
                @if let Some(deal) = deal {
                    a.btn href=(page.at(&format!("/deals/{deal}"))) { (say!("the-disclosed-deal")) }
                }
                @if page.allowed("clearance.download_packet").is_some() {
                    a.btn href=(page.at(&format!("/file/clearance.download_packet?id={}", page.id()))) {
                        (icons::DOWN.show()) (say!("packet-pdf"))
                    }
                }
            }
        }
    }
}

/// Where on the page a field of the packet stands, if not under its own name.
const PLACES: [(&str, &str); 4] = [
    ("payer_name", "payer"),
    ("starts_on", "term"),
    ("ends_on", "term"),
    ("associated_entity", "association"),
];

/// What is missing, each with a link to where it stands in these parts of the page.
fn missing(clearance: &Value, parts: &[&Markup]) -> Markup {
    let stands = |place: &str| parts.iter().any(|part| frame::stands(place, part));
    let all = clearance.list("missing");
    let title = say!("things-missing", count = all.len());
    html! {
        @if !all.is_empty() {
            section.note.bad aria-labelledby="m" {
                h2 id="m" { (title) }
                ul { @for problem in all {
                    @let field = problem.text("field");
                    @let name = field.split('.').next().unwrap_or_default();
                    @let place = PLACES.iter().find(|(own, _)| *own == name).map_or(name, |(_, at)| at);
                    li {
                        b { (words::field_label(name)) } ": " (said(clearance, problem))
                        @if stands(place) {
                            " " a href={ "#" (place) } {
                                (say!("go-there")) span.vh { ": " (words::field_label(name)) }
                            }
                        }
                    }
                } }
            }
        }
    }
}

/// What is missing, in words: questions that are not answered as people are asked them.
fn said(clearance: &Value, problem: &Value) -> String {
    let all = clearance.part("packet").list("association");
    let open = all.iter().filter(|question| question.part("answer").is_null());
    let open: Vec<&str> = open.map(|question| question.text("asks")).collect();
    if problem.text("field") == "association" && !open.is_empty() {
        return say!("not-answered", questions = open.join(" "));
    }
    problem.text("message").to_owned()
}

/// The names of a list, in words.
fn listed(value: &Value) -> String {
    let all = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    all.map(|word| words::word(word).to_lowercase()).collect::<Vec<_>>().join(", ")
}

fn told(page: &Page<'_>, packet: &Value) -> Markup {
    let (payer, agent) = (packet.part("payer"), packet.part("agent"));
    let place = [payer.text("hq_city"), payer.text("hq_state")];
    let place: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
    let plain = [
        ("activity", say!("activity")),
        ("business_purpose", say!("business-purpose")),
        ("description", say!("description")),
    ];
    let rights = packet.part("usage_rights");
    html! {
        section.panel.pad {
            h2 { (say!("clearinghouse-is-told")) }
            dl.facts {
                dt id="payer" { (say!("col-payer")) }
                dd {
                    (payer.text("name"))
                    small.dim { (words::word(payer.text("kind"))) @if !place.is_empty() { ", " (place.join(", ")) } }
                }
                @for (name, label) in plain {
                    dt id=(name) { (label) }
                    dd { (packet.part(name).as_str().unwrap_or("–")) }
                }
                dt id="compensation" { (say!("compensation")) }
                dd {
                    (cents(packet, "amount_cents")) " " (words::word(packet.text("compensation")).to_lowercase())
                    @if let Some(condition) = packet.part("condition").as_str() {
                        small.dim { (condition) }
                    }
                    @if let Some(benefits) = packet.part("benefits").as_str() {
                        small.dim { (benefits) }
                    }
                }
                @if let Some(schedule) = packet.part("schedule").as_str() {
                    dt id="schedule" { (say!("schedule")) } dd { (schedule) }
                }
                dt id="signed_on" { (say!("col-signed")) } dd { (day(packet, "signed_on")) }
                @if packet.part("starts_on").is_string() {
                    dt id="term" { (say!("term")) }
                    dd { (tell!("from-to", from = day(packet, "starts_on"), to = day(packet, "ends_on"))) }
                }
                @if rights.is_object() {
                    dt id="usage_rights" { (say!("usage-rights")) }
                    dd {
                        (listed(rights.part("media"))) ", " (rights.text("territory"))
                        @if let Some(days) = rights.part("days").as_i64() { ", " (say!("days", count = days)) }
                        @if rights.is_true("perpetual") { ", " (say!("without-end")) }
                    }
                }
                @if !packet.list("licensed_attributes").is_empty() {
                    dt id="licensed_attributes" { (say!("licensed-attributes")) }
                    dd { (listed(packet.part("licensed_attributes"))) }
                }
                @if agent.is_object() {
                    dt id="agent" { (say!("col-agent")) }
                    dd {
                        (agent.text("name")) ", " (agent.text("agency"))
                        @if let Some(rate) = agent.part("commission_basis_points").as_i64() {
                            ", " (words::rate(rate))
                        }
                    }
                }
                @if let Some(number) = packet.part("contract_number").as_str() {
                    dt id="contract" { (say!("contract")) } dd { (number) }
                }
                dt id="uses_marks" { (say!("uses-your-marks")) }
                dd { @if packet.is_true("uses_marks") { (say!("yes")) } @else { (say!("no")) } }
                @if let Some(why) = packet.part("explanation").as_str() {
                    dt id="explanation" { (say!("explanation")) } dd { (why) }
                }
            }
            (documents(page, packet))
            @if let Some(range) = packet.part("compensation_range").part("explanation").as_str() {
                h3 id="compensation_range" { (say!("comparable")) }
                p { (range) }
            }
        }
    }
}

fn documents(page: &Page<'_>, packet: &Value) -> Markup {
    let all = packet.list("documents");
    html! {
        @if !all.is_empty() {
            h3 id="documents" { (say!("documents")) }
            ul.plainlist { @for document in all {
                @let id = document.part("id").as_i64().or(document.as_i64());
                @let name = document.part("name").as_str().map_or_else(|| say!("document"), str::to_owned);
                li { @match id {
                    Some(id) => a href=(page.at(&format!("/file/file.download?id={id}"))) { (name) },
                    None => (name),
                } }
            } }
        }
    }
}

fn work(packet: &Value) -> Markup {
    let all = packet.list("deliverables");
    html! {
        @if !all.is_empty() {
            section.panel id="deliverables" {
                header { h2 id="work" { (say!("work")) } }
                div.scroll role="region" aria-labelledby="work" tabindex="0" { table {
                    thead { tr {
                        th scope="col" { (say!("deliverable")) }
                        th.p2 scope="col" { (say!("col-where")) }
                        th scope="col" { (say!("col-due")) }
                        th.n scope="col" { (say!("col-amount")) }
                    } }
                    tbody { @for item in all { tr {
                        th scope="row" { (item.text("title")) }
                        td.p2 {
                            (words::word(item.text("platform"))) " "
                            (words::word(item.text("media_kind")).to_lowercase())
                        }
                        td.w { (day(item, "due_on")) }
                        td.n { (cents(item, "amount_cents")) }
                    } } }
                } }
            }
        }
    }
}

fn steps(page: &Page<'_>, clearance: &Value, people: &People) -> Markup {
    let all = clearance.list("steps");
    html! {
        @if !all.is_empty() {
            section.panel.pad {
                h2 { (say!("what-happened")) }
                ol.line { @for step in all {
                    @let state = step.text("step");
                    @let form = if matches!(words::tone(state), "bad" | "warn") { "bad" } else { "done" };
                    li class=(form) {
                        (words::word(state))
                        @if let Some(reference) = step.part("reference").as_str() {
                            " " span.mono { (reference) }
                        }
                        @if let Some(note) = step.part("note").as_str() { ": " (note) }
                        small {
                            (moment(page, step, "created_at")) ", "
                            (people.name(step.text("recorded_by")))
                        }
                    }
                } }
            }
        }
    }
}

/// The questions about the payer. Those that nobody answered have no choice yet.
fn association(page: &Page<'_>, clearance: &Value, typed: &Query) -> Markup {
    let all = clearance.part("packet").list("association");
    if all.is_empty() || !is_possible(page, "clearance.answer", clearance.text("status")) {
        return html! {};
    }
    let chosen = |question: &Value, answer: bool| match typed
        .get(&format!("{ANSWER}{}", question.text("question")))
    {
        Some(given) => (given == "yes") == answer,
        None => question.part("answer").as_bool() == Some(answer),
    };
    html! {
        form.panel.pad id="association" method="post" action=(page.at(page.path))
            aria-labelledby="as" {
            h2 id="as" { (say!("associated-question")) }
            p.hint { (say!("associated-hint")) }
            (page.hidden())
            input type="hidden" name="act" value="answer";
            @for question in all {
                @let name = format!("{ANSWER}{}", question.text("question"));
                fieldset.field {
                    legend { (question.text("asks")) }
                    @for (value, words, answer) in [("yes", say!("yes"), true), ("no", say!("no"), false)] {
                        label.row { span {
                            input type="radio" name=(name) value=(value)
                                checked[chosen(question, answer)];
                            (words)
                        } }
                    }
                }
            }
            div.acts { button { (say!("save-answers")) } }
        }
    }
}

/// What the payer said about itself.
fn payer(page: &Page<'_>, packet: &Value) -> Markup {
    let word = packet.part("payor_attestation");
    html! {
        @if word.is_object() {
            section.panel.pad {
                h2 { (say!("payers-own-word")) }
                @if word.part("attested_at").is_string() {
                    p {
                        @if word.is_true("associated") {
                            (say!("is-associated"))
                        } @else { (say!("is-not-associated")) }
                        " " small.dim { (moment(page, word, "attested_at")) }
                    }
                } @else {
                    p {
                        @if word.is_true("late") { span.chip.bad { (say!("inbox-late")) } }
                        @else { span.chip.live { (say!("asked")) } }
                        " " (say!("has-not-answered")) " "
                        small.dim {
                            (tell!(
                                "asked-and-due",
                                asked = moment(page, word, "asked_at"),
                                due = moment(page, word, "due_at"),
                            ))
                        }
                    }
                }
            }
        }
    }
}

fn record(page: &Page<'_>, clearance: &Value, typed: &Query, refused: Option<&Error>) -> Markup {
    if !is_possible(page, "clearance.record", clearance.text("status")) {
        return html! {};
    }
    let (none, picks) = (Refusals::new(), Picks::default());
    let refusals = refused.map_or(&none, Error::fields);
    let zone = page.person.zone;
    let filled = Filled { values: typed, refusals, picks: &picks, zone, filters: false };
    let own = page.fields("clearance.record").iter().filter(|field| field.name != "id");
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="task" {
            h2 id="task" { (say!("record-the-answer")) }
            (page.hidden())
            input type="hidden" name="act" value="record";
            @for field in own { (form::one(field, &field.name, field.required, &filled)) }
            div.acts { button.pri { (say!("record-button")) } }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let done = if sent.get("act") == Some("answer") {
        let given = sent.0.iter().filter_map(|(name, value)| {
            let question = name.strip_prefix(ANSWER)?;
            Some(json!({ "question": question, "answer": value == "yes" }))
        });
        let mut answers = one("id", page.id());
        answers.insert("association".into(), Value::Array(given.collect()));
        page.write("clearance.answer", answers, &sent).await
    } else {
        let asked = sent.with("id", Some(&page.id().to_string()));
        match page.input("clearance.record", &asked) {
            Ok(fields) => page.write("clearance.record", fields, &sent).await,
            Err(error) => Err(error),
        }
    };
    match done {
        Ok(_) => Ok(Outcome::to(&page.at(page.path))),
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}
