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
use crate::console::texts::{self, key, say};
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
    #[serde(rename = "processor_costs_cents")]
    processor_costs: i64,
    #[serde(rename = "dispute_costs_cents")]
    dispute_costs: i64,
    #[serde(rename = "kept_cents")]
    kept: i64,
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

const QUEUES: [About; 12] = [
    about(
        "jobs_pending",
        [key!("jobs-found"), key!("wait-for-a-review"), "/jobs", key!("review-them")],
        false,
    ),
    about(
        "manual_reviews",
        [
            key!("manual-reviews"),
            key!("a-side-asked-for-help"),
            "/jobs?status=all&in_review=true",
            key!("resolve"),
        ],
        false,
    ),
    about(
        "portal_users_pending",
        [
            key!("who-portal"),
            key!("wait-for-access"),
            "/op/university_admin.list?status=pending&id=0",
            key!("let-in"),
        ],
        false,
    ),
    about(
        "payouts_on_hold",
        [
            key!("payouts-on-hold"),
            key!("no-account-no-tax-form-a-clearance"),
            "/payouts?status=on_hold",
            key!("look"),
        ],
        false,
    ),
    about(
        "payouts_failed",
        [
            key!("payouts-failed"),
            key!("the-bank-sent-them-back"),
            "/payouts?status=failed",
            key!("try-again"),
        ],
        true,
    ),
    about(
        "payouts_unconfirmed",
        [key!("payouts-unconfirmed"), key!("the-processor-is-silent"), "/requests", key!("look")],
        true,
    ),
    about(
        "charges_unanswered",
        [key!("charges-unanswered"), key!("the-processor-is-silent"), "/requests", key!("look")],
        true,
    ),
    about(
        "refunds_unconfirmed",
        [key!("refunds-unconfirmed"), key!("the-processor-is-silent"), "/requests", key!("look")],
        true,
    ),
    about(
        "disputes_to_answer",
        [key!("disputes-to-answer"), key!("banks-ask-about-charges"), "/disputes", key!("look")],
        false,
    ),
    about(
        "processor_differences",
        [
            key!("differences-from-the-statement"),
            key!("money-moved-otherwise-at-the-processor"),
            "/differences",
            key!("look"),
        ],
        true,
    ),
    about(
        "messages_dead",
        [
            key!("messages"),
            key!("could-not-be-sent"),
            "/op/notification.overview?status=all",
            key!("look"),
        ],
        true,
    ),
    about(
        "messages_fell_back",
        [
            key!("messages-with-the-first-text"),
            key!("their-own-has-a-fault"),
            "/templates",
            key!("look"),
        ],
        false,
    ),
];

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    let answer = page.read_kept("dashboard.view", Map::new()).await?;
    let board: Dashboard =
        serde_json::from_value(answer.part("data").clone()).map_err(Error::internal)?;
    let waiting: i64 = board.queues.iter().map(|queue| queue.count).sum();
    let says = say!("things-wait", count = waiting);
    Ok(Shown::new(
        say!("nav-today"),
        html! {
            div.head { div {
                h1 { (say!("nav-today")) }
                p { (words::day(board.today.day)) ". " (says) }
            } }
            @if !board.unset.is_empty() {
                section.note.warn {
                    h2 { (say!("not-set-up-yet")) }
                    ul { @for name in &board.unset { li { (words::word(name)) } } }
                }
            }
            (queues(page, &board.queues))
            (figures(&board))
            div.half {
                (Columns {
                    id: "pl1",
                    title: &say!("hires-30"),
                    about: &say!("applications-a-day"),
                    names: [&say!("applications"), &say!("hires")],
                    points: &points(&board.days, |day| [day.applications, day.hires]),
                    words: words::number,
                    short: words::number,
                }.show())
                @if board.books.is_some() {
                    (Columns {
                        id: "pl2",
                        title: &say!("charged-30"),
                        about: &say!("charged-a-day"),
                        names: [&say!("to-athletes"), &say!("fees")],
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
    let empty: Vec<String> = queues
        .iter()
        .filter(|queue| queue.count == 0)
        .filter_map(|queue| known(queue).map(|about| texts::plain(about.name)))
        .collect();
    html! {
        section.panel {
            header { h2 id="q" { (say!("waiting")) } }
            @if full.is_empty() {
                div.empty { h2 { (say!("nothing-waits")) } }
            } @else {
                div.scroll role="region" aria-labelledby="q" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { (say!("queue")) }
                            th.n scope="col" { (say!("waiting")) }
                            th.n.p2 scope="col" { (say!("oldest")) }
                            th.p2 scope="col" { (say!("col-state")) }
                            td {}
                        } }
                        tbody { @for (queue, about) in full { (row(page, queue, about)) } }
                    }
                }
            }
            @if !empty.is_empty() { footer { span { (say!("empty-queues", names = empty.join(", "))) } } }
        }
    }
}

fn row(page: &Page<'_>, queue: &Queue, about: &About) -> Markup {
    let address = page.at(about.path);
    html! { tr {
        th scope="row" {
            a href=(address) { (texts::plain(about.name)) }
            small.dim { (texts::plain(about.what)) }
        }
        td.n { (words::number(queue.count)) }
        td.n.p2 {
            @if let Some(oldest) = queue.oldest_at { (words::span(page.desk.now() - oldest)) }
        }
        td.p2 {
            @if about.is_bad { span.chip.bad { (say!("failed")) } } @else { span.chip.warn { (say!("waiting")) } }
        }
        td.n { a href=(address) { (texts::plain(about.verb)) span.vh { " " (texts::plain(about.name)) } } }
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
    let figure = |name: String, number: String, beside: String| {
        html! { div { dt { (name) } dd { (number) small.dim { (beside) } } } }
    };
    let (today, books) = (&board.today, &board.books);
    let fees = |cents: i64| say!("fees-of", amount = words::money(cents));
    html! {
        dl.figs {
            @if books.is_some() {
                (figure(say!("charged-today"), words::money(gross(today)), fees(fee(today))))
                (figure(say!("charged-in-30-days"), words::money(sum(gross)), fees(sum(fee))))
            }
            (figure(say!("hires-today"), words::number(today.hires),
                say!("applications-of", count = today.applications)))
            @if let Some(books) = books {
                (figure(say!("fees-all-time"), words::money(books.fees),
                    say!("subscriptions-of", amount = words::money(books.subscriptions))))
                (figure(say!("kept-all-time"), words::money(books.kept),
                    say!("costs-of", processor = words::money(books.processor_costs),
                        disputes = words::money(books.dispute_costs))))
                (figure(say!("payouts-under-way"), words::money(books.payouts),
                    say!("clearing-of", amount = words::money(books.clearing))))
            }
        }
    }
}
