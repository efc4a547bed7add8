//! An operator's reports: what is being made, what can be fetched, and a new one.

use maud::{Markup, html};
use nil_core::{Error, Result};

use crate::console::call::{Page, Shown};
use crate::console::describe;
use crate::console::form::{self, Filled, Refusals};
use crate::console::icons;
use crate::console::part::Part as _;
use crate::console::picks;
use crate::console::query::Query;
use crate::console::screens::list::{Around, List, PLAIN, column};
use crate::console::screens::{Form, Outcome};
use crate::console::texts::{key, say};
use crate::console::words;

const REQUEST: &str = "export.request";

static REPORTS: List = List {
    title: key!("nav-reports"),
    operation: "export.list",
    tabs: Some((
        "status",
        &[
            ("", key!("all-of-them")),
            ("ready", key!("ready")),
            ("processing", key!("processing")),
            ("queued", key!("queued")),
            ("failed", key!("failed")),
        ],
    )),
    columns: &[
        column(key!("report"), "", |seen, row| {
            html! {
                (words::word(row.text("kind"))) ", " (row.text("format").to_uppercase())
                small.dim { (row.text("name")) " " (seen.when(row, "created_at")) }
            }
        })
        .sorted("created_at"),
        column(key!("rows"), "n", |_, row| html! { (words::number(row.number("rows"))) }),
        column(key!("col-state"), "", |_, row| words::chip(row.text("status"))),
        column(key!("size"), "n p3", |_, row| {
            html! { @match row.part("size").as_i64() {
                Some(bytes) => (words::size(bytes)),
                None => "\u{2013}",
            } }
        }),
        column(key!("kept-until"), "w p2", |seen, row| seen.when(row, "expires_at")),
        column("", "n", |seen, row| {
            let path = format!("/file/export.download?code={}", row.text("code"));
            html! { @if row.is_true("available") {
                a.btn.small href=(seen.page.at(&path)) {
                    (icons::DOWN.show()) (say!("download")) span.vh { " " (words::word(row.text("kind"))) }
                }
            } }
        }),
    ],
    says: |_| html! { (say!("whole-tables-as-files-they-are-made")) },
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &page.query.without(&["status"]), None).await?.into())
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let form = asking(page, typed, refused);
    let (list, form) = futures::join!(REPORTS.read(page), form);
    let list = list?;
    let refused = refused.or(list.refused.as_ref());
    Ok(REPORTS.show(&list.seen(page), refused, Around { beside: form, ..Around::default() }))
}

/// The form for a new report; none if whoever is signed in may not ask for one.
async fn asking(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Option<Markup> {
    let described = describe::of(page.allowed(REQUEST)?);
    let none = Refusals::new();
    let filled = Filled {
        values: typed,
        refusals: refused.map_or(&none, Error::fields),
        zone: page.person.zone,
        picks: &picks::of(page, &described.fields).await,
        filters: false,
    };
    Some(html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="task" {
            h2 id="task" { (say!("ask-for-a-report")) }
            (page.hidden())
            @for field in described.fields.iter().filter(|field| field.is_single()) {
                (form::one(field, &field.name, field.required, &filled))
            }
            @for field in described.fields.iter().filter(|field| !field.is_single()) {
                details.more open[form::is_open(&field.name, &filled)] {
                    summary { (field.label()) }
                    (form::one(field, &field.name, field.required, &filled))
                }
            }
            div.acts { button.pri { (say!("ask-for-it")) } }
        }
    })
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = picks::resolved(page, page.fields(REQUEST), &form.fields).await;
    let done = match page.input(REQUEST, &sent) {
        Ok(read) => page.write(REQUEST, read, &sent).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(_) => Ok(Outcome::to(&page.at(page.path))),
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}
