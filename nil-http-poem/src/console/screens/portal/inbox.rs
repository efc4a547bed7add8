//! What is late, what waits for a decision, and what is due soon.

use chrono::{Days, NaiveDate, TimeDelta};
use maud::{Markup, html};
use nil_core::kernel::{Time, day_in};
use nil_core::{Error, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::console::call::{Page, Shown, one};
use crate::console::icons;
use crate::console::part::Part as _;
use crate::console::picks::{self, Picks};
use crate::console::screens::{Form, Outcome};
use crate::console::{counts, describe, reading, views, words};

/// How far ahead the inbox looks unless the address says it.
const AHEAD: Days = Days::new(14);

#[derive(Debug, Deserialize)]
struct Inbox {
    data: Vec<Item>,
    counts: Counts,
    next: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Item {
    kind: String,
    id: i64,
    group: String,
    title: String,
    counterparty: Option<String>,
    athlete_id: i64,
    athlete_name: String,
    sport: Option<String>,
    marks: Vec<String>,
    amount_cents: Option<i64>,
    since: Option<Time>,
    due_at: Option<Time>,
    assignee_name: Option<String>,
    snoozed_until: Option<Time>,
}

#[derive(Debug, Deserialize)]
struct Counts {
    groups: Map<String, Value>,
    kinds: Map<String, Value>,
    snoozed: i64,
}

/// The kinds of items, with what people call them.
const KINDS: [(&str, &str, &str); 4] = [
    ("disclosed_job", "Disclosed deals", "Disclosed deal"),
    ("clearance", "Clearinghouse", "Clearinghouse"),
    ("agent_notice", "Agent notices", "Agent notice"),
    ("deliverable", "Deliverables", "Deliverable"),
];

const GROUPS: [(&str, &str); 3] =
    [("late", "Late"), ("waiting", "Waiting for your decision"), ("due", "Due")];

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, None).await?.into())
}

async fn show(page: &Page<'_>, said: Option<Markup>) -> Result<Shown> {
    let entry = page.side.entry("inbox.list");
    let fields = entry.map(|entry| &describe::of(entry).fields);
    let asked = fields
        .and_then(|fields| reading::read(fields, &page.query, page.person.zone).ok())
        .unwrap_or_default();
    let picks = async {
        let acts = page.allowed("inbox.assign").map(|entry| &describe::of(entry).fields);
        let all = [fields, acts].into_iter().flatten().flatten().cloned();
        picks::of(page, &all.collect::<Vec<_>>()).await
    };
    let (answer, picks) = futures::join!(page.read("inbox.list", asked), picks);
    let answer = answer?;
    if page.query.0.is_empty() {
        counts::note(page, &answer);
    }
    let inbox: Inbox = serde_json::from_value(answer).map_err(Error::internal)?;
    Ok(Shown::new(
        "Inbox",
        html! {
            (head(page, &inbox))
            @if let Some(said) = said { (said) }
            (tabs(page, &inbox))
            (views::show(page))
            (filters(page, &inbox, &picks))
            (list(page, &inbox, &picks))
        },
    ))
}

fn until(page: &Page<'_>) -> NaiveDate {
    let asked = page.query.get("to").and_then(|day| day.parse().ok());
    let today = day_in(page.desk.now(), page.person.zone);
    asked.unwrap_or_else(|| today.checked_add_days(AHEAD).unwrap_or(today))
}

fn number(counts: &Map<String, Value>, name: &str) -> i64 {
    counts.get(name).and_then(Value::as_i64).unwrap_or_default()
}

fn head(page: &Page<'_>, inbox: &Inbox) -> Markup {
    let of = |group| number(&inbox.counts.groups, group);
    let (late, waiting, due) = (of("late"), of("waiting"), of("due"));
    let first = inbox.data.first().map(|item| address(page, item));
    html! {
        div.head {
            div {
                h1 { "Inbox" }
                p {
                    @if late + waiting + due == 0 {
                        "Nothing is late, nothing is due by " (words::short_day(until(page))) "."
                    } @else {
                        @if late > 0 { b.bad { (late) " late" } } @else { "Nothing is late" }
                        ", " (waits(waiting)) ", " (due) " more due by "
                        (words::short_day(until(page))) "."
                    }
                }
            }
            @if let Some(first) = first {
                div.row { a.btn href=(first) { "Start with the first" } }
            }
        }
    }
}

fn waits(count: i64) -> String {
    match count {
        0 => "nothing waits for your decision".into(),
        1 => "1 waits for your decision".into(),
        many => format!("{many} wait for your decision"),
    }
}

