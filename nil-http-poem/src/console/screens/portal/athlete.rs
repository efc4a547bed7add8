//! One athlete: what they received, their deals, their agent, what happened.

use chrono_tz::Tz;
use futures::future::join5;
use maud::{Markup, html};
use nil_core::error::codes;
use nil_core::kernel::{Time, day_in};
use nil_core::{Error, Result};
use serde_json::{Map, Value, json};

use super::cells::marks;
use super::clock;
use crate::console::call::{Page, Shown, one};
use crate::console::cells::{cents, figure};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::acts::{menu, of_record};
use crate::console::table::rows_of;
use crate::console::texts::{say, tell};
use crate::console::{icons, words};

/// The most deals on the page; the others are on the page of transactions.
const DEALS: i64 = 25;
/// The most lines of what happened.
const LINES: usize = 12;

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    let of = || {
        let mut input = one("athlete_ids", json!([page.id()]));
        input.insert("per_page".into(), DEALS.into());
        input
    };
    let (card, deals, disclosed, clearances, filings) = join5(
        page.read("athlete.list", of()),
        page.part("transaction.list", of()),
        page.part("disclosed_job.list", of()),
        page.part("clearance.list", of()),
        page.part("disclosure.list", of()),
    )
    .await;
    let card = card?;
    let athlete = rows_of(&card).first().ok_or_else(|| Error::from(codes::NOT_FOUND))?;
    let rows = |answer: &Option<Value>| answer.as_ref().map(rows_of).unwrap_or_default().to_vec();
    let (deals, disclosed, clearances) = (rows(&deals), rows(&disclosed), rows(&clearances));
    let filings = rows(&filings);
    let content = html! {
        (head(page, athlete))
        (figures(athlete, &disclosed, &clearances))
        div.two {
            div {
                (deal_table(page, &deals, athlete.part("totals").number("count")))
                (happened(page.person.zone, &deals, &disclosed, &clearances))
            }
            aside.stack aria-label=(say!("agent-and-particulars")) {
                (agent(page, &filings))
                (particulars(page, athlete))
                (documents(page, &deals, &clearances))
            }
        }
    };
    let shown = Shown::new(athlete.text("display_name"), content);
    Ok(shown.below(page.at("/athletes"), say!("nav-athletes")).into())
}

fn head(page: &Page<'_>, athlete: &Value) -> Markup {
    let id = page.id();
    let jersey = athlete.part("jersey_number").as_str().map(|number| format!("№ {number}"));
    let said = [
        Some(athlete.text("sport").to_owned()),
        athlete.part("position").as_str().map(str::to_owned),
        athlete.part("class_year").as_str().map(words::word),
        jersey,
    ];
    let said: Vec<String> = said.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    html! {
        div.head {
            div {
                h1 { (athlete.text("display_name")) }
                p { (said.join(" · ")) " " (marks(athlete)) }
            }
            div.row {
                a.btn href=(page.at(&format!("/transactions?athlete_ids={id}"))) { (say!("nav-transactions")) }
                a.btn href=(page.at(&format!("/deals?athlete_ids={id}"))) { (say!("nav-deals")) }
                @if page.allowed("disclosure.submit").is_some() {
                    a.btn href=(page.at(&format!("/op/disclosure.submit?athlete_id={id}"))) {
                        (say!("file-agent-notice"))
                    }
                }
                (more(page, athlete))
            }
        }
    }
}

/// What can be done with the athlete beside a filing, which has a button.
fn more(page: &Page<'_>, athlete: &Value) -> Markup {
    let acts = of_record(page, "athlete", athlete, &["disclosure.submit"]);
    menu(page, &acts, icons::MORE, athlete.text("display_name"))
}

