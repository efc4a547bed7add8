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
use crate::console::texts::{self, key, say, tell};
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

/// The kinds of items, with the keys of what people call all of them and one.
const KINDS: [(&str, &str, &str); 4] = [
    ("disclosed_job", key!("nav-deals"), key!("disclosed-deal")),
    ("clearance", key!("nav-clearances"), key!("nav-clearances")),
    ("agent_notice", key!("agent-notices"), key!("agent-notice")),
    ("deliverable", key!("deliverables"), key!("deliverable")),
];

const GROUPS: [(&str, &str); 3] =
    [("late", key!("inbox-late")), ("waiting", key!("inbox-waiting")), ("due", key!("inbox-due"))];

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
        say!("nav-inbox"),
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
                h1 { (say!("nav-inbox")) }
                p {
                    @if late + waiting + due == 0 {
                        (tell!("inbox-clear", day = words::short_day(until(page))))
                    } @else {
                        (tell!(
                            "inbox-summary",
                            late = html! {
                                @if late > 0 { b.bad { (say!("inbox-late-count", count = late)) } }
                                @else { (say!("inbox-none-late")) }
                            },
                            waiting = say!("inbox-waiting-count", count = waiting),
                            due = due,
                            day = words::short_day(until(page)),
                        ))
                    }
                }
            }
            @if let Some(first) = first {
                div.row { a.btn href=(first) { (say!("inbox-start")) } }
            }
        }
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
                (say!("inbox-everything")) " " span.num { (all) }
            } }
            @for (kind, title, _) in KINDS {
                li { a href=(at(Some(kind))) aria-current=[is(current == Some(kind))] {
                    (texts::plain(title)) " " span.num { (number(&inbox.counts.kinds, kind)) }
                } }
            }
        }
    }
}

fn filters(page: &Page<'_>, inbox: &Inbox, picks: &Picks) -> Markup {
    let chosen = |name: &str, value: &str| page.query.get(name) == Some(value);
    html! {
        details.filt {
            summary.btn { (say!("filters")) }
            form.filters method="get" role="search" aria-label=(say!("inbox-filter")) {
                @if let Some(kind) = page.query.get("kinds") {
                    input type="hidden" name="kinds" value=(kind);
                }
                @if let Some(sports) = picks.of("sport") {
                    label { (say!("sport"))
                        select name="sport_ids" {
                            option value="" { (say!("all-sports")) }
                            @for (id, name) in &sports.records {
                                option value=(id) selected[chosen("sport_ids", &id.to_string())] {
                                    (name)
                                }
                            }
                        }
                    }
                }
                label { (say!("inbox-assigned-to"))
                    select name="assigned" {
                        @for (value, name) in [("", say!("inbox-anybody")), ("me", say!("inbox-me")), ("nobody", say!("inbox-nobody"))] {
                            option value=(value) selected[chosen("assigned", value)] { (name) }
                        }
                    }
                }
                label { (say!("inbox-snoozed"))
                    select name="snoozed" {
                        option value="" { (say!("inbox-hidden", count = inbox.counts.snoozed)) }
                        option value="true" selected[chosen("snoozed", "true")] { (say!("inbox-shown")) }
                    }
                }
                label { (say!("inbox-due-by")) input.w type="date" name="to" value=[page.query.get("to")]; }
                button { (say!("apply")) }
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
                    caption id="cap" class="vh" { (say!("inbox-caption")) }
                    thead { tr {
                        @if acts { td.c {
                            input type="checkbox" data-all
                                aria-label=(say!("inbox-select-all", count = inbox.data.len()));
                        } }
                        th scope="col" { (say!("col-due")) }
                        th scope="col" { (say!("col-what")) }
                        th.p2 scope="col" { (say!("col-athlete")) }
                        th.p2 scope="col" { (say!("col-marks")) }
                        th.n.p3 scope="col" { (say!("col-amount")) }
                        th.p3 scope="col" { (say!("col-with")) }
                    } }
                    @let first = inbox.data.first().map(|item| &*item.group);
                    @for (group, title) in GROUPS {
                        @let items = inbox.data.iter().filter(|item| item.group == group);
                        @let items: Vec<&Item> = items.collect();
                        @if !items.is_empty() {
                            tbody id=[(first == Some(group)).then_some("rows")] {
                                tr { th scope="rowgroup" colspan=(6 + i32::from(acts)) {
                                    b { (texts::plain(title)) } (number(&inbox.counts.groups, group))
                                } }
                                @for item in items { (row(page, item, acts)) }
                            }
                        }
                    }
                }
            }
            footer {
                span { (say!("shown", shown = inbox.data.len())) }
                span.pager {
                    @if page.query.get("after").is_some() {
                        a.btn.small href=(page.here(&page.query.without(&["after"]))) { (say!("first-page")) }
                    }
                    @if let Some(next) = next {
                        a.btn.small rel="next" href=(next) { (say!("next-page")) (icons::NEXT.show()) }
                    }
                }
            }
            @if acts { (bulk(picks)) }
        }
    }
}

