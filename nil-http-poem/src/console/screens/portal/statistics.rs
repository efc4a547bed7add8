//! What the institution publishes, and the requests for public records.

use futures::future::join3;
use maud::{Markup, html};
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use super::people::People;
use crate::console::call::{Page, Shown};
use crate::console::cells::{cents, day, figure};
use crate::console::form::{self, Filled, Refusals};
use crate::console::part::Part as _;
use crate::console::picks::Picks;
use crate::console::query::Query;
use crate::console::screens::{Form, Outcome, filters};
use crate::console::side::reads;
use crate::console::table::{downloads, rows_of};
use crate::console::texts::{self, key, say, tell};
use crate::console::{refusal, words};

const SHOW: &str = "statistics.show";
const EXPORT: &str = "statistics.export";
const NOTE: &str = "records_request.note";
const HAND_OUT: &str = "records_request.file";

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let asked = page.input(SHOW, &page.query)?;
    let (statistics, requests, people) = join3(
        page.read(SHOW, asked),
        page.part("records_request.list", Map::new()),
        People::of(page),
    )
    .await;
    let statistics = statistics?;
    let statistics = statistics.part("data");
    let picks = Picks::default();
    let content = html! {
        div.head {
            div {
                h1 { (say!("nav-statistics")) }
                p { (say!("statistics-about")) }
            }
            div.row { (downloads(&files(page))) }
        }
        @if let Some(error) = refused {
            (refusal::note(page.fields(NOTE), error))
        }
        (filters::with_row(page, page.fields(SHOW), &["by", "academic_year"],
            (&picks, &say!("choose-figures"))))
        (figures(statistics))
        (groups(statistics))
        (handed_out(page, requests.as_ref(), &people))
        (noting(page, typed, refused))
    };
    let mut shown = Shown::new(say!("nav-statistics"), content);
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn files(page: &Page<'_>) -> Vec<(String, String)> {
    let files = [(key!("figures-csv"), "csv"), (key!("figures-excel"), "xlsx")];
    let file = |(words, format): (&str, &str)| {
        let query = page.query.with("format", Some(format)).address();
        (format!("{}{EXPORT}{query}", page.at("/file/")), texts::plain(words))
    };
    let allowed = |_: &(&str, &str)| page.allowed(EXPORT).is_some();
    files.into_iter().filter(allowed).map(file).collect()
}

fn figures(statistics: &Value) -> Markup {
    let all = statistics.part("all");
    let suppressed = statistics.number("suppressed");
    html! {
        p {
            (tell!("from-to", from = day(statistics, "from"), to = day(statistics, "to"))) ". "
            (statistics.text("note"))
        }
        @if all.is_object() {
            dl.figs {
                (figure(&say!("col-deals"), &words::number(all.number("deals")), ""))
                (figure(&say!("nav-athletes"), &words::number(all.number("athletes")), ""))
                (figure(&say!("together"), &words::money(all.number("gross_cents")), ""))
                (figure(&say!("median"), &words::money(all.number("median_cents")), ""))
                (figure(&say!("groups-left-out"), &words::number(suppressed),
                    &say!("fewer-than", count = statistics.number("smallest_group"))))
            }
        }
    }
}

fn groups(statistics: &Value) -> Markup {
    let by = words::word(statistics.text("by"));
    let groups = statistics.list("groups");
    html! {
        section.panel {
            header { h2 id="cap" { (say!("by-group", group = by.to_lowercase())) } }
            @if groups.is_empty() {
                div.empty { h2 { (say!("none")) } p { (say!("no-large-group")) } }
            } @else {
                div.scroll role="region" aria-labelledby="cap" tabindex="0" { table {
                    thead { tr {
                        th scope="col" { (by) }
                        th.n scope="col" { (say!("col-deals")) }
                        th.n scope="col" { (say!("nav-athletes")) }
                        th.n.p2 scope="col" { (say!("together")) }
                        th.n.p2 scope="col" { (say!("median")) }
                    } }
                    tbody { @for group in groups { tr {
                        th scope="row" { (group.text("name")) }
                        td.n { (words::number(group.number("deals"))) }
                        td.n { (words::number(group.number("athletes"))) }
                        td.n.p2 { (cents(group, "gross_cents")) }
                        td.n.p2 { (cents(group, "median_cents")) }
                    } } }
                } }
            }
        }
    }
}

fn handed_out(page: &Page<'_>, requests: Option<&Value>, people: &People) -> Markup {
    let Some(requests) = requests else { return html! {} };
    let rows = rows_of(requests);
    html! {
        section.panel {
            header { h2 id="requests" { (say!("public-records")) } }
            @if rows.is_empty() {
                div.empty { h2 { (say!("nobody-asked")) } }
            } @else {
                div.scroll role="region" aria-labelledby="requests" tabindex="0" { table {
                    thead { tr {
                        th scope="col" { (say!("who-asked")) }
                        th scope="col" { (say!("col-received")) }
                        th.p2 scope="col" { (say!("days-asked")) }
                        th.p3 scope="col" { (say!("noted-by")) }
                        th.n.p2 scope="col" { (say!("handed-out")) }
                        td {}
                    } }
                    tbody { @for row in rows { tr {
                        th scope="row" {
                            (row.text("requester")) small.dim { (row.text("legal_basis")) }
                        }
                        td.w { (day(row, "received_on")) }
                        td.p2 {
                            @if row.part("from").is_null() && row.part("to").is_null() {
                                (say!("all-time"))
                            } @else { (tell!("from-to", from = day(row, "from"), to = day(row, "to"))) }
                        }
                        td.p3 { (people.name(&format!("portal_user:{}", row.part("noted_by")))) }
                        td.n.p2 { (row.part("disclosures").as_array().map_or(0, Vec::len)) }
                        td.n { (hand_out(page, row)) }
                    } } }
                } }
            }
            footer {
                span { (say!("shown", shown = rows.len())) }
                span.pager { a.btn.small href=(page.at("/op/records_request.list")) {
                    (say!("all-requests"))
                } }
            }
        }
    }
}

/// What hands out the records of a request.
fn hand_out(page: &Page<'_>, row: &Value) -> Markup {
    let id = row.part("id");
    let about = html! { span.vh { " " (say!("for-whom", name = row.text("requester"))) } };
    html! {
        @match page.allowed(HAND_OUT) {
            Some(entry) if reads(entry) => {
                a href={ (page.at("/file/")) (HAND_OUT) "?id=" (id) } { (say!("records-zip")) (about) }
            }
            Some(_) => form method="post" action={ (page.at("/do/")) (HAND_OUT) } {
                (page.hidden())
                input type="hidden" name="id" value=(id);
                button.small { (say!("records-zip")) (about) }
            },
            None => {}
        }
    }
}

fn noting(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Markup {
    if page.allowed(NOTE).is_none() {
        return html! {};
    }
    let (none, picks) = (Refusals::new(), Picks::default());
    let refusals = refused.map_or(&none, Error::fields);
    let zone = page.person.zone;
    let filled = Filled { values: typed, refusals, picks: &picks, zone, filters: false };
    html! {
        div.two {
            form.panel.pad id="note" method="post" action=(page.at(page.path))
                aria-labelledby="noting" {
                h2 id="noting" { (say!("note-a-request")) }
                (page.hidden())
                (form::fields(page.fields(NOTE), &filled))
                div.acts { button.pri { (say!("note-button")) } }
            }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let done = match page.input(NOTE, &sent) {
        Ok(read) => page.write(NOTE, read, &sent).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(_) => Ok(Outcome::to(&page.at(page.path))),
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}