fn figures(athlete: &Value, disclosed: &[Value], clearances: &[Value]) -> Markup {
    let totals = athlete.part("totals");
    let is = |row: &&Value, states: &[&str]| states.contains(&row.text("status"));
    let open = disclosed
        .iter()
        .filter(|row| is(row, &["submitted", "under_review", "info_requested"]))
        .count();
    let needed = clearances.iter().filter(|row| !is(row, &["not_required"])).count();
    let flagged = clearances.iter().filter(|row| is(row, &["flagged"])).count();
    let beside = say!("transactions-of", count = totals.number("count"));
    html! {
        dl.figs {
            (figure(&say!("received-all-time"), &words::money(totals.number("gross_cents")), &beside))
            (figure(&say!("refunded-sum"), &words::money(totals.number("refunded_cents")), ""))
            (figure(&say!("deals-without-decision"), &open.to_string(), ""))
            (figure(&say!("nav-clearances"), &needed.to_string(), &say!("flagged-of", count = flagged)))
        }
    }
}

/// The address of a contract's file, if there is one.
fn contract(page: &Page<'_>, deal: &Value) -> Option<String> {
    page.allowed("contract.download")?;
    let (job, athlete) = (deal.part("job_id").as_i64()?, deal.part("athlete_id").as_i64()?);
    deal.part("contract_id").as_i64()?;
    let query = format!("?athlete_id={athlete}&job_id={job}");
    Some(page.at(&format!("/file/contract.download{query}")))
}

fn deal_table(page: &Page<'_>, deals: &[Value], all: i64) -> Markup {
    let zone = page.person.zone;
    html! {
        section.panel {
            header { h2 id="deals" { (say!("col-deals")) } small { (say!("newest-first")) } }
            @if deals.is_empty() { div.empty { h2 { (say!("no-deals-yet")) } } } @else {
                div.scroll role="region" aria-labelledby="deals" tabindex="0" { table {
                    thead { tr {
                        th scope="col" { (say!("col-deal")) }
                        th.p2 scope="col" { (say!("col-payer")) }
                        th.p3 scope="col" { (say!("col-source")) }
                        th.n scope="col" { (say!("col-amount")) }
                        th scope="col" { (say!("col-state")) }
                        th.p2 scope="col" { (say!("contract")) }
                    } }
                    tbody { @for deal in deals { tr {
                        th scope="row" {
                            @match deal.part("disclosed_job_id").as_i64() {
                                Some(id) => a href=(page.at(&format!("/deals/{id}"))) {
                                    (deal.text("category"))
                                },
                                None => (deal.text("category")),
                            }
                            small.dim {
                                @if let Some(at) = deal.moment("occurred_at") {
                                    (words::day(day_in(at, zone)))
                                }
                            }
                        }
                        td.p2 { (deal.text("payer")) }
                        td.p3 { (words::word(deal.text("source"))) }
                        td.n { (cents(deal, "gross_cents")) }
                        td { (words::chip(deal.text("status"))) }
                        td.p2 { @if let Some(file) = contract(page, deal) {
                            a href=(file) { "PDF" span.vh { ", " (say!("contract-number", number = deal.text("number"))) } }
                        } }
                    } } }
                } }
                footer { span {
                    (say!("shown", shown = deals.len())) @if all > DEALS { ". "
                        a href=(page.at(&format!("/transactions?athlete_ids={}", page.id()))) {
                            (say!("all-transactions")) } }
                } }
            }
        }
    }
}

