//! The pages of the embedded processor, where people do what they do on those of a real one: they
//! finish onboarding, confirm a charge with their bank, enter a card. Only those who were given the
//! address of a page can open it.

use std::fmt::Write as _;

use ::http::Response;
use ::http::request::Parts;

use super::response::{Outgoing, redirect, whole};
use super::site::Site;
use crate::kernel::WebUrl;
use crate::payments::sandbox;
use crate::wording::escaped;

const PAGES: &str = "/api/sandbox/";

/// The page at this path, if there is one. To open it with an answer is to give that answer.
pub(super) async fn answer(site: &Site, path: &str, parts: &Parts) -> Option<Response<Outgoing>> {
    let (kind, page) = path.strip_prefix(PAGES)?.split_once('/')?;
    let platform = &site.inner().platform;
    if !sandbox::is_page(platform, page) {
        return None;
    }
    if kind == "onboarding" {
        let done = sandbox::open_onboarding(platform, page).await.ok()?;
        return done.then(|| {
            ended("Your account is ready", "<p>The sandbox processor has everything it needs.</p>")
        });
    }
    let query = parts.uri.query().unwrap_or_default();
    let asked = |name: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find_map(|(known, value)| (known == name).then(|| value.into_owned()))
    };
    let back = asked("return_url");
    let Some(given) = asked("answer") else { return choices(kind, back.as_deref()) };
    let done = match kind {
        "confirmation" => {
            sandbox::confirm_on_page(platform, page, given == "confirm").await.ok()?
        }
        "card" => sandbox::enter_card(platform, page, &given).await.ok()?,
        _ => return None,
    };
    let back = back.and_then(|back| WebUrl::new(&back).ok());
    Some(match back.filter(|_| done) {
        Some(back) => redirect(303, &back),
        None if done => ended("Done", ""),
        None => ended("This page has been answered", ""),
    })
}

/// The answers that a page can be given.
fn choices(kind: &str, back: Option<&str>) -> Option<Response<Outgoing>> {
    let (title, answers) = match kind {
        "confirmation" => (
            "Confirm the payment",
            vec![("confirm".to_owned(), "Confirm".to_owned()), ("refuse".into(), "Refuse".into())],
        ),
        "card" => {
            let cards = sandbox::test_cards().into_iter();
            let worded = |(number, words): (&str, _)| (number.into(), format!("{number} {words}"));
            ("Enter a test card", cards.map(worded).collect())
        }
        _ => return None,
    };
    let mut list = String::from("<ul>");
    for (answer, words) in answers {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("answer", &answer);
        if let Some(back) = back {
            query.append_pair("return_url", back);
        }
        let (link, words) = (escaped(&query.finish()), escaped(&words));
        let _ = write!(list, "<li><a href=\"?{link}\">{words}</a></li>");
    }
    list.push_str("</ul>");
    Some(document(title, &list))
}

/// A page on which there is nothing left to do.
fn ended(title: &str, content: &str) -> Response<Outgoing> {
    document(title, &format!("{content}<p>You can close this page.</p>"))
}

fn document(title: &str, content: &str) -> Response<Outgoing> {
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <h1>{title}</h1>{content}</html>\n"
    );
    whole(200, "text/html; charset=utf-8", page.into_bytes())
}