fn tabs(page: &Page<'_>, inbox: &Inbox) -> Markup {
    let all: i64 = KINDS.iter().map(|(kind, ..)| number(&inbox.counts.kinds, kind)).sum();
    let current = page.query.get("kinds");
    let at = |kind: Option<&str>| page.here(&page.query.without(&["after"]).with("kinds", kind));
    let is = |is: bool| is.then_some("page");
    html! {
        ul.tabs {
            li { a href=(at(None)) aria-current=[is(current.is_none())] {
                "Everything " span.num { (all) }
            } }
            @for (kind, title, _) in KINDS {
                li { a href=(at(Some(kind))) aria-current=[is(current == Some(kind))] {
                    (title) " " span.num { (number(&inbox.counts.kinds, kind)) }
                } }
            }
        }
    }
}

fn filters(page: &Page<'_>, inbox: &Inbox, picks: &Picks) -> Markup {
    let chosen = |name: &str, value: &str| page.query.get(name) == Some(value);
    html! {
        details.filt {
            summary.btn { "Filters" }
            form.filters method="get" role="search" aria-label="Filter the inbox" {
                @if let Some(kind) = page.query.get("kinds") {
                    input type="hidden" name="kinds" value=(kind);
                }
                @if let Some(sports) = picks.of("sport") {
                    label { "Sport"
                        select name="sport_ids" {
                            option value="" { "All sports" }
                            @for (id, name) in &sports.records {
                                option value=(id) selected[chosen("sport_ids", &id.to_string())] {
                                    (name)
                                }
                            }
                        }
                    }
                }
                label { "Assigned to"
                    select name="assigned" {
                        @for (value, name) in [("", "Anybody"), ("me", "Me"), ("nobody", "Nobody")] {
                            option value=(value) selected[chosen("assigned", value)] { (name) }
                        }
                    }
                }
                label { "Snoozed"
                    select name="snoozed" {
                        option value="" { "Hidden (" (inbox.counts.snoozed) ")" }
                        option value="true" selected[chosen("snoozed", "true")] { "Shown" }
                    }
                }
                label { "Due by" input.w type="date" name="to" value=[page.query.get("to")]; }
                button { "Apply" }
            }
        }
    }
}

/// The page of an item.
fn address(page: &Page<'_>, item: &Item) -> String {
    let path = match item.kind.as_str() {
        "disclosed_job" => format!("/deals/{}", item.id),
        "clearance" => format!("/clearances/{}", item.id),
        "agent_notice" => format!("/filings/{}", item.id),
        _ => format!("/athletes/{}", item.athlete_id),
    };
    page.at(&path)
}

fn list(page: &Page<'_>, inbox: &Inbox, picks: &Picks) -> Markup {
    if inbox.data.is_empty() {
        return nothing(page);
    }
    let acts = page.allowed("inbox.assign").is_some();
    let next = inbox.next.as_deref().map(|next| page.here(&page.query.with("after", Some(next))));
    html! {
        form.panel method="post" action=(page.here(&page.query)) {
            (page.hidden())
            div.scroll role="region" aria-labelledby="cap" tabindex="0" {
                table data-keys {
                    caption id="cap" class="vh" { "What is due, late first" }
                    thead { tr {
                        @if acts { td.c {
                            input type="checkbox" data-all
                                aria-label={ "Select all " (inbox.data.len()) " on this page" };
                        } }
                        th scope="col" { "Due" }
                        th scope="col" { "What" }
                        th.p2 scope="col" { "Athlete" }
                        th.p2 scope="col" { "Marks" }
                        th.n.p3 scope="col" { "Amount" }
                        th.p3 scope="col" { "With" }
                    } }
                    @for (group, title) in GROUPS {
                        @let items = inbox.data.iter().filter(|item| item.group == group);
                        @let items: Vec<&Item> = items.collect();
                        @if !items.is_empty() {
                            tbody {
                                tr { th scope="rowgroup" colspan=(6 + i32::from(acts)) {
                                    b { (title) } (number(&inbox.counts.groups, group))
                                } }
                                @for item in items { (row(page, item, acts)) }
                            }
                        }
                    }
                }
            }
            footer {
                span { (inbox.data.len()) " shown" }
                span.pager {
                    @if page.query.get("after").is_some() {
                        a.btn.small href=(page.here(&page.query.without(&["after"]))) { "First" }
                    }
                    @if let Some(next) = next {
                        a.btn.small rel="next" href=(next) { "Next" (icons::NEXT.show()) }
                    }
                }
            }
            @if acts { (bulk(picks)) }
        }
    }
}

fn row(page: &Page<'_>, item: &Item, acts: bool) -> Markup {
    let kind = KINDS.iter().find(|(kind, ..)| *kind == item.kind).map_or("", |(_, _, one)| one);
    let athlete = page.at(&format!("/athletes/{}", item.athlete_id));
    html! { tr {
        @if acts { td.c {
            input type="checkbox" name="items" value={ (item.kind) ":" (item.id) }
                aria-label={ "Select " (item.title) ", " (item.athlete_name) };
        } }
        td.w { (clock(page, item)) }
        th scope="row" {
            a href=(address(page, item)) { (item.title) }
            small { (kind) @if let Some(with) = &item.counterparty { " · " (with) } }
        }
        td.p2 {
            a href=(athlete) { (item.athlete_name) }
            @if let Some(sport) = &item.sport { small { (sport) } }
        }
        td.p2 { @for mark in &item.marks { (mark_chip(mark)) " " } }
        td.n.p3 { @if let Some(cents) = item.amount_cents { (words::money(cents)) } }
        td.w.p3 { @if let Some(name) = &item.assignee_name { (name) } }
    } }
}

