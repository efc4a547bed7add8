//! Payments to the institution's athletes: figures, months, sports, categories, rows.

use chrono::{Months, NaiveDate};
use futures::future::join4;
use maud::{Markup, html};
use nil_core::Result;
use nil_core::kernel::day_in;
use serde::Deserialize;
use serde_json::Value;

use super::groups::{CATEGORIES, SPORTS};
use super::list::{Answered, Column, List, cents, exports, figure, marks};
use crate::console::bars::{Bar, Bars};
use crate::console::call::{Page, Shown};
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::Outcome;
use crate::console::words;

/// The most rows of the tables by sport and by category.
const MOST: usize = 6;

const LIST: List = List {
    operation: "transaction.list",
    title: "Transactions",
    about: "Payments to your athletes, on the platform and disclosed.",
    row: &["q", "preset", "sport_ids", "sources", "flags"],
    columns: &[
        Column::new("Date", "w", |page, row| {
            html! {
                @if let Some(at) = row.moment("occurred_at") {
                    (words::day(day_in(at, page.person.zone)))
                }
                small.mono { (row.text("number")) }
            }
        })
        .sorted("occurred_at", "-occurred_at"),
        Column::lead("Athlete", |page, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("athlete_id")))) {
                    (row.text("athlete"))
                }
                small.dim { (row.text("sport")) }
            }
        }),
        Column::new("Payer", "p2", |page, row| {
            html! {
                @match row.part("disclosed_job_id").as_i64() {
                    Some(id) => a href=(page.at(&format!("/deals/{id}"))) { (row.text("payer")) },
                    None => (row.text("payer")),
                }
                small { (row.text("category")) }
            }
        }),
        Column::new("Source", "p3", |_, row| html! { (words::word(row.text("source"))) }),
        Column::new("Gross", "n", |_, row| cents(row, "gross_cents"))
            .sorted("gross_cents", "-gross_cents"),
        Column::new("Net", "n p3", |_, row| cents(row, "net_cents")),
        Column::new("Marks", "p2", |_, row| marks(row)),
        Column::new("Status", "p2", |_, row| words::chip(row.text("status"))),
    ],
    sort: "-occurred_at",
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
    let Answered { asked, picks, answer } = list;
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Ok(LIST.refused(page, &picks, error)?.into()),
    };
    let summary: Option<Summary> =
        summary.and_then(|it| serde_json::from_value(it.part("data").clone()).ok());
    let content = html! {
        (LIST.head(&downloads(page, &asked)))
        (LIST.filters(page, &picks))
        @if let Some(summary) = &summary { (figures(summary, &answer)) (months(page, summary)) }
        div.half {
            @if let Some(sports) = &sports { (SPORTS.largest(page, sports, MOST)) }
            @if let Some(categories) = &categories { (CATEGORIES.largest(page, categories, MOST)) }
        }
        (LIST.table(page, &answer, &sums(summary.as_ref())))
        @if let Some(summary) = &summary { (month_table(page, summary)) }
    };
    Ok(Shown::new(LIST.title, content).into())
}

fn downloads(page: &Page<'_>, asked: &Query) -> Markup {
    let files: [(&str, &[(&str, &str)]); 3] = [
        ("These rows, CSV", &[("format", "csv")]),
        ("These rows, Excel", &[("format", "xlsx")]),
        ("These rows and the contracts", &[("format", "csv"), ("contracts", "true")]),
    ];
    exports(page, "transaction.export", asked, &files)
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

fn sums(summary: Option<&Summary>) -> Markup {
    html! {
        @if let Some(Summary { totals, .. }) = summary {
            tfoot { tr {
                th scope="row" colspan="2" { "All " (words::number(totals.count)) " that count" }
                td.p2 {} td.p3 {}
                td.n { (words::money(totals.gross_cents)) }
                td.n.p3 { (words::money(totals.net_cents)) }
                td.p2 {} td.p2 {}
            } }
        }
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
