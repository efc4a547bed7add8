//! What waits for the operators, and how the site does.

use chrono::NaiveDate;
use maud::{Markup, html};
use nil_core::kernel::Time;
use nil_core::{Error, Result};
use serde::Deserialize;
use serde_json::Map;

use crate::console::call::{Page, Shown};
use crate::console::chart::{Columns, Point};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::words;

#[derive(Debug, Deserialize)]
struct Dashboard {
    queues: Vec<Queue>,
    /// None without the permission for money.
    books: Option<Books>,
    today: OneDay,
    days: Vec<OneDay>,
    unset: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Queue {
    kind: String,
    count: i64,
    oldest_at: Option<Time>,
}

#[derive(Debug, Deserialize)]
struct Books {
    #[serde(rename = "fees_cents")]
    fees: i64,
    #[serde(rename = "subscriptions_cents")]
    subscriptions: i64,
    #[serde(rename = "clearing_cents")]
    clearing: i64,
    #[serde(rename = "payouts_under_way_cents")]
    payouts: i64,
}

#[derive(Debug, Deserialize)]
struct OneDay {
    day: NaiveDate,
    applications: i64,
    hires: i64,
    /// None without the permission for money, as `fee_cents`.
    gross_cents: Option<i64>,
    fee_cents: Option<i64>,
}

/// A queue in words: its name, what waits in it, where to look, and what one does there.
struct About {
    kind: &'static str,
    name: &'static str,
    what: &'static str,
    path: &'static str,
    verb: &'static str,
    is_bad: bool,
}

const fn about(
    kind: &'static str,
    [name, what, path, verb]: [&'static str; 4],
    is_bad: bool,
) -> About {
    About { kind, name, what, path, verb, is_bad }
}

const QUEUES: [About; 10] = [
    about("jobs_pending", ["Jobs", "wait for a review", "/jobs", "Review"], false),
    about(
        "manual_reviews",
        ["Manual reviews", "a side asked for help", "/jobs?status=all&in_review=true", "Resolve"],
        false,
    ),
    about(
        "portal_users_pending",
        [
            "Portal users",
            "wait for access",
            "/op/university_admin.list?status=pending&id=0",
            "Let in",
        ],
        false,
    ),
    about(
        "payouts_on_hold",
        [
            "Payouts on hold",
            "no account, no tax form, a clearance",
            "/payouts?status=on_hold",
            "Look",
        ],
        false,
    ),
    about(
        "payouts_failed",
        ["Payouts failed", "the bank sent them back", "/payouts?status=failed", "Try again"],
        true,
    ),
    about(
        "payouts_unconfirmed",
        ["Payouts unconfirmed", "the processor is silent", "/payouts?status=pending", "Look"],
        true,
    ),
    about(
        "charges_unanswered",
        ["Charges unanswered", "the processor is silent", "/payments?status=processing", "Look"],
        true,
    ),
    about(
        "refunds_unconfirmed",
        [
            "Refunds unconfirmed",
            "the processor is silent",
            "/payments?refund_unconfirmed=true",
            "Look",
        ],
        true,
    ),
    about(
        "messages_dead",
        ["Messages", "could not be sent", "/op/notification.overview?status=all", "Look"],
        true,
    ),
    about(
        "messages_fell_back",
        ["Messages with the first text", "their own has a fault", "/templates", "Look"],
        false,
    ),
];

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    let answer = page.read_kept("dashboard.view", Map::new()).await?;
    let board: Dashboard =
        serde_json::from_value(answer.part("data").clone()).map_err(Error::internal)?;
    let waiting: i64 = board.queues.iter().map(|queue| queue.count).sum();
    let says = match waiting {
        0 => "Nothing waits for you.".to_owned(),
        1 => "1 thing waits for somebody.".to_owned(),
        many => format!("{many} things wait for somebody."),
    };
    Ok(Shown::new(
        "Today",
        html! {
            div.head { div {
                h1 { "Today" }
                p { (words::day(board.today.day)) ". " (says) }
            } }
            @if !board.unset.is_empty() {
                section.note.warn {
                    h2 { "Not set up yet" }
                    ul { @for name in &board.unset { li { (words::word(name)) } } }
                }
            }
            (queues(page, &board.queues))
            (figures(&board))
            div.half {
                (Columns {
                    id: "pl1",
                    title: "Hires and applications, 30 days",
                    about: "Applications and hires a day",
                    names: ["Applications", "Hires"],
                    points: &points(&board.days, |day| [day.applications, day.hires]),
                    words: words::number,
                    short: words::number,
                }.show())
                @if board.books.is_some() {
                    (Columns {
                        id: "pl2",
                        title: "Charged, 30 days",
                        about: "Amounts charged and fees a day",
                        names: ["To athletes", "Fees"],
                        points: &points(&board.days, |day| [gross(day), fee(day)]),
                        words: words::money,
                        short: words::short_money,
                    }.show())
                }
            }
        },
    )
    .into())
}

fn points(days: &[OneDay], of: impl Fn(&OneDay) -> [i64; 2]) -> Vec<Point> {
    let point = |day: &OneDay| {
        let [first, second] = of(day);
        Point { day: day.day, first, second }
    };
    days.iter().map(point).collect()
}

fn queues(page: &Page<'_>, queues: &[Queue]) -> Markup {
    let known = |queue: &Queue| QUEUES.iter().find(|about| about.kind == queue.kind);
    let full: Vec<_> = queues
        .iter()
        .filter(|queue| queue.count > 0)
        .filter_map(|queue| Some((queue, known(queue)?)))
        .collect();
    let empty: Vec<&str> = queues
        .iter()
        .filter(|queue| queue.count == 0)
        .filter_map(|queue| known(queue).map(|about| about.name))
        .collect();
    html! {
        section.panel {
            header { h2 id="q" { "Waiting" } }
            @if full.is_empty() {
                div.empty { h2 { "Nothing waits" } }
            } @else {
                div.scroll role="region" aria-labelledby="q" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { "Queue" }
                            th.n scope="col" { "Waiting" }
                            th.n.p2 scope="col" { "Oldest" }
                            th.p2 scope="col" { "State" }
                            td {}
                        } }
                        tbody { @for (queue, about) in full { (row(page, queue, about)) } }
                    }
                }
            }
            @if !empty.is_empty() { footer { span { "Empty: " (empty.join(", ")) "." } } }
        }
    }
}

