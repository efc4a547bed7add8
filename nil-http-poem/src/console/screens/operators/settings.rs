//! The settings of the site by subject. Only what was changed is sent.

use futures::future::join;
use maud::{Markup, html};
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use crate::console::call::{Page, Shown};
use crate::console::describe::Field;
use crate::console::form::{self, Filled, Refusals};
use crate::console::part::Part as _;
use crate::console::picks;
use crate::console::query::Query;
use crate::console::screens::list::{Link, link};
use crate::console::screens::{Form, Outcome};
use crate::console::texts::{self, key, say, tell};
use crate::console::{reading, refusal, words};

const SAVE: &str = "site.save_basic";

/// What the settings were like when they were shown; it goes along with what was changed.
const REVISION: &str = "revision";

/// A subject, what to know about it, and its settings.
type Subject = (&'static str, &'static str, &'static [&'static str]);

const SUBJECTS: [Subject; 4] = [
    (
        key!("name-and-support"),
        key!("as-mails-and-documents-show-them"),
        &["name", "support_email"],
    ),
    (
        key!("nav-section-money"),
        key!("contracts-keep-the-fee-that-they"),
        &[
            "fee_basis_points",
            "least_amount_cents",
            "subscription_refund_days",
            "hold_payouts_for_tax_form",
        ],
    ),
    (key!("jobs-found"), key!("jobs-that-wait-for-a-review-still"), &["job_approval"]),
    (key!("features"), key!("what-began-while-a-feature-was-on"), &["feature_flags"]),
];

/// The other pages of the site's settings.
const OTHERS: [Link; 6] = [
    link("site.save_email_sender", "/op/site.save_email_sender", key!("mail-sender")),
    link("site.upload_image", "/op/site.upload_image", key!("pictures")),
    link("category.list_sport", "/op/category.list_sport", key!("sports")),
    link("category.list_business", "/op/category.list_business", key!("kinds-of-business")),
    link("category.list_job", "/op/category.list_job", key!("kinds-of-jobs")),
    link("notification.overview", "/op/notification.overview?status=all", key!("messages")),
];

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, None, None).await?.into())
}

async fn show(page: &Page<'_>, typed: Option<&Query>, refused: Option<&Error>) -> Result<Shown> {
    let fields = page.fields(SAVE);
    let (answer, picks) =
        join(page.read("site.settings", Map::new()), picks::of(page, fields)).await;
    let (answer, none) = (answer?, Refusals::new());
    let settings = answer.part("data");
    let zone = page.person.zone;
    let values = match typed {
        Some(typed) => refusal::renewed(typed, refused),
        None => reading::filled(fields, settings, zone),
    };
    let refusals = refused.map_or(&none, Error::fields);
    let filled = Filled { values: &values, refusals, zone, picks: &picks, filters: false };
    let others = || OTHERS.iter().filter(|link| page.allowed(link.needs).is_some());
    let content = html! {
        div.head { div {
            h1 { (say!("nav-section-site")) }
            p {
                @if let Some(at) = settings.moment("updated_at") {
                    (tell!("changed-at", at = words::moment(at, zone))) " "
                }
                (say!("each-save-is-in-the-audit-trail"))
            }
        } }
        ul.tabs {
            li { a href=(page.at(page.path)) aria-current="page" { (say!("general")) } }
            @for link in others() { li { a href=(page.at(link.path)) { (texts::plain(link.words)) } } }
        }
        @if let Some(error) = refused {
            (refusal::note(fields, error))
            @if let Some(typed) = typed { (refusal::meanwhile(page, fields, typed, error)) }
        }
        form method="post" action=(page.at(page.path)) {
            (page.hidden())
            @for (title, about, names) in SUBJECTS {
                (subject(title, about, &among(fields, |name| names.contains(&name)), &filled))
            }
            (subject(key!("more"), "", &among(fields, is_other), &filled))
            @if page.allowed(SAVE).is_some() { div.acts.bulk { button.pri { (say!("save")) } } }
        }
    };
    let mut shown = Shown::new(say!("nav-section-site"), content);
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn is_other(name: &str) -> bool {
    !SUBJECTS.iter().any(|(.., names)| names.contains(&name))
}

fn among(fields: &[Field], is_wanted: impl Fn(&str) -> bool) -> Vec<&Field> {
    fields.iter().filter(|field| is_wanted(&field.name)).collect()
}

fn subject(title: &str, about: &str, fields: &[&Field], filled: &Filled<'_>) -> Markup {
    html! {
        @if !fields.is_empty() {
            section.panel.pad.half {
                div { h2 { (texts::plain(title)) } p.dim { (texts::plain(about)) } }
                div { @for field in fields {
                    (form::one(field, &field.name, field.required, filled))
                } }
            }
        }
    }
}

/// What of an input differs from how things are. What was not touched is not sent: another operator
/// may have changed it meanwhile, and some of it needs more rights than the rest.
fn changed(input: Map<String, Value>, present: &Value) -> Map<String, Value> {
    let differs = |(name, value): (String, Value)| match (value, present.part(&name)) {
        (Value::Object(inner), old @ Value::Object(_)) => {
            let inner = changed(inner, old);
            (!inner.is_empty()).then_some((name, Value::Object(inner)))
        }
        (value, old) => (value != *old).then_some((name, value)),
    };
    input.into_iter().filter_map(differs).collect()
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let input = match page.input(SAVE, &sent) {
        Ok(input) => input,
        Err(error) => return Ok(show(page, Some(&sent), Some(&error)).await?.into()),
    };
    let present = page.read("site.settings", Map::new()).await?;
    let seen = input.get(REVISION).cloned();
    let mut input = changed(input, present.part("data"));
    input.remove(REVISION);
    if !input.is_empty() {
        input.extend(seen.map(|seen| (REVISION.to_owned(), seen)));
    }
    let done =
        if input.is_empty() { Ok(Value::Null) } else { page.write(SAVE, input, &sent).await };
    match done {
        Ok(_) => Ok(Outcome::to(&page.at(page.path))),
        Err(error) => Ok(show(page, Some(&sent), Some(&error)).await?.into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_was_changed_is_sent() {
        let present = json!({ "name": "nil", "fee": 1_000, "flags": { "a": true, "b": true } });
        let input = json!({ "name": "nil", "fee": 900, "flags": { "a": true, "b": false } });
        let input = input.as_object().cloned().unwrap();
        let wanted = json!({ "fee": 900, "flags": { "b": false } });
        assert_eq!(Value::Object(changed(input, &present)), wanted);
    }
}