fn row(page: &Page<'_>, item: &Item, acts: bool) -> Markup {
    let kind =
        KINDS.iter().find(|(kind, ..)| *kind == item.kind).map(|(_, _, one)| texts::plain(one));
    let kind = kind.unwrap_or_default();
    let athlete = page.at(&format!("/athletes/{}", item.athlete_id));
    html! { tr {
        @if acts { td.c {
            input type="checkbox" name="items" value={ (item.kind) ":" (item.id) }
                aria-label=(say!(
                    "inbox-select",
                    title = item.title.as_str(),
                    athlete = item.athlete_name.as_str(),
                ));
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
                span.chip.bad { (say!("late-by", span = words::span(now - due))) }
                small.p2 { (words::short_moment(due, zone)) }
            }
            ("waiting", _, Some(since)) => {
                span.chip.warn { (say!("waits-for", span = words::span(now - since))) }
                small.p2 { (tell!("since", at = words::short_moment(since, zone))) }
            }
            (_, Some(due), _) => {
                span.chip { (words::due(now, due, zone)) }
                small.p2 { (words::short_moment(due, zone)) }
            }
            _ => span.chip { (say!("no-deadline")) },
        }
        @if let Some(until) = item.snoozed_until {
            small { (tell!("snoozed-until", at = words::short_moment(until, zone))) }
        }
    }
}

/// What can be done with the selected items. It stands after them, so that it is reached by the Tab
/// key when they have been selected.
fn bulk(picks: &Picks) -> Markup {
    html! {
        div.bulk data-bulk {
            b { (tell!("selected", count = html! { span data-count { "0" } })) }
            @if let Some(team) = picks.of("portal_user") {
                label.vh for="to" { (say!("inbox-assign-to")) }
                select id="to" name="assignee_id" {
                    option value="" { (say!("inbox-nobody")) }
                    @for (id, name) in &team.records { option value=(id) { (name) } }
                }
            }
            button name="act" value="assign" { (say!("inbox-assign")) }
            button name="act" value="snooze" { (say!("inbox-snooze")) }
            button name="act" value="remind" { (say!("inbox-remind")) }
        }
    }
}

fn nothing(page: &Page<'_>) -> Markup {
    html! {
        section.panel { div.empty {
            @if page.query.0.is_empty() {
                h2 { (say!("inbox-done-heading")) }
                p { a.btn href=(page.at("/transactions")) { (say!("inbox-transactions")) } }
            } @else {
                h2 { (say!("none")) }
                p { (say!("nothing-matches")) }
                p { a.btn href=(page.at("")) { (say!("remove-filters")) } }
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
            section.note.warn role="alert" tabindex="-1" id="errors" { h2 { (say!("inbox-nothing-selected")) } }
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
    let all = lines.len();
    let title = match act {
        "assign" => say!("inbox-assigned", done = done, all = all),
        "snooze" => say!("inbox-snoozed-now", done = done, all = all),
        _ => say!("inbox-reminded", done = done, all = all),
    };
    let tone = if refused.is_empty() { "note good" } else { "note warn" };
    html! {
        section class=(tone) role="status" {
            h2 { (title) }
            @if !refused.is_empty() {
                ul { @for line in refused {
                    li { (words::word(&line.kind)) " " (line.id) ": "
                        (words::word(line.refusal.as_deref().unwrap_or("refused"))) }
                } }
            }
        }
    }
}