fn row(page: &Page<'_>, queue: &Queue, about: &About) -> Markup {
    let address = page.at(about.path);
    html! { tr {
        th scope="row" {
            a href=(address) { (about.name) }
            small.dim { (about.what) }
        }
        td.n { (words::number(queue.count)) }
        td.n.p2 {
            @if let Some(oldest) = queue.oldest_at { (words::span(page.desk.now() - oldest)) }
        }
        td.p2 {
            @if about.is_bad { span.chip.bad { "Failed" } } @else { span.chip.warn { "Waiting" } }
        }
        td.n { a href=(address) { (about.verb) span.vh { " " (about.name) } } }
    } }
}

fn gross(day: &OneDay) -> i64 {
    day.gross_cents.unwrap_or_default()
}

fn fee(day: &OneDay) -> i64 {
    day.fee_cents.unwrap_or_default()
}

fn figures(board: &Dashboard) -> Markup {
    let sum = |of: fn(&OneDay) -> i64| board.days.iter().map(of).sum::<i64>();
    let figure = |name: &str, number: String, beside: String| {
        html! { div { dt { (name) } dd { (number) small.dim { (beside) } } } }
    };
    let (today, books) = (&board.today, &board.books);
    let fees = |cents: i64| format!("fees {}", words::money(cents));
    html! {
        dl.figs {
            @if books.is_some() {
                (figure("Charged today", words::money(gross(today)), fees(fee(today))))
                (figure("Charged in 30 days", words::money(sum(gross)), fees(sum(fee))))
            }
            (figure("Hires today", words::number(today.hires),
                format!("{} applications", words::number(today.applications))))
            @if let Some(books) = books {
                (figure("Fees, all time", words::money(books.fees),
                    format!("subscriptions {}", words::money(books.subscriptions))))
                (figure("Payouts under way", words::money(books.payouts),
                    format!("clearing {}", words::money(books.clearing))))
            }
        }
    }
}
