//! One filing about an athlete's agent: its clocks, what it says, whether it is complete, the
//! decision.

use futures::future::join;
use maud::{Markup, html};
use nil_core::filings::FilingDecision;
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
use crate::console::screens::{Form, Outcome, acts};
use crate::console::texts::{key, say, tell};
use crate::console::{icons, words};

/// What an officer can decide: the word, what people call it, and what comes of it.
const DECISIONS: [Way; 3] = [
    ("acknowledge", key!("decide-acknowledge"), key!("decide-acknowledge-about")),
    ("return", key!("decide-return"), key!("decide-return-about")),
    ("terminate", key!("decide-terminate"), key!("decide-terminate-about")),
];

const REASON: Reason<'_> =
    Reason { name: "note", label: key!("reason"), hint: key!("filing-reason-hint"), most: 4_000 };

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
    let title = say!("agent-for", agent = agent, athlete = athlete);
    let content = html! {
        (head(page, filing, &title))
        @if let Some(error) = refused { (refusal_note(error)) }
        section.panel aria-labelledby="clocks" {
            header {
                h2 id="clocks" { (say!("the-clocks")) }
                @if filing.part("contract").moment("signed_at").is_some() {
                    @let signed = moment(page, filing.part("contract"), "signed_at");
                    small { (tell!("counted-from", at = signed)) }
                }
            }
            div.pad.duo {
                (clock::of_filing(page, filing))
                @if let Some(at) = filing.moment("submitted_at") {
                    div.clock {
                        @let ago = say!("ago", span = words::span(page.desk.now() - at));
                        b { span { (say!("col-received")) } span { (ago) } }
                        small.dim { (words::short_moment(at, page.person.zone)) }
                    }
                }
            }
        }
        div.two {
            div {
                section.panel.pad { h2 { (say!("col-agent")) } (agent_facts(filing)) }
                section.panel.pad { h2 { (say!("contract")) } (contract_facts(page, filing)) }
                (versions(page, filing, &people))
            }
            div.stick.stack {
                (completeness(page, filing))
                (decision(page, filing, typed))
                (documents(page, filing))
            }
        }
    };
    let mut shown = Shown::new(title, content).below(page.at("/filings"), say!("nav-filings"));
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
                    (words::word(filing.text("kind"))) " · "
                    (say!("version-small", version = filing.number("version"))) " · "
                    a href=(athlete) { (filing.text("athlete_name")) } " "
                    (words::chip(filing.text("status")))
                    @if filing.is_true("late") { " " span.chip.bad { (say!("inbox-late")) } }
                }
            }
            div.row {
                @if acts::is_possible(page, "disclosure.update", filing.text("status")) {
                    a.btn href=(page.at(&format!("/op/disclosure.update?id={id}"))) {
                        (say!("correct-filing"))
                    }
                }
                @if page.allowed("disclosure.download_documents").is_some() && has_documents(filing) {
                    a.btn href=(page.at(&format!("/file/disclosure.download_documents?id={id}"))) {
                        (icons::DOWN.show()) (say!("documents-zip"))
                    }
                }
                (more(page, filing, title))
            }
        }
    }
}

/// What can be done with the filing beside a correction and a decision.
fn more(page: &Page<'_>, filing: &Value, title: &str) -> Markup {
    let elsewhere = ["disclosure.update"];
    let all = acts::of_record(page, "athlete_agent_disclosure", filing, &elsewhere);
    acts::menu(page, &all, icons::MORE, title)
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
            small.dim {
                (tell!("from-to", from = day(registration, "from"), to = day(registration, "until")))
            }
        }
    };
    let business = html! {
        (agent.text("business"))
        @if agent.part("form").is_string() { small.dim { (words::word(agent.text("form"))) } }
    };
    html! { dl.facts {
        (fact(&say!("col-name"), &said(agent, "name")))
        (fact(&say!("business"), &business))
        (fact(&say!("address"), &all_of(agent, "addresses")))
        (fact(&say!("phone"), &all_of(agent, "phones")))
        (fact(&say!("email"), &all_of(agent, "emails")))
        (fact(&say!("registered"), &registered))
        (fact(&say!("also-in"), &all_of(filing, "other_states")))
    } }
}

