//! The page that closes an account for good: it asks to type the name of the account, because what
//! is erased does not come back.

use std::collections::BTreeMap;

use maud::html;
use nil_core::error::codes;
use nil_core::{Error, Result};

use super::account::{self, About};
use crate::console::call::{Page, Shown, one};
use crate::console::describe::Field;
use crate::console::form::{self, Filled};
use crate::console::picks::Picks;
use crate::console::query::Query;
use crate::console::refusal;
use crate::console::screens::{Form, Outcome, acts};
use crate::console::texts::{self, say, tell};

const CLOSE: &str = "user.close";
/// The field with the name that is typed.
const NAME: &str = "typed_name";

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, &Query::default(), None).await?.into())
}

/// The fields of the operation, but for the account: the page is about one.
fn own(page: &Page<'_>) -> Vec<&'static Field> {
    page.fields(CLOSE).iter().filter(|field| field.name != "user_id").collect()
}

async fn show(page: &Page<'_>, typed: &Query, refused: Option<&Error>) -> Result<Shown> {
    let entry = page.allowed(CLOSE).ok_or_else(|| Error::from(codes::FORBIDDEN))?;
    let about = About::at(page.path);
    let (name, _) = account::named(page, about).await?;
    let none = BTreeMap::new();
    let refusals = refused.map_or(&none, Error::fields);
    let (picks, zone) = (&Picks::default(), page.person.zone);
    let filled = Filled { values: typed, refusals, picks, zone, filters: false };
    let back = page.at(page.path.trim_end_matches("/close"));
    let wrong = refusals.get(NAME).and_then(|reasons| reasons.first());
    let content = html! {
        div.head { div { h1 { (say!("close-one", name = name.as_str())) } } }
        @if let Some(error) = refused { (refusal::note(page.fields(CLOSE), error)) }
        (acts::warning(entry))
        form.panel.pad method="post" action=(page.at(page.path)) {
            (page.hidden())
            @for field in own(page) { (form::one(field, &field.name, field.required, &filled)) }
            div.field {
                label for="f-typed_name" { (say!("name-of-the-account")) }
                p.hint id="f-typed_name-h" { (tell!("type-the-name", name = html! { b { (name) } })) }
                @if let Some(wrong) = wrong {
                    p.err id="f-typed_name-e" { span.vh { (say!("error")) " " } (wrong) "." }
                }
                input.w id="f-typed_name" name=(NAME) required autocomplete="off"
                    value=(typed.get(NAME).unwrap_or_default())
                    aria-describedby={
                        "f-typed_name-h" @if wrong.is_some() { " f-typed_name-e" }
                    }
                    aria-invalid=[wrong.map(|_| "true")];
            }
            div.acts {
                button.pri.danger { (texts::verb(entry)) }
                a.btn href=(back) { (say!("cancel")) }
            }
        }
    };
    let mut shown = Shown::new(say!("close-one", name = name.as_str()), content).below(back, name);
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

/// Whether the name was typed as it is, whatever the spaces and capitals.
fn is_same(typed: &str, name: &str) -> bool {
    let plain =
        |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    plain(typed) == plain(name)
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let about = About::at(page.path);
    let (name, user) = account::named(page, about).await?;
    let done = if is_same(sent.get(NAME).unwrap_or_default(), &name) {
        let mut input = one("user_id", user);
        for field in own(page) {
            if let Some(value) = sent.get(&field.name) {
                input.insert(field.name.clone(), value.into());
            }
        }
        page.write(CLOSE, input, &sent).await
    } else {
        Err(Error::invalid(NAME, say!("is-not-the-name")))
    };
    match done {
        Ok(_) => Ok(Outcome::to(&page.at(about.list.0))),
        Err(error) => Ok(show(page, &sent, Some(&error)).await?.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_whatever_its_spaces_and_capitals() {
        assert!(is_same(" zoe  Okafor", "Zoe Okafor"));
        assert!(!is_same("Zoe", "Zoe Okafor") && !is_same("", "Zoe"));
    }
}
