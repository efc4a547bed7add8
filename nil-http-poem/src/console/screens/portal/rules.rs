//! The institution's rules: each now or on another day, since when, what comes next, by whom; and
//! the form of one, which shows what a change would have done before it is saved.

use chrono::NaiveDate;
use futures::future::join;
use maud::{Markup, html};
use nil_core::error::codes;
use nil_core::kernel::day_in;
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use super::people::People;
use super::{rule_preview, rule_words};
use crate::console::call::{Page, Shown};
use crate::console::cells::{day, moment};
use crate::console::describe::{Field, Kind};
use crate::console::form::{self, Filled, Refusals};
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::{Form, Outcome};
use crate::console::texts::{self, say, tell};
use crate::console::{picks, reading, refusal, words};

/// The operation that changes rules.
const SAVE: &str = "college.save_settings";
/// The operation that tells what a change would have done.
const PREVIEW: &str = "college.preview_settings";
/// When a rule's content is in force.
const EFFECTIVE: &str = "effective_on";
/// The settings as they were when the form was shown.
const REVISION: &str = "revision";

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, None, None, None).await?.into())
}

/// The field of a rule in the form's description, with the fields of its content.
fn field_of(page: &Page<'_>, rule: &str) -> Option<(&'static Field, &'static [Field])> {
    page.allowed(SAVE)?;
    rule_words::title(rule)?;
    let field = page.fields(SAVE).iter().find(|field| field.name == rule)?;
    match &field.kind {
        Kind::Group(inner) => Some((field, inner)),
        _ => None,
    }
}

/// The page; with what was typed, why it was refused, and what it would have done.
async fn show(
    page: &Page<'_>,
    typed: Option<&Query>,
    refused: Option<&Error>,
    preview: Option<&Value>,
) -> Result<Shown> {
    let (answer, people) = join(page.read("college.settings", Map::new()), People::of(page)).await;
    let answer = answer?;
    let settings = answer.part("data");
    let rule = typed.unwrap_or(&page.query).get("rule");
    let rule = rule.filter(|rule| rule_words::title(rule).is_some()).unwrap_or_default();
    let form = match (field_of(page, rule), preview.zip(typed)) {
        (Some(_), Some((preview, sent))) => {
            let title = rule_words::title(rule).unwrap_or_default();
            rule_preview::show(page, &title, preview, sent)
        }
        (Some(found), None) => editing(page, (rule, found), settings, (typed, refused)).await,
        (None, _) => html! {},
    };
    let content = html! {
        div.head { div {
            h1 { (say!("nav-rules")) }
            p { (say!("rules-about")) }
        } }
        @if let Some(error) = refused {
            (refusal::note(page.fields(SAVE), error))
            @if let Some(typed) = typed {
                (refusal::meanwhile(page, page.fields(SAVE), typed, error))
            }
        }
        @if preview.is_none() {
            (other_day(page))
            (in_force(page, settings, rule, &people))
        }
        @if !rule.is_empty() {
            div.two { (form) (history(page, settings, rule, &people)) }
        }
        (institution(page, settings))
    };
    let mut shown = Shown::new(say!("nav-rules"), content);
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

/// The changes of a rule, the latest day first.
fn changes<'s>(settings: &'s Value, rule: &'s str) -> impl Iterator<Item = &'s Value> {
    let all = settings.list("changes").iter();
    all.filter(move |change| change.text("rule") == rule)
}

/// The change of a rule that comes next.
fn next<'s>(page: &Page<'_>, settings: &'s Value, rule: &'s str) -> Option<&'s Value> {
    let today = day_in(page.desk.now(), page.person.zone);
    let later =
        |change: &&Value| change.text(EFFECTIVE).parse::<NaiveDate>().is_ok_and(|day| day > today);
    changes(settings, rule).filter(later).last()
}

/// The day whose rules are shown; none for today.
fn asked_day(page: &Page<'_>) -> Option<NaiveDate> {
    page.query.get("on").and_then(|day| day.parse().ok())
}

/// The form that asks for the rules of another day.
fn other_day(page: &Page<'_>) -> Markup {
    html! {
        form.row method="get" action=(page.at("/rules")) {
            label for="on" { (say!("rules-of-a-day")) }
            input.w id="on" type="date" name="on" value=[asked_day(page)] required;
            button { (say!("show")) }
            @if asked_day(page).is_some() { a.btn href=(page.at("/rules")) { (say!("nav-today")) } }
        }
    }
}

/// A rule as it is shown: its content, the day since which it is in force, and who set it. The
/// content is missing if it was a default that the institution has replaced since.
struct InForce<'s> {
    value: Option<&'s Value>,
    since: &'s Value,
    set_by: Option<&'s str>,
}