fn contract_facts(page: &Page<'_>, filing: &Value) -> Markup {
    let contract = filing.part("contract");
    let term = html! {
        @if contract.part("from").is_string() {
            @if contract.part("until").is_string() {
                (tell!("from-to", from = day(contract, "from"), to = day(contract, "until")))
            } @else { (day(contract, "from")) }
        }
    };
    let pay = html! {
        (contract.text("consideration"))
        @if let Some(method) = contract.part("consideration_method").as_str() {
            small.dim { (method) }
        }
    };
    html! { dl.facts {
        (fact(&say!("col-signed"), &moment(page, contract, "signed_at")))
        (fact(&say!("term"), &term))
        (fact(&say!("services"), &said(contract, "services")))
        (fact(&say!("consideration"), &pay))
        (fact(&say!("other-pay"), &said(contract, "other_pay")))
        (fact(&say!("expenses"), &said(contract, "expenses")))
        (fact(&say!("persons-paid"), &all_of(contract, "persons_paid")))
        @if contract.part("cancelled_at").is_string() {
            (fact(&say!("cancelled"), &moment(page, contract, "cancelled_at")))
        }
    } }
}

fn versions(page: &Page<'_>, filing: &Value, people: &People) -> Markup {
    let all = filing.list("history");
    html! {
        section.panel {
            header { h2 id="ver" { (say!("versions")) } }
            div.scroll role="region" aria-labelledby="ver" tabindex="0" { table {
                thead { tr {
                    th.n scope="col" { (say!("col-version")) }
                    th scope="col" { (say!("col-what")) }
                    th.p2 scope="col" { (say!("col-by")) }
                    th scope="col" { (say!("col-when")) }
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
        (say!("agent-named"), has(agent, "name"), said(agent, "business")),
        (say!("registration"), has(registration, "number"), said(registration, "number")),
        (say!("day-of-signing"), has(contract, "signed_at"), moment(page, contract, "signed_at")),
        (
            say!("warning-notice"),
            warned == Some(true),
            html! { @if warned == Some(false) { (say!("no-warning-notice")) } },
        ),
        (
            say!("separate-acknowledgement"),
            has(filing, "acknowledgement_signed_at"),
            moment(page, filing, "acknowledgement_signed_at"),
        ),
        (
            say!("the-agents-notice"),
            has(filing.part("notices"), "agent_at"),
            moment(page, filing.part("notices"), "agent_at"),
        ),
        (
            say!("the-athletes-notice"),
            has(filing.part("notices"), "athlete_at"),
            moment(page, filing.part("notices"), "athlete_at"),
        ),
    ];
    html! {
        section.panel.pad {
            h2 { (say!("complete-question")) }
            ul.line {
                @for (name, is_there, about) in &checks {
                    li class=(if *is_there { "done" } else { "bad" }) {
                        (name)
                        small class=(if *is_there { "dim" } else { "bad" }) {
                            @if about.0.is_empty() && !is_there { (say!("not-given")) } @else { (about) }
                        }
                    }
                }
                @if has(filing, "guardian_signed_at") {
                    li.done { (say!("guardian")) small.dim { (moment(page, filing, "guardian_signed_at")) } }
                }
            }
        }
    }
}

fn decision(page: &Page<'_>, filing: &Value, typed: &Query) -> Markup {
    let state = filing.text("status");
    let offered =
        |(word, ..): &Way| deciding::is_possible(word, state, FilingDecision::possible_in);
    let mut ways = DECISIONS.into_iter().filter(offered).peekable();
    if !acts::is_possible(page, "disclosure.update", state) || ways.peek().is_none() {
        return html! {};
    }
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="decision" {
            h2 id="decision" { (say!("your-decision")) }
            (page.hidden())
            input type="hidden" name="version" value=(filing.part("version"));
            (deciding::ways("decision", ways, typed))
            (REASON.show(typed))
            div.acts { button.pri { (say!("decide")) } }
        }
    }
}

fn documents(page: &Page<'_>, filing: &Value) -> Markup {
    let all = filing.list("documents");
    html! {
        section.panel.pad {
            h2 { (say!("documents")) }
            @if all.is_empty() { p.dim { (say!("no-document")) } } @else {
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
