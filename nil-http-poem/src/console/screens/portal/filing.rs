//! One filing about an athlete's agent: its clocks, what it says, whether it is complete, the
//! decision.

use futures::future::join;
use maud::{Markup, html};
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use super::clock;
use super::people::People;
use super::review::refusal_note;
use crate::console::call::{Page, Shown, one};
use crate::console::cells::{day, moment};
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::deciding::{self, Reason, Way};
use crate::console::screens::{Form, Outcome};
use crate::console::{icons, words};

/// What an officer can decide: the word, what people call it, and what comes of it.
const DECISIONS: [Way; 3] = [
    ("acknowledge", "Acknowledge", "The institution has received the notice."),
    ("return", "Return", "It goes back to be completed; a reason is needed."),
    ("terminate", "Terminate", "The contract that it is about has ended."),
];

const REASON: Reason<'_> = Reason {
    name: "note",
    label: "Reason",
    hint: "The agent and the athlete read it. Needed to return.",
    most: 4_000,
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let (answer, people) =
        join(page.read("disclosure.detail", one("id", page.id())), People::of(page)).await;
    let answer = answer?;
    let filing = answer.part("data");
    let (agent, athlete) = (filing.part("agent").text("name"), filing.text("athlete_name"));
    let people = people.with("athlete", filing.part("athlete_id"), athlete).with(
        "agent",
        filing.part("agent_id"),
        agent,
    );
    let title = format!("{agent} for {athlete}");
    let content = html! {
        (head(page, filing, &title))
        @if let Some(error) = refused { (refusal_note(error)) }
        section.panel aria-labelledby="clocks" {
            header {
                h2 id="clocks" { "The clocks" }
                @if filing.part("contract").moment("signed_at").is_some() {
                    small { "Counted from the signing on "
                        (moment(page, filing.part("contract"), "signed_at")) }
                }
            }
            div.pad.duo {
                (clock::of_filing(page, filing))
                @if let Some(at) = filing.moment("submitted_at") {
                    div.clock {
                        b { span { "Received" } span { (words::span(page.desk.now() - at)) " ago" } }
                        small.dim { (words::short_moment(at, page.person.zone)) }
                    }
                }
            }
        }
        div.two {
            div {
                section.panel.pad { h2 { "Agent" } (agent_facts(filing)) }
                section.panel.pad { h2 { "Contract" } (contract_facts(page, filing)) }
                (versions(page, filing, &people))
            }
            div.stick.stack {
                (completeness(page, filing))
                (decision(page, filing, typed))
                (documents(page, filing))
            }
        }
    };
    let mut shown = Shown::new(title, content).below(page.at("/filings"), "Agent filings");
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn head(page: &Page<'_>, filing: &Value, title: &str) -> Markup {
    let athlete = page.at(&format!("/athletes/{}", filing.part("athlete_id")));
    let id = page.id();
    html! {
        div.head {
            div {
                h1 { (title) }
                p {
                    (filing.part("agent").text("business")) " · "
                    (words::word(filing.text("kind"))) " · version " (filing.part("version")) " · "
                    a href=(athlete) { (filing.text("athlete_name")) } " "
                    (words::chip(filing.text("status")))
                    @if filing.is_true("late") { " " span.chip.bad { "Late" } }
                }
            }
            div.row {
                @if page.allowed("disclosure.update").is_some() {
                    a.btn href=(page.at(&format!("/op/disclosure.update?id={id}"))) {
                        "Correct the filing"
                    }
                }
                @if page.allowed("disclosure.download_documents").is_some() && has_documents(filing) {
                    a.btn href=(page.at(&format!("/file/disclosure.download_documents?id={id}"))) {
                        (icons::DOWN.show()) "Documents (ZIP)"
                    }
                }
            }
        }
    }
}

fn has_documents(filing: &Value) -> bool {
    !filing.list("documents").is_empty()
}

/// A fact; a dash stands where it was not given.
fn fact(label: &str, value: &Markup) -> Markup {
    let is_empty = value.0.trim().is_empty();
    html! { dt { (label) } dd { @if is_empty { "–" } @else { (value) } } }
}

fn said(record: &Value, name: &str) -> Markup {
    html! { (record.text(name)) }
}

fn all_of(record: &Value, name: &str) -> Markup {
    let all = record.part(name).as_array().into_iter().flatten().filter_map(Value::as_str);
    html! { (all.collect::<Vec<_>>().join("; ")) }
}

fn agent_facts(filing: &Value) -> Markup {
    let (agent, registration) = (filing.part("agent"), filing.part("registration"));
    let registered = html! {
        (registration.text("state")) " " (registration.text("number"))
        @if registration.part("until").is_string() {
            small.dim { (day(registration, "from")) " to " (day(registration, "until")) }
        }
    };
    let business = html! {
        (agent.text("business"))
        @if agent.part("form").is_string() { small.dim { (words::word(agent.text("form"))) } }
    };
    html! { dl.facts {
        (fact("Name", &said(agent, "name")))
        (fact("Business", &business))
        (fact("Address", &all_of(agent, "addresses")))
        (fact("Phone", &all_of(agent, "phones")))
        (fact("E-mail", &all_of(agent, "emails")))
        (fact("Registered", &registered))
        (fact("Also in", &all_of(filing, "other_states")))
    } }
}