/// A mark of a deal.
pub(super) fn mark_chip(mark: &str) -> Markup {
    let tone = if mark == "late" { "bad" } else { "warn" };
    html! { span class={ "chip " (tone) } { (words::word(mark)) } }
}

/// How late something is, how long it waits, or when it is due.
fn clock(page: &Page<'_>, item: &Item) -> Markup {
    let (now, zone) = (page.desk.now(), page.person.zone);
    html! {
        @match (item.group.as_str(), item.due_at, item.since) {
            ("late", Some(due), _) => {
                span.chip.bad { (words::span(now - due)) " late" }
                small.p2 { (words::short_moment(due, zone)) }
            }
            ("waiting", _, Some(since)) => {
                span.chip.warn { "waits " (words::span(now - since)) }
                small.p2 { "since " (words::short_moment(since, zone)) }
            }
            (_, Some(due), _) => {
                @let left = due - now;
                span.chip { @if left < TimeDelta::days(1) { "due today" } @else { "in " (words::span(left)) } }
                small.p2 { (words::short_moment(due, zone)) }
            }
            _ => span.chip { "no deadline" },
        }
        @if let Some(until) = item.snoozed_until {
            small { "snoozed until " (words::short_moment(until, zone)) }
        }
    }
}

/// What can be done with the selected items. It stands after them, so that it is reached by the Tab
/// key when they have been selected.
fn bulk(picks: &Picks) -> Markup {
    html! {
        div.bulk data-bulk {
            b { span data-count { "0" } " selected" }
            @if let Some(team) = picks.of("portal_user") {
                label.vh for="to" { "Assign to" }
                select id="to" name="assignee_id" {
                    option value="" { "Nobody" }
                    @for (id, name) in &team.records { option value=(id) { (name) } }
                }
            }
            button name="act" value="assign" { "Assign" }
            button name="act" value="snooze" { "Snooze until tomorrow" }
            button name="act" value="remind" { "Remind those whose turn it is" }
        }
    }
}

fn nothing(page: &Page<'_>) -> Markup {
    html! {
        section.panel { div.empty {
            @if page.query.0.is_empty() {
                h2 { "You are done" }
                p { a.btn href=(page.at("/transactions")) { "Look at transactions" } }
            } @else {
                h2 { "None" }
                p { "Nothing matches what the filters ask for." }
                p { a.btn href=(page.at("")) { "Remove the filters" } }
            }
        } }
    }
}

/// What became of an item of a bulk.
#[derive(Debug, Deserialize)]
struct Line {
    kind: String,
    id: i64,
    done: bool,
    refusal: Option<String>,
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let items: Vec<&str> = sent.all("items").collect();
    if items.is_empty() {
        let said = html! {
            section.note.warn role="alert" tabindex="-1" id="errors" { h2 { "Nothing is selected" } }
        };
        return Ok(show(page, Some(said)).await?.into());
    }
    let mut input = one("items", json!(items));
    let act = sent.get("act").unwrap_or_default();
    match act {
        "assign" => {
            let assignee = sent.get("assignee_id").and_then(|id| id.parse::<i64>().ok());
            input.insert("assignee_id".into(), assignee.into());
        }
        "snooze" => {
            let until = page.desk.now() + TimeDelta::days(1);
            input.insert("until".into(), until.format("%Y-%m-%dT%H:%M:%SZ").to_string().into());
        }
        _ => {}
    }
    let answer = page.write(&format!("inbox.{act}"), input, &sent).await?;
    let lines = answer.part("data").part("items");
    let lines: Vec<Line> = serde_json::from_value(lines.clone()).unwrap_or_default();
    Ok(show(page, Some(told(&lines, act))).await?.into())
}

/// What was done, and what was refused, line by line.
fn told(lines: &[Line], act: &str) -> Markup {
    let done = lines.iter().filter(|line| line.done).count();
    let refused: Vec<&Line> = lines.iter().filter(|line| !line.done).collect();
    let verb = match act {
        "assign" => "assigned",
        "snooze" => "snoozed until tomorrow",
        _ => "reminded of",
    };
    let tone = if refused.is_empty() { "note good" } else { "note warn" };
    html! {
        section class=(tone) role="status" {
            h2 { (done) " of " (lines.len()) " " (verb) }
            @if !refused.is_empty() {
                ul { @for line in refused {
                    li { (words::word(&line.kind)) " " (line.id) ": "
                        (words::word(line.refusal.as_deref().unwrap_or("refused"))) }
                } }
            }
        }
    }
}