/// The rule of a day. The changes are told with the latest first, each of which replaces those
/// before it.
fn on_day<'s>(settings: &'s Value, rule: &'s str, day: Option<NaiveDate>) -> InForce<'s> {
    let now = settings.part(rule);
    let by = |change: &'s Value| Some(change.text("set_by"));
    let Some(day) = day else {
        let of_now = |change: &&Value| change.text(EFFECTIVE) == now.text(EFFECTIVE);
        let set_by = changes(settings, rule).find(of_now).and_then(by);
        return InForce { value: Some(now), since: now, set_by };
    };
    let is_past = |record: &Value| record.day(EFFECTIVE).is_some_and(|since| since <= day);
    match changes(settings, rule).find(|change| is_past(change)) {
        Some(change) => {
            InForce { value: Some(change.part("value")), since: change, set_by: by(change) }
        }
        None if is_past(now) => InForce { value: Some(now), since: now, set_by: None },
        None => InForce { value: None, since: &Value::Null, set_by: None },
    }
}

fn in_force(page: &Page<'_>, settings: &Value, chosen: &str, people: &People) -> Markup {
    let asked = asked_day(page);
    html! {
        section.panel {
            header { h2 id="cap" {
                @match asked {
                    Some(day) => { (tell!("in-force-on", day = words::day(day))) }
                    None => (say!("in-force-today")),
                }
            } }
            div.scroll role="region" aria-labelledby="cap" tabindex="0" { table {
                thead { tr {
                    th scope="col" { (say!("rule")) }
                    th scope="col" { @if asked.is_some() { (say!("then")) } @else { (say!("now")) } }
                    th.p2 scope="col" { (say!("o-since")) }
                    th.p2 scope="col" { (say!("next-rule")) }
                    th.p3 scope="col" { (say!("set-by")) }
                    td {}
                } }
                tbody { @for (rule, title) in rule_words::RULES {
                                        @let title = texts::plain(title);
                    (row(page, settings, (rule, &title, rule == chosen), people))
                } }
            } }
        }
    }
}

fn row(
    page: &Page<'_>,
    settings: &Value,
    (rule, title, is_chosen): (&str, &str, bool),
    people: &People,
) -> Markup {
    let shown = on_day(settings, rule, asked_day(page));
    let next = next(page, settings, rule);
    let verb = if field_of(page, rule).is_some() { say!("change") } else { say!("history") };
    html! {
        tr id=(rule) class=[is_chosen.then_some("now")] {
            th scope="row" { (title) }
            td { @match shown.value {
                Some(value) => (rule_words::said(rule, value)),
                None => (say!("default-of-that-day")),
            } }
            td.w.p2 { (day(shown.since, EFFECTIVE)) }
            td.p2 { @if let Some(next) = next {
                span.chip.live {
                    (tell!(
                        "rule-from",
                        rule = rule_words::said(rule, next.part("value")),
                        day = day(next, EFFECTIVE),
                    ))
                }
            } }
            td.w.p3 { @match shown.set_by {
                Some(by) => (people.name(by)),
                None => (say!("default")),
            } }
            td.n { a href={ (page.at("/rules")) "?rule=" (rule) "#edit" } {
                (verb) span.vh { " " (title) }
            } }
        }
    }
}

/// The form of one rule.
async fn editing(
    page: &Page<'_>,
    (rule, (field, inner)): (&str, (&'static Field, &'static [Field])),
    settings: &Value,
    (typed, refused): (Option<&Query>, Option<&Error>),
) -> Markup {
    let none = Refusals::new();
    let refusals = refused.map_or(&none, Error::fields);
    let picks = picks::of(page, inner).await;
    let known = typed.is_none().then(|| {
        let value = next(page, settings, rule).map_or(settings.part(rule), |it| it.part("value"));
        let record = Value::Object(Map::from_iter([(rule.to_owned(), value.clone())]));
        let filled = reading::filled(std::slice::from_ref(field), &record, page.person.zone);
        filled.without(&[&format!("{rule}.{EFFECTIVE}")])
    });
    let values = typed.or(known.as_ref()).unwrap_or(&page.query);
    let zone = page.person.zone;
    let filled = Filled { values, refusals, picks: &picks, zone, filters: false };
    let title = rule_words::title(rule).unwrap_or_default();
    let sent = typed.map(|typed| refusal::renewed(typed, refused));
    let seen = sent.as_ref().and_then(|sent| sent.get(REVISION));
    let revision = seen.unwrap_or_else(|| settings.text(REVISION));
    html! {
        form.panel.pad id="edit" method="post" action=(page.at("/rules")) aria-labelledby="e" {
            h2 id="e" { (say!("change-rule", rule = title.to_lowercase())) }
            (page.hidden())
            input type="hidden" name="rule" value=(rule);
            input type="hidden" name=(REVISION) value=(revision);
            @for one in inner {
                (form::one(one, &format!("{rule}.{}", one.name), one.required, &filled))
            }
            div.acts {
                @if page.allowed(PREVIEW).is_some() {
                    button.pri { (say!("see-what-it-does")) }
                } @else {
                    button.pri name="act" value="save" { (say!("save")) }
                }
                a.btn href=(page.at("/rules")) { (say!("cancel")) }
            }
        }
    }
}

