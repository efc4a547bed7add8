//! Payments to the institution's athletes: figures, months, sports, categories, rows.

use chrono::{Months, NaiveDate};
use futures::future::join4;
use maud::{Markup, html};
use nil_core::Result;
use nil_core::kernel::day_in;
use serde::Deserialize;
use serde_json::Value;

use super::cells::marks;
use super::groups::{CATEGORIES, SPORTS};
use crate::console::bars::{Bar, Bars};
use crate::console::call::Page;
use crate::console::cells::{cents, figure};
use crate::console::part::Part as _;
use crate::console::screens::Outcome;
use crate::console::screens::list::{Around, List, PLAIN, Seen, column, export, lead};
use crate::console::words;

/// The most rows of the tables by sport and by category.
const MOST: usize = 6;

const EXPORT: &str = "transaction.export";

static LIST: List = List {
    operation: "transaction.list",
    title: "Transactions",
    about: "Payments to your athletes, on the platform and disclosed.",
    row: &["q", "preset", "sport_ids", "sources", "flags"],
    columns: &[
        column("Date", "w", |Seen { page, .. }, row| {
            html! {
                @if let Some(at) = row.moment("occurred_at") {
                    (words::day(day_in(at, page.person.zone)))
                }
                small.mono { (row.text("number")) }
            }
        })
        .sorted("occurred_at"),
        lead("Athlete", |Seen { page, .. }, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("athlete_id")))) {
                    (row.text("athlete"))
                }
                small.dim { (row.text("sport")) }
            }
        }),
        column("Payer", "p2", |Seen { page, .. }, row| {
            html! {
                @match row.part("disclosed_job_id").as_i64() {
                    Some(id) => a href=(page.at(&format!("/deals/{id}"))) { (row.text("payer")) },
                    None => (row.text("payer")),
                }
                small { (row.text("category")) }
            }
        }),
        column("Source", "p3", |_, row| html! { (words::word(row.text("source"))) }),
        column("Gross", "n", |_, row| cents(row, "gross_cents")).sorted("gross_cents"),
        column("Net", "n p3", |_, row| cents(row, "net_cents")),
        column("Marks", "p2", |_, row| marks(row)),
        column("Status", "p2", |_, row| words::chip(row.text("status"))),
    ],
    usual: &[("sort", "-occurred_at")],
    exports: &[
        export(EXPORT, "CSV").with(&[("format", "csv")]),
        export(EXPORT, "Excel").with(&[("format", "xlsx")]),
        export(EXPORT, "with the contracts").with(&[("format", "csv"), ("contracts", "true")]),
    ],
    ..PLAIN
};

#[derive(Debug, Deserialize)]
struct Summary {
    totals: Totals,
    by_month: Vec<Month>,
    by_source: Vec<Source>,
}

#[derive(Debug, Deserialize)]
struct Totals {
    count: i64,
    athletes: i64,
    gross_cents: i64,
    net_cents: i64,
    refunded_cents: i64,
    average_cents: i64,
    median_cents: i64,
}

#[derive(Debug, Deserialize)]
struct Month {
    starts_on: NaiveDate,
    count: i64,
    athletes: i64,
    gross_cents: i64,
    net_cents: i64,
    average_cents: i64,
    median_cents: i64,
}

#[derive(Debug, Deserialize)]
struct Source {
    source: String,
    gross_cents: i64,
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    let asked = &LIST.asked(page).await;
    let part = async |short: &str| {
        let fields = page.input(short, asked).ok()?;
        page.part(short, fields).await
    };
    let (list, summary, sports, categories) = join4(
        LIST.read_asked(page, asked.clone()),
        part("transaction.summary"),
        part(SPORTS.operation),
        part(CATEGORIES.operation),
    )
    .await;
    let list = list?;
    let summary: Option<Summary> =
        summary.and_then(|it| serde_json::from_value(it.part("data").clone()).ok());
    let before = html! {
        @if let Some(summary) = &summary { (figures(summary, &list.answer)) (months(page, summary)) }
        div.half {
            @if let Some(sports) = &sports { (SPORTS.largest(page, sports, MOST)) }
            @if let Some(categories) = &categories { (CATEGORIES.largest(page, categories, MOST)) }
        }
    };
    let around = Around {
        before: Some(before),
        sums: summary.as_ref().map(sums),
        after: summary.as_ref().map(|summary| month_table(page, summary)),
        ..Around::default()
    };
    Ok(LIST.show(&list.seen(page), list.refused.as_ref(), around).into())
}