fn contract_facts(page: &Page<'_>, filing: &Value) -> Markup {
    let contract = filing.part("contract");
    let term = html! {
        @if contract.part("from").is_string() {
            (day(contract, "from"))
            @if contract.part("until").is_string() { " to " (day(contract, "until")) }
        }
    };
    let pay = html! {
        (contract.text("consideration"))
        @if let Some(method) = contract.part("consideration_method").as_str() {
            small.dim { (method) }
        }
    };
    html! { dl.facts {
        (fact("Signed", &moment(page, contract, "signed_at")))
        (fact("Term", &term))
        (fact("Services", &said(contract, "services")))
        (fact("Consideration", &pay))
        (fact("Other pay", &said(contract, "other_pay")))
        (fact("Expenses", &said(contract, "expenses")))
        (fact("Persons paid by the agent", &all_of(contract, "persons_paid")))
        @if contract.part("cancelled_at").is_string() {
            (fact("Cancelled", &moment(page, contract, "cancelled_at")))
        }
    } }
}

fn versions(page: &Page<'_>, filing: &Value, people: &People) -> Markup {
    let all = filing.list("history");
    html! {
        section.panel {
            header { h2 id="ver" { "Versions" } }
            div.scroll role="region" aria-labelledby="ver" tabindex="0" { table {
                thead { tr {
                    th.n scope="col" { "Version" }
                    th scope="col" { "What" }
                    th.p2 scope="col" { "By" }
                    th scope="col" { "When" }
                } }
                tbody { @for version in all { tr {
                    td.n { (version.part("version")) }
                    th scope="row" {
                        (words::word(version.text("action")))
                        @if let Some(note) = version.part("note").as_str() { small.dim { (note) } }
                    }
                    td.p2 { (people.name(version.text("by"))) }
                    td.w { (moment(page, version, "at")) }
                } } }
            } }
        }
    }
}

/// What a complete filing has, and whether this one has it.
fn completeness(page: &Page<'_>, filing: &Value) -> Markup {
    let (agent, registration) = (filing.part("agent"), filing.part("registration"));
    let contract = filing.part("contract");
    let warned = filing.part("warning_notice_present").as_bool();
    let has = |record: &Value, name: &str| !record.text(name).is_empty();
    let checks = [
        ("Agent named", has(agent, "name"), said(agent, "business")),
        ("Registration", has(registration, "number"), said(registration, "number")),
        ("Day of signing", has(contract, "signed_at"), moment(page, contract, "signed_at")),
        (
            "Warning notice in the contract",
            warned == Some(true),
            html! { @if warned == Some(false) { "the contract does not have it" } },
        ),
        (
            "Separate acknowledgement",
            has(filing, "acknowledgement_signed_at"),
            moment(page, filing, "acknowledgement_signed_at"),
        ),
        (
            "The agent's notice",
            has(filing.part("notices"), "agent_at"),
            moment(page, filing.part("notices"), "agent_at"),
        ),
        (
            "The athlete's notice",
            has(filing.part("notices"), "athlete_at"),
            moment(page, filing.part("notices"), "athlete_at"),
        ),
    ];
    html! {
        section.panel.pad {
            h2 { "Complete?" }
            ul.line {
                @for (name, is_there, about) in &checks {
                    li class=(if *is_there { "done" } else { "bad" }) {
                        (name)
                        small class=(if *is_there { "dim" } else { "bad" }) {
                            @if about.0.is_empty() && !is_there { "not given" } @else { (about) }
                        }
                    }
                }
                @if has(filing, "guardian_signed_at") {
                    li.done { "Guardian" small.dim { (moment(page, filing, "guardian_signed_at")) } }
                }
            }
        }
    }
}

fn decision(page: &Page<'_>, filing: &Value, typed: &Query) -> Markup {
    let state = filing.text("status");
    if page.allowed("disclosure.update").is_none() || !matches!(state, "submitted" | "acknowledged")
    {
        return html! {};
    }
    // What was received can only end.
    let offered = |(word, ..): &Way| (state == "submitted") != (*word == "terminate");
    let ways = DECISIONS.into_iter().filter(offered);
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="dec" {
            h2 id="dec" { "Your decision" }
            (page.hidden())
            input type="hidden" name="version" value=(filing.part("version"));
            (deciding::ways("decision", ways, typed))
            (REASON.show(typed))
            div.acts { button.pri { "Decide" } }
        }
    }
}

fn documents(page: &Page<'_>, filing: &Value) -> Markup {
    let all = filing.list("documents");
    html! {
        section.panel.pad {
            h2 { "Documents" }
            @if all.is_empty() { p.dim { "No document came with it." } } @else {
                ul.plainlist { @for document in all {
                    @let id = document.part("id");
                    @let kilobytes = document.number("size") / 1_024;
                    li {
                        a href=(page.at(&format!("/file/file.download?id={id}"))) {
                            (document.text("name"))
                        }
                        " " small { (words::number(kilobytes.max(1))) " kB" }
                    }
                } }
            }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let mut input: Map<String, Value> = one("id", page.id());
    for name in ["decision", "note"] {
        if let Some(value) = sent.get(name) {
            input.insert(name.into(), value.into());
        }
    }
    if let Some(version) = sent.get("version").and_then(|version| version.parse::<i64>().ok()) {
        input.insert("version".into(), version.into());
    }
    match page.write("disclosure.update", input, &sent).await {
        Ok(_) => Ok(Outcome::to(&page.at(page.path))),
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}