fn history(page: &Page<'_>, settings: &Value, rule: &str, people: &People) -> Markup {
    html! {
        aside.stack aria-label=(say!("what-the-rule-was")) {
            section.panel.pad {
                h2 { (say!("history-of-this-rule")) }
                ol.line {
                    @for change in changes(settings, rule) {
                        li.done {
                            (rule_words::said(rule, change.part("value")))
                            small.dim {
                                (tell!(
                                    "rule-set",
                                    day = day(change, EFFECTIVE),
                                    name = people.name(change.text("set_by")),
                                    at = moment(page, change, "created_at"),
                                ))
                            }
                        }
                    }
                    @if changes(settings, rule).next().is_none() {
                        li {
                            (rule_words::said(rule, settings.part(rule)))
                            small.dim { (tell!("rule-default", day = day(settings.part(rule), EFFECTIVE))) }
                        }
                    }
                }
            }
        }
    }
}

/// What is not a rule: it holds at once.
fn institution(page: &Page<'_>, settings: &Value) -> Markup {
    let group = settings.part("smallest_group");
    html! {
        section.panel.pad {
            h2 { (say!("the-institution")) }
            dl.facts {
                dt { (say!("time-zone")) } dd { (words::zone(page.person.zone)) }
                dt { (say!("notifications")) } dd { (words::word(settings.text("digest"))) }
                dt { (say!("contact")) }
                dd { (settings.part("contact_email").as_str().unwrap_or("–")) }
                dt { (say!("smallest-group-in-published-figures")) } dd { (say!("athletes-of", count = group.as_i64().unwrap_or_default())) }
            }
            @if page.allowed(SAVE).is_some() {
                div.acts { a.btn href=(page.at(&format!("/op/{SAVE}"))) { (say!("change-these")) } }
            }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let rule = sent.get("rule").unwrap_or_default();
    let (field, inner) = field_of(page, rule).ok_or_else(|| Error::from(codes::FORBIDDEN))?;
    if sent.get("more").is_some() || sent.get("act") == Some("edit") {
        return Ok(show(page, Some(&sent), None, None).await?.into());
    }
    let read = reading::read(std::slice::from_ref(field), &sent, page.person.zone);
    let done = match read {
        Ok(mut input) => {
            keep_empty_lists(&mut input, rule, inner);
            if sent.get("act") == Some("save") {
                if let Some(revision) = sent.get(REVISION) {
                    input.insert(REVISION.into(), revision.into());
                }
                page.write(SAVE, input, &sent).await.map(|_| None)
            } else {
                page.read(PREVIEW, input).await.map(Some)
            }
        }
        Err(refusals) => Err(reading::invalid(&refusals)),
    };
    match done {
        Ok(None) => Ok(Outcome::to(&page.at("/rules"))),
        Ok(Some(answer)) => {
            Ok(show(page, Some(&sent), None, Some(answer.part("data"))).await?.into())
        }
        Err(error) => Ok(show(page, Some(&sent), Some(&error), None).await?.into()),
    }
}

/// A list of a rule that was emptied is an empty list: left out, the rule would be incomplete.
fn keep_empty_lists(input: &mut Map<String, Value>, rule: &str, inner: &[Field]) {
    let content = input.entry(rule).or_insert_with(|| Value::Object(Map::new()));
    let Some(content) = content.as_object_mut() else { return };
    for field in inner {
        if matches!(field.kind, Kind::Several(_) | Kind::Groups(_)) {
            content.entry(field.name.as_str()).or_insert_with(|| Value::Array(Vec::new()));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_rule_of_a_day_is_the_last_change_before_it() {
        let change = |day: &str, value: i64| {
            let value = json!({ "value": value, "unit": "days" });
            json!({ "rule": "deadline", "effective_on": day, "value": value, "set_by": "us" })
        };
        let settings = json!({
            "deadline": { "effective_on": "2026-06-01", "value": 7 },
            "f1": { "effective_on": "2021-07-01", "policy": "refused" },
            "changes": [change("2027-01-01", 9), change("2026-06-01", 7), change("2026-06-01", 6)],
        });
        let then = |rule: &'static str, day: &str| {
            let found = on_day(&settings, rule, day.parse().ok());
            (found.value.map(|value| value.number("value")), found.set_by)
        };
        assert_eq!(then("deadline", ""), (Some(7), Some("us")));
        assert_eq!(then("deadline", "2026-12-31"), (Some(7), Some("us")));
        assert_eq!(then("deadline", "2027-01-01"), (Some(9), Some("us")));
        assert_eq!(then("deadline", "2026-05-31"), (None, None));
        assert_eq!(then("f1", "2026-05-31"), (Some(0), None));
    }
}