fn figures(summary: &Summary, answer: &Value) -> Markup {
    let totals = &summary.totals;
    let listed = answer.part("pagination").part("total").as_i64().unwrap_or(totals.count);
    let beside = match listed - totals.count {
        more if more > 0 => format!("{} more are listed, not counted", words::number(more)),
        _ => String::new(),
    };
    let disclosed = summary.by_source.iter().find(|it| it.source == "disclosed");
    let disclosed = disclosed.map_or(0, |it| it.gross_cents);
    html! {
        dl.figs {
            (figure("Transactions", &words::number(totals.count), &beside))
            (figure("Gross", &words::money(totals.gross_cents),
                &format!("{} of it disclosed", words::money(disclosed))))
            (figure("Median", &words::money(totals.median_cents), "half are lower, half higher"))
            (figure("Mean", &words::money(totals.average_cents), ""))
            (figure("Athletes", &words::number(totals.athletes),
                &format!("{} refunded", words::money(totals.refunded_cents))))
        }
    }
}

/// The address of the page for one month.
fn month_address(page: &Page<'_>, month: &Month) -> String {
    let next = month.starts_on.checked_add_months(Months::new(1));
    let last = next.and_then(|next| next.pred_opt()).map(|day| day.to_string());
    let query = page.query.without(&["page", "after", "preset"]);
    let query = query.with("from", Some(&month.starts_on.to_string()));
    page.here(&query.with("to", last.as_deref()))
}

fn months(page: &Page<'_>, summary: &Summary) -> Markup {
    let bars = summary.by_month.iter().map(|month| {
        let gross = words::money(month.gross_cents);
        Bar {
            short: month.starts_on.format("%b").to_string(),
            told: format!("{}: {gross}", month.starts_on.format("%b %Y")),
            number: month.gross_cents,
            address: month_address(page, month),
        }
    });
    let bars: Vec<Bar> = bars.collect();
    html! {
        @if !bars.is_empty() {
            section.panel {
                header {
                    h2 id="by-month" { "Gross by month" }
                    ul.key { li { i.b1 {} "Paid" } }
                }
                div.pad {
                    div.scroll role="region" aria-labelledby="by-month" tabindex="0" {
                        (Bars {
                            about: "Gross by month, each a link to that month",
                            months: &bars,
                            side: words::short_money,
                        }.show())
                    }
                    p.hint { "Open a column to look at its month. "
                        a href="#months" { "The same as a table" } }
                }
            }
        }
    }
}

fn sums(summary: &Summary) -> Markup {
    let totals = &summary.totals;
    html! {
        tfoot { tr {
            th scope="row" colspan="2" { "All " (words::number(totals.count)) " that count" }
            td.p2 {} td.p3 {}
            td.n { (words::money(totals.gross_cents)) }
            td.n.p3 { (words::money(totals.net_cents)) }
            td.p2 {} td.p2 {}
        } }
    }
}

fn month_table(page: &Page<'_>, summary: &Summary) -> Markup {
    html! {
        details.panel.pad id="months" {
            summary { b { "Months as a table" } }
            div.scroll role="region" aria-label="Months as a table" tabindex="0" { table {
                thead { tr {
                    th scope="col" { "Month" }
                    th.n scope="col" { "Transactions" }
                    th.n scope="col" { "Athletes" }
                    th.n scope="col" { "Gross" }
                    th.n scope="col" { "Net" }
                    th.n scope="col" { "Median" }
                    th.n scope="col" { "Mean" }
                } }
                tbody { @for month in &summary.by_month { tr {
                    th scope="row" {
                        a href=(month_address(page, month)) { (month.starts_on.format("%b %Y")) }
                    }
                    td.n { (words::number(month.count)) }
                    td.n { (words::number(month.athletes)) }
                    td.n { (words::money(month.gross_cents)) }
                    td.n { (words::money(month.net_cents)) }
                    td.n { (words::money(month.median_cents)) }
                    td.n { (words::money(month.average_cents)) }
                } } }
            } }
        }
    }
}
