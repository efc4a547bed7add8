//! Figures by sport, category and kind of payment, and applications over time.

use chrono::NaiveDate;
use futures::future::{join, join4};
use maud::{Markup, html};
use nil_core::Result;
use nil_core::error::Kind as Refused;
use serde::Deserialize;
use serde_json::Value;

use super::groups::{CATEGORIES, PAYMENTS, SPORTS};
use crate::console::call::{Page, Shown};
use crate::console::chart::{Columns, Point};
use crate::console::part::Part as _;
use crate::console::picks::{self, Picks};
use crate::console::screens::{Outcome, filters};
use crate::console::table::chips;
use crate::console::texts::{self, say};
use crate::console::{form, words};

/// The operation of the last panel; it takes every filter of the page.
const OVER_TIME: &str = "analytics.applications_over_time";
/// The filters that stand in the row.
const ROW: [&str; 5] = ["preset", "sport_ids", "genders", "sources", "interval"];

#[derive(Debug, Deserialize)]
struct Applications {
    interval: String,
    points: Vec<Applied>,
}

#[derive(Debug, Deserialize)]
struct Applied {
    starts_on: NaiveDate,
    applications: i64,
    hires: i64,
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    let asked = &picks::resolved(page, page.fields(OVER_TIME), &page.query).await;
    let read =
        async |short: &str| -> Result<Value> { page.read(short, page.input(short, asked)?).await };
    let parts = join4(
        read(SPORTS.operation),
        read(CATEGORIES.operation),
        read(PAYMENTS.operation),
        read(OVER_TIME),
    );
    let ((sports, categories, payments, applications), picks) =
        join(parts, picks::of(page, page.fields(OVER_TIME))).await;
    let sports = match sports {
        Ok(sports) => sports,
        Err(error) if error.kind() == Refused::Invalid => {
            let content = html! {
                (head())
                (form::summary(page.fields(OVER_TIME), error.fields(), &texts::message(&error)))
                (narrowing(page, &picks))
            };
            let mut shown = Shown::new(say!("nav-analytics"), content);
            shown.status = error.kind().status();
            return Ok(shown.into());
        }
        Err(error) => return Err(error),
    };
    let content = html! {
        (head())
        (narrowing(page, &picks))
        (SPORTS.all(page, &sports))
        @if let Ok(categories) = &categories { (CATEGORIES.all(page, categories)) }
        @if let Ok(payments) = &payments { (PAYMENTS.all(page, payments)) }
        @if let Ok(applications) = &applications { (over_time(applications)) }
    };
    Ok(Shown::new(say!("nav-analytics"), content).into())
}

fn head() -> Markup {
    html! { div.head { div {
        h1 { (say!("nav-analytics")) }
        p { (say!("analytics-about")) }
    } } }
}

fn narrowing(page: &Page<'_>, picks: &Picks) -> Markup {
    let all = page.fields(OVER_TIME);
    html! {
        (filters::with_row(page, all, &ROW, (picks, &say!("filter-figures"))))
        (chips(page, all, picks))
    }
}

fn over_time(answer: &Value) -> Markup {
    let told = serde_json::from_value::<Applications>(answer.part("data").clone());
    let Ok(told) = told else { return html! {} };
    let point =
        |it: &Applied| Point { day: it.starts_on, first: it.applications, second: it.hires };
    let points: Vec<Point> = told.points.iter().map(point).collect();
    let title = match told.interval.as_str() {
        "day" => say!("applications-by-day"),
        "week" => say!("applications-by-week"),
        "month" => say!("applications-by-month"),
        other => say!("applications-by", interval = other),
    };
    html! {
        (Columns {
            id: "applications",
            title: &title,
            about: &title,
            names: [&say!("applications"), &say!("hires")],
            points: &points,
            words: words::number,
            short: words::number,
        }.show())
    }
}
