//! One request to the payment processor without an outcome, and the decision about it.

use maud::{Markup, html};
use nil_core::error::codes;
use nil_core::{Error, Result};
use serde_json::{Value, json};

use super::differences::{amount, record};
use super::dispute::{told, verb};
use super::requests::what;
use crate::console::call::{Page, Shown};
use crate::console::form::{self as forms, Filled, Refusals};
use crate::console::part::Part as _;
use crate::console::picks::Picks;
use crate::console::query::Query;
use crate::console::screens::deciding::{Reason, Way, ways};
use crate::console::screens::{Form, Outcome};
use crate::console::table::rows_of;
use crate::console::texts::{self, key, say, tell};
use crate::console::{refusal, words};

const DECIDE: &str = "processor_request.decide";
/// The most requests of a page in which this one is looked for.
const SHOWN: usize = 100;

const WAYS: [Way; 2] = [
    ("succeeded", key!("the-money-has-moved"), key!("moved-means")),
    ("failed", key!("it-was-not-made"), key!("not-made-means")),
];

const NOTE: Reason<'_> = Reason {
    name: "note",
    label: key!("note-button"),
    hint: key!("how-it-was-found-out"),
    most: 2_000,
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    if page.query.get("key").is_none() {
        return Ok(Outcome::to(&page.at("/requests")));
    }
    Ok(show(page, &Query::default(), None).await?.into())
}

/// The request that the address names. Oldest first: an old key can be a part of later ones.
async fn read(page: &Page<'_>) -> Result<Value> {
    let key = page.query.get("key").unwrap_or_default();
    let asked = json!({ "q": key, "sort": "created_at", "per_page": SHOWN });
    let asked = asked.as_object().cloned().unwrap_or_default();
    let list = page.read("processor_request.list", asked).await?;
    let found = rows_of(&list).iter().find(|row| row.text("key") == key).cloned();
    found.ok_or_else(|| codes::NOT_FOUND.into())
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let request = read(page).await?;
    let what = what(&request);
    let content = html! {
        div.head { div {
            h1 { (what) }
            p { (say!("request-of", amount = amount(&request, "amount_cents"))) }
        } }
        @if let Some(error) = refused {
            (forms::summary(page.fields(DECIDE), error.fields(), &texts::message(error)))
            @let advice = refusal::advice(error);
            @if !advice.is_empty() { p { (advice) } }
        }
        section.note.warn {
            h2 { (say!("the-outcome-is-unknown")) }
            p { (say!("what-to-do-about-a-request")) }
        }
        div.two {
            (facts(page, &request))
            (deciding(page, typed, refused))
        }
    };
    let mut shown = Shown::new(what.clone(), content)
        .below(page.at("/requests"), say!("requests-without-an-outcome"));
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn facts(page: &Page<'_>, request: &Value) -> Markup {
    let zone = page.person.zone;
    html! {
        section.panel.pad {
            h2 { (say!("facts")) }
            dl.facts {
                dt { (say!("o-record")) } dd { (record(page, request)) }
                dt { (say!("col-amount")) } dd { (amount(request, "amount_cents")) }
                @for (title, name) in [
                    (say!("requested"), "since"),
                    (say!("asked-last"), "looked_at"),
                    (say!("asked-next"), "next_look_at"),
                ] {
                    @if let Some(at) = request.moment(name) { dt { (title) } dd { (words::moment(at, zone)) } }
                }
                dt { (say!("attempt")) } dd { (words::number(request.number("attempt"))) }
            }
            @if let Some(since) = request.moment("since") {
                p.dim { (tell!("open-for", span = words::span(page.desk.now() - since))) }
            }
        }
    }
}

fn deciding(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Markup {
    if page.allowed(DECIDE).is_none() {
        return html! {};
    }
    let (none, picks) = (Refusals::new(), &Picks::default());
    let refusals = refused.map_or(&none, Error::fields);
    let filled = Filled { values: typed, refusals, picks, zone: page.person.zone, filters: false };
    let asked = ["processor_reference", "fee_cents"];
    let fields = page.fields(DECIDE).iter().filter(|field| asked.contains(&&*field.name));
    html! {
        form.panel.pad method="post" action=(page.here(&page.query)) aria-labelledby="decide" {
            h2 id="decide" { (say!("decide-about-it")) }
            (page.hidden())
            (told(page, DECIDE))
            (ways("outcome", WAYS.into_iter(), typed))
            @for field in fields { (forms::one(field, &field.name, field.required, &filled)) }
            (NOTE.show(typed))
            div.acts { button.pri.danger { (verb(page, DECIDE)) } }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let typed = sent.with("key", page.query.get("key"));
    let written = match page.input(DECIDE, &typed) {
        Ok(input) => page.write(DECIDE, input, &sent).await,
        Err(error) => Err(error),
    };
    let Err(error) = written else {
        return Ok(Outcome::to(&page.at("/requests")));
    };
    // One that has an outcome meanwhile is shown no more: the refusal says so.
    match show(page, &sent, Some(&error)).await {
        Ok(shown) => Ok(shown.into()),
        Err(_) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nil_core::payments::DecidedOutcome;

    #[test]
    fn every_outcome_can_be_chosen() {
        let words: Vec<&str> = DecidedOutcome::ALL.iter().map(|it| it.as_str()).collect();
        assert_eq!(WAYS.map(|(word, _, _)| word).to_vec(), words);
    }
}
