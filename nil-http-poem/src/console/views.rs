//! Views that a person has named: the query of a list, as a link above its filters. They stand in
//! a cookie of the side, beside the mark of the account that named them: whoever signs in next in
//! the same browser does not see them.

use hyper::Response;
use maud::{Markup, html};
use nil_core::auth::Principal;
use nil_core::http::{Desk, Outgoing};
use nil_core::{Error, Result};
use poem::http::HeaderMap;

use super::call::Page;
use super::query::Query;
use super::side::Side;
use super::texts::say;
use super::{cookies, frame, session};

/// The most views of a person.
const MOST: usize = 10;
/// The most letters of a view's name.
const LONGEST_NAME: usize = 40;
/// The most bytes of the cookie.
const LARGEST: usize = 2_048;
/// How long a browser keeps it, in seconds: a year.
const LIVES: u32 = 31_536_000;

/// A named view: its name, and the address below the side's base.
#[derive(Clone, Debug, PartialEq, Eq)]
struct View {
    name: String,
    to: String,
}

/// The views of whoever is signed in.
#[derive(Clone, Debug, Default)]
pub(super) struct Views(Vec<View>);

fn cookie_name(side: &Side, secure: bool) -> String {
    cookies::own_name(&format!("{}_views", side.cookie), secure)
}

impl Views {
    /// Reads them from a request; none if somebody else named them.
    pub(super) fn of(desk: Desk<'_>, side: &Side, headers: &HeaderMap, who: &Principal) -> Self {
        let found = cookies::find(headers, &cookie_name(side, desk.is_secure()));
        found.map_or_else(Self::default, |text| Self::read(text, &session::mark_of(desk, who)))
    }

    fn read(text: &str, mark: &str) -> Self {
        let mut pairs = Query::read(text).0.into_iter();
        if pairs.next().is_none_or(|(_, owner)| owner != mark) {
            return Self::default();
        }
        let views = pairs.map(|(name, to)| View { name, to }).filter(View::is_plain);
        Self(views.take(MOST).collect())
    }

    fn written(&self, mark: &str) -> String {
        let mut text = form_urlencoded::Serializer::new(String::new());
        text.append_pair("of", mark);
        for view in &self.0 {
            text.append_pair(&view.name, &view.to);
        }
        text.finish()
    }

    /// The views of a page.
    fn at<'v>(&'v self, path: &'v str) -> impl Iterator<Item = &'v View> {
        self.0.iter().filter(move |view| view.path() == path)
    }

    fn without(&self, path: &str, name: &str) -> Self {
        let is_other = |view: &&View| view.name != name || view.path() != path;
        Self(self.0.iter().filter(is_other).cloned().collect())
    }

    /// The same with one more; one of the same page and name is replaced.
    fn with(&self, new: View, mark: &str) -> Result<Self> {
        let letters = new.name.chars().count();
        if !(1..=LONGEST_NAME).contains(&letters) || !new.is_plain() {
            let why = say!("view-name-length", most = LONGEST_NAME);
            return Err(Error::invalid("view", why));
        }
        let mut all = self.without(new.path(), &new.name);
        all.0.push(new);
        if all.0.len() > MOST || all.written(mark).len() > LARGEST {
            let why = say!("views-no-room", most = MOST);
            return Err(Error::invalid("view", why));
        }
        Ok(all)
    }
}

impl View {
    /// Whether it leads to a page below the side's base.
    fn is_plain(&self) -> bool {
        (self.to.starts_with('?') || self.to.starts_with('/')) && !self.to.starts_with("//")
    }

    fn path(&self) -> &str {
        self.to.split_once('?').map_or(&self.to, |(path, _)| path)
    }
}

/// The part of a view that has a name: all but the page that one was at.
fn named(query: &Query) -> Query {
    query.without(&["page", "after"])
}

/// The views of a list as links, and the form that names this one or removes one.
pub(super) fn show(page: &Page<'_>) -> Markup {
    let here = named(&page.query).address();
    let to = format!("{}{here}", page.path);
    let views: Vec<&View> = page.views.at(page.path).collect();
    let is_new = !here.is_empty() && views.iter().all(|view| view.to != to);
    html! {
        @if is_new || !views.is_empty() {
            div.row role="group" aria-label=(say!("saved-views")) {
                @for view in &views {
                    a.chip.plain href=(page.at(&view.to))
                        aria-current=[(view.to == to).then_some("page")] { (view.name) }
                }
                details.more {
                    summary { @if is_new { (say!("save-view")) } @else { (say!("saved-views")) } }
                    form.row method="post" action=(page.at("/views")) {
                        (page.hidden())
                        input type="hidden" name="to" value=(to);
                        @if is_new {
                            label for="view-name" { (say!("view-name")) }
                            input id="view-name" name="view" required maxlength=(LONGEST_NAME)
                                autocomplete="off";
                            button.small name="act" value="save" { (say!("save")) }
                        }
                        @for view in &views {
                            button.quiet.small name="remove" value=(view.name) formnovalidate {
                                span aria-hidden="true" { "×" } " " (say!("remove-view", name = view.name.as_str()))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Names a view or removes one, and leads back to it.
pub(super) fn post(page: &Page<'_>, sent: &Query) -> Result<Response<Outgoing>> {
    let to = sent.get("to").unwrap_or_default().to_owned();
    let mark = session::mark_of(page.desk, &page.who);
    let name = sent.get("view").unwrap_or_default().trim().to_owned();
    let view = View { name, to };
    let views = match sent.get("remove") {
        Some(name) => page.views.without(view.path(), name),
        None => page.views.with(view.clone(), &mark)?,
    };
    let back = if view.is_plain() { page.at(&view.to) } else { page.at("") };
    let mut response = frame::see_other(&back);
    let name = cookie_name(page.side, page.desk.is_secure());
    cookies::give(page.desk, &mut response, &name, (&views.written(&mark), Some(LIVES)))?;
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str, to: &str) -> View {
        View { name: name.into(), to: to.into() }
    }

    #[test]
    fn views_are_those_of_their_account_and_page() {
        let views = Views::default().with(view("Late & big", "/deals?q=a%26b"), "m").unwrap();
        let views = views.with(view("Mine", "?assigned=me"), "m").unwrap();
        let text = views.written("m");
        assert!(text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\";,\\".contains(&byte)));
        let read = Views::read(&text, "m");
        assert_eq!(read.0, views.0);
        assert!(Views::read(&text, "another").0.is_empty());
        assert_eq!(read.at("/deals").count(), 1);
        assert_eq!(read.at("").next().map(|view| view.name.as_str()), Some("Mine"));
        assert_eq!(read.without("", "Mine").0.len(), 1);
        assert_eq!(read.without("/deals", "Mine").0.len(), 2);
    }

    #[test]
    fn views_are_bounded_and_stay_on_the_site() {
        let mut views = Views::default();
        for at in 0..MOST {
            views = views.with(view(&format!("View {at}"), "/deals?q=x"), "m").unwrap();
        }
        assert!(views.with(view("One more", "/deals?q=x"), "m").is_err());
        assert!(views.with(view("View 3", "/deals?q=y"), "m").is_ok(), "it replaces another");
        let none = Views::default();
        assert!(
            none.with(view("Long", &format!("/deals?q={}", "x".repeat(LARGEST))), "m").is_err()
        );
        assert!(none.with(view("", "/deals?q=x"), "m").is_err());
        assert!(none.with(view("Far", "//elsewhere.example"), "m").is_err());
        assert!(Views::read("of=m&Far=https%3A%2F%2Felsewhere.example", "m").0.is_empty());
    }
}