/// What happened: the instant, the form of the line, the words.
type Line = (Time, &'static str, Markup);

fn happened(zone: Tz, deals: &[Value], disclosed: &[Value], clearances: &[Value]) -> Markup {
    let mut lines: Vec<Line> = Vec::new();
    for deal in deals.iter().filter(|deal| deal.text("source") == "platform") {
        let (payer, state) = (deal.text("payer"), deal.text("status"));
        let said = html! { (payer) ": " (cents(deal, "gross_cents")) " " (words::chip(state)) };
        lines.extend(deal.moment("occurred_at").map(|at| (at, "done", said)));
    }
    for deal in disclosed {
        let title = deal.text("title");
        let said = html! { (say!("was-disclosed", title = title)) };
        lines.extend(deal.moment("first_submitted_at").map(|at| (at, "done", said)));
        let said = tell!("deal-state", title = title, state = words::chip(deal.text("status")));
        lines.extend(deal.moment("decided_at").map(|at| (at, "done", said)));
    }
    for clearance in clearances {
        let (title, state) = (clearance.text("title"), clearance.text("status"));
        let reference = clearance.part("reference").as_str();
        let said = html! {
            (say!("was-sent", title = title))
            @if let Some(reference) = reference { ", " (reference) }
        };
        lines.extend(clearance.moment("submitted_at").map(|at| (at, "done", said)));
        let said = html! {
            (tell!("clearinghouse-state", state = words::chip(state))) " "
            @if let Some(note) = clearance.part("note").as_str() { (note) }
        };
        let form = if words::tone(state) == "good" { "done" } else { "bad" };
        lines.extend(clearance.moment("decided_at").map(|at| (at, form, said)));
    }
    lines.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
    html! {
        section.panel.pad {
            h2 { (say!("what-happened")) }
            @if lines.is_empty() { p.dim { (say!("o-nothing-yet")) } }
            ol.line { @for (at, form, said) in lines.iter().take(LINES) {
                li class=(form) { (said) small { (words::moment(*at, zone)) } }
            } }
        }
    }
}

/// The agent of the newest filing, with its clocks.
fn agent(page: &Page<'_>, filings: &[Value]) -> Markup {
    let Some(filing) = filings.first() else {
        return html! { section.panel.pad { h2 { (say!("col-agent")) } p.dim { (say!("no-filing-names-an-agent")) } } };
    };
    let party = filing.part("agent");
    html! {
        section.panel.pad {
            h2 { (say!("col-agent")) }
            p {
                a href=(page.at(&format!("/filings/{}", filing.part("id")))) {
                    (party.text("name"))
                }
                br;
                small { (party.text("business")) " · " (words::chip(filing.text("status"))) }
            }
            (clock::of_filing(page, filing))
        }
    }
}

fn particulars(page: &Page<'_>, athlete: &Value) -> Markup {
    let zone = page.person.zone;
    html! {
        section.panel.pad {
            h2 { (say!("particulars")) }
            dl.facts {
                dt { (say!("sport")) } dd { (athlete.text("sport")) }
                @if let Some(year) = athlete.part("class_year").as_str() {
                    dt { (say!("col-year")) } dd { (words::word(year)) }
                }
                dt { (say!("account")) } dd { (words::chip(athlete.text("status"))) }
                dt { (say!("under-18")) }
                dd { @if athlete.is_true("minor") { (say!("yes")) } @else { (say!("no")) } }
                @if let Some(agency) = athlete.part("agency").as_str() {
                    dt { (say!("agency")) } dd { (agency) }
                }
                @if let Some(since) = athlete.moment("created_at") {
                    dt { (say!("on-the-platform-since")) }
                    dd { (words::day(day_in(since, zone))) }
                }
            }
        }
    }
}

/// Contracts and packets, each once.
fn documents(page: &Page<'_>, deals: &[Value], clearances: &[Value]) -> Markup {
    let mut contracts: Map<String, Value> = Map::new();
    for deal in deals {
        if let Some(file) = contract(page, deal) {
            contracts.entry(file).or_insert_with(|| deal.text("category").into());
        }
    }
    let packets = clearances.iter().filter(|row| row.text("status") != "not_required");
    let packets: Vec<&Value> = packets.take(LINES).collect();
    html! {
        section.panel.pad {
            h2 { (say!("documents")) }
            @if contracts.is_empty() && packets.is_empty() { p.dim { (say!("there-are-none")) } }
            ul.plainlist {
                @for (file, name) in &contracts {
                    li { a href=(file) { (say!("contract-of", name = name.as_str().unwrap_or_default())) } }
                }
                @for packet in packets {
                    li { a href=(page.at(&format!("/clearances/{}", packet.part("id")))) {
                        (say!("packet-titled", title = packet.text("title")))
                    } }
                }
            }
            p.hint { (say!("every-view-and-download-is-recorded")) }
        }
    }
}
