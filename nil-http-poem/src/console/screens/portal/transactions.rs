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
use crate::console::texts::{key, say};
use crate::console::words;

/// The most rows of the tables by sport and by category.
const MOST: usize = 6;

const EXPORT: &str = "transaction.export";

static LIST: List = List {
    operation: "transaction.list",
    title: key!("nav-transactions"),
    about: key!("transactions-about"),
    row: &["q", "preset", "sport_ids", "sources", "flags"],
    columns: &[
        column(key!("col-date"), "w", |Seen { page, .. }, row| {
            html! {
                @if let Some(at) = row.moment("occurred_at") {
                    (words::day(day_in(at, page.person.zone)))
                }
                small.mono { (row.text("number")) }
            }
        })
        .sorted("occurred_at"),
        lead(key!("col-athlete"), |Seen { page, .. }, row| {
            html! {
                a href=(page.at(&format!("/athletes/{}", row.part("athlete_id")))) {
                    (row.text("athlete"))
                }
                small.dim { (row.text("sport")) }
            }
        }),
        column(key!("col-payer"), "p2", |Seen { page, .. }, row| {
            html! {
                @match row.part("disclosed_job_id").as_i64() {
                    Some(id) => a href=(page.at(&format!("/deals/{id}"))) { (row.text("payer")) },
                    None => (row.text("payer")),
                }
                small { (row.text("category")) }
            }
        }),
        column(key!("col-source"), "p3", |_, row| html! { (words::word(row.text("source"))) }),
        column(key!("col-gross"), "n", |_, row| cents(row, "gross_cents")).sorted("gross_cents"),
        column(key!("col-net"), "n p3", |_, row| cents(row, "net_cents")),
        column(key!("col-marks"), "p2", |_, row| marks(row)),
        column(key!("col-status"), "p2", |_, row| words::chip(row.text("status"))),
    ],
    usual: &[("sort", "-occurred_at")],
    exports: &[
        export(EXPORT, key!("csv")).with(&[("format", "csv")]),
        export(EXPORT, key!("excel")).with(&[("format", "xlsx")]),
        export(EXPORT, key!("with-contracts")).with(&[("format", "csv"), ("contracts", "true")]),
        export(EXPORT, key!("csv"))
            .with(&[("format", "csv")])
            .of("last_month", key!("last-month-as")),
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
        more if more > 0 => say!("listed-not-counted", count = more),
        _ => String::new(),
    };
    let disclosed = summary.by_source.iter().find(|it| it.source == "disclosed");
    let disclosed = disclosed.map_or(0, |it| it.gross_cents);
    html! {
        dl.figs {
            (figure(&say!("nav-transactions"), &words::number(totals.count), &beside))
            (figure(&say!("col-gross"), &words::money(totals.gross_cents),
                &say!("of-it-disclosed", amount = words::money(disclosed))))
            (figure(&say!("median"), &words::money(totals.median_cents), &say!("median-about")))
            (figure(&say!("mean"), &words::money(totals.average_cents), ""))
            (figure(&say!("nav-athletes"), &words::number(totals.athletes),
                &say!("refunded", amount = words::money(totals.refunded_cents))))
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
            short: words::month(month.starts_on),
            told: format!("{}: {gross}", words::month_of_year(month.starts_on)),
            number: month.gross_cents,
            address: month_address(page, month),
        }
    });
    let bars: Vec<Bar> = bars.collect();
    html! {
        @if !bars.is_empty() {
            section.panel {
                header {
                    h2 id="by-month" { (say!("gross-by-month")) }
                    ul.key { li { i.b1 {} (say!("paid")) } }
                }
                div.pad {
                    div.scroll role="region" aria-labelledby="by-month" tabindex="0" {
                        (Bars {
                            about: &say!("gross-by-month-about"),
                            months: &bars,
                            side: words::short_money,
                        }.show())
                    }
                    p.hint { (say!("open-a-column")) " "
                        a href="#months" { (say!("same-as-table")) } }
                }
            }
        }
    }
}

fn sums(summary: &Summary) -> Markup {
    let totals = &summary.totals;
    html! {
        tfoot { tr {
            th scope="row" colspan="2" { (say!("all-that-count", count = totals.count)) }
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
            summary { b { (say!("months-as-table")) } }
            div.scroll role="region" aria-label=(say!("months-as-table")) tabindex="0" { table {
                thead { tr {
                    th scope="col" { (say!("col-month")) }
                    th.n scope="col" { (say!("nav-transactions")) }
                    th.n scope="col" { (say!("nav-athletes")) }
                    th.n scope="col" { (say!("col-gross")) }
                    th.n scope="col" { (say!("col-net")) }
                    th.n scope="col" { (say!("median")) }
                    th.n scope="col" { (say!("mean")) }
                } }
                tbody { @for month in &summary.by_month { tr {
                    th scope="row" {
                        a href=(month_address(page, month)) { (words::month_of_year(month.starts_on)) }
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
