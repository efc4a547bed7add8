//! The frame of every page: head, navigation, foot; and the page without navigation for whoever is
//! not signed in.

use hyper::Response;
use maud::{DOCTYPE, Markup, html};
use nil_core::http::{Desk, Outgoing};
use sending::response;
use serde_json::Value;

use super::call::{Page, Shown};
use super::counts::{self, Waiting};
use super::side::Side;
use super::texts::{self, Language, key, say, tell};
use super::{files, icons, words};

/// What a browser may do with a page: nothing from elsewhere, nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page with its navigation.
pub(super) fn page(page: &Page<'_>, shown: &Shown) -> Response<Outgoing> {
    let token = page.desk.form_token(&page.who);
    let content = html! {
        a.skip href="#main" { (say!("skip")) }
        @for (id, words) in places(&shown.content) {
            a.skip href={ "#" (id) } { (texts::plain(words)) }
        }
        (bar(page))
        div.shell {
            (navigation(page, token.expose()))
            div.page {
                p.only-print {
                    (tell!(
                        "only-print",
                        house = html! { b { (page.person.house) } },
                        title = shown.title.as_str(),
                        name = page.person.name.as_str(),
                        at = words::moment(page.desk.now(), page.person.zone),
                        request = page.desk.request_id(),
                    ))
                }
                main id="main" tabindex="-1" {
                    @if !shown.crumbs.is_empty() {
                        ul.crumbs {
                            @for (address, words) in &shown.crumbs {
                                li { a href=(address) { (words) } }
                            }
                        }
                    }
                    (shown.content)
                }
                footer.foot {
                    span { (say!("times-in-zone", zone = words::zone(page.person.zone))) }
                    (request(page.desk))
                    (languages(page.desk, page.side, Some(token.expose()), &page.back()))
                }
            }
        }
    };
    let title = format!("{} · {}", shown.title, page.person.house);
    document(page.desk, shown.status, &title, &content)
}

/// The parts that people come to a page for, by their id, each with the key of its words.
const PLACES: [(&str, &str); 3] = [
    ("rows", key!("skip-to-rows")),
    ("decision", key!("skip-to-decision")),
    ("task", key!("skip-to-form")),
];

/// Those that a page has: the keyboard goes there at once, past filters and facts.
fn places(content: &Markup) -> impl Iterator<Item = (&'static str, &'static str)> {
    PLACES.into_iter().filter(|(id, _)| stands(id, content))
}

/// Whether a part of a page has an element with this id.
pub(super) fn stands(id: &str, part: &Markup) -> bool {
    part.0.contains(&format!(" id=\"{id}\""))
}

/// A page in the middle of an empty window. If it says where it stands, its language can be
/// changed.
pub(super) fn alone(
    desk: Desk<'_>,
    place: Option<(&Side, &str)>,
    status: u16,
    (title, house): (&str, &str),
    content: &Markup,
) -> Response<Outgoing> {
    let content = html! {
        div.solo {
            main id="main" {
                p.row { (logo(house)) b { (house) } }
                (content)
                p.foot { (request(desk)) }
            }
            @if let Some((side, back)) = place {
                footer.foot { (languages(desk, side, None, back)) }
            }
        }
    };
    document(desk, status, &format!("{title} · {house}"), &content)
}

/// The form that changes the language, and leads back.
fn languages(desk: Desk<'_>, side: &Side, token: Option<&str>, back: &str) -> Markup {
    let now = texts::language();
    let others = Language::OFFERED.into_iter().filter(|language| *language != now);
    html! {
        form.language method="post" action={ (desk.prefix()) (side.base) "/language" } {
            @if let Some(token) = token {
                input type="hidden" name="form_token" value=(token);
            }
            input type="hidden" name="back" value=(back);
            @for language in others {
                button.quiet.small name="language" value=(language.tag()) lang=(language.tag()) {
                    (language.own_name())
                }
            }
        }
    }
}

/// Keeps the language that was chosen.
pub(super) fn in_other_language(desk: Desk<'_>, chosen: &str, address: &str) -> Response<Outgoing> {
    let mut response = see_other(address);
    if let Some(language) = Language::offered(chosen) {
        texts::keep(desk, &mut response, language);
    }
    response
}

fn request(desk: Desk<'_>) -> Markup {
    html! { span { (tell!("request", id = html! { span.mono { (desk.request_id()) } })) } }
}

fn document(desk: Desk<'_>, status: u16, title: &str, content: &Markup) -> Response<Outgoing> {
    let prefix = desk.prefix();
    let page = html! {
        (DOCTYPE)
        html lang=(texts::language().tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href=(files::PICTURE.at(prefix)) type="image/svg+xml";
                link rel="stylesheet" href=(files::STYLE.at(prefix));
                script src=(files::SCRIPT.at(prefix)) defer {}
            }
            body { (content) }
        }
    };
    response(status, page.into_string())
}

/// The head of narrow windows.
fn bar(page: &Page<'_>) -> Markup {
    html! {
        header.bar {
            button.quiet popovertarget="nav" { (icons::MENU.show()) span.vh { (say!("menu")) } }
            b { (page.person.house) }
            a.btn.quiet href=(page.at("/search")) data-palette=(say!("search-palette")) {
                (icons::SEARCH.show()) span.vh { (say!("search")) }
            }
        }
    }
}

fn navigation(page: &Page<'_>, token: &str) -> Markup {
    // The page of a record is within the list that leads to it.
    let current = |path: &str| match page.path.strip_prefix(path) {
        Some("") => Some("page"),
        Some(rest) if !path.is_empty() && rest.starts_with('/') => Some("true"),
        _ => None,
    };
    html! {
        nav.side id="nav" popover aria-label=(say!("main-navigation"))
            data-page=(say!("palette-page")) data-operation=(say!("palette-operation"))
            data-found=(say!("palette-found")) data-none=(say!("palette-none")) {
            a.org href=(page.at("")) {
                (logo(&page.person.house))
                span { (page.person.house) small { (texts::plain(page.side.kind)) } }
            }
            a.find href=(page.at("/search")) data-palette=(say!("search-palette")) {
                (icons::SEARCH.show()) (say!("search")) " " kbd { "Ctrl K" }
            }
            @for section in page.side.sections {
                @let places = section.places.iter().filter(|it| page.allowed(it.needs).is_some());
                @let places: Vec<_> = places.collect();
                @if !places.is_empty() {
                    @if !section.title.is_empty() { h2 { (texts::plain(section.title)) } }
                    ul {
                        @for place in places {
                            li { a href=(page.at(place.path)) aria-current=[current(place.path)] {
                                (place.icon.show()) (texts::plain(place.title)) (waiting(page, place.path))
                            } }
                        }
                    }
                }
            }
            ul.me {
                li { a href=(page.at("/all")) aria-current=[current("/all")] {
                    (icons::LIST.show()) (say!("all-operations"))
                } }
                li {
                    form method="post" action=(page.at("/sign-out")) {
                        input type="hidden" name="form_token" value=(token);
                        button.quiet { (icons::LEAVE.show()) (say!("sign-out")) }
                    }
                }
            }
        }
    }
}

/// How much waits at a place of the navigation.
fn waiting(page: &Page<'_>, path: &str) -> Markup {
    html! { @match counts::at(page, path) {
        Some(Waiting::Late(count)) => {
            " " span.num.late { (say!("inbox-late-count", count = count)) }
        }
        Some(Waiting::Open(count)) => { " " span.num { (words::number(count)) } }
        None => {}
    } }
}

fn logo(house: &str) -> Markup {
    let mut words = house.split_whitespace().filter(|word| word.len() > 2);
    let letters: String = [words.next(), words.next()]
        .iter()
        .flatten()
        .filter_map(|word| word.chars().next())
        .collect();
    let letters = if letters.is_empty() { "n".to_owned() } else { letters };
    html! { span.logo aria-hidden="true" { (letters) } }
}

/// The page of an address that leads nowhere.
pub(super) fn missing(desk: Desk<'_>) -> Response<Outgoing> {
    let content = html! {
        section.panel {
            h1 { (say!("no-such-page")) }
            p { (say!("no-such-page-why")) }
        }
        p { span { "404 route_not_found" } }
    };
    alone(desk, None, 404, (&say!("no-such-page"), "nil"), &content)
}

/// The page for a form that comes from elsewhere, or whose time is over.
pub(super) fn not_from_here(desk: Desk<'_>) -> Response<Outgoing> {
    let content = html! {
        section.panel {
            h1 { (say!("not-from-here")) }
            p { (say!("not-from-here-why")) }
            p { (say!("not-from-here-next")) }
        }
    };
    alone(desk, None, 403, (&say!("not-from-here"), "nil"), &content)
}

/// Leads to another page after a form was sent.
pub(super) fn see_other(address: &str) -> Response<Outgoing> {
    sending::redirect(303, address)
}

/// An answer for the pages' own script.
pub(super) fn json(status: u16, answer: &Value) -> Response<Outgoing> {
    sending::json(status, answer)
}

mod sending {
    use hyper::Response;
    use hyper::body::Bytes;
    use nil_core::http::Outgoing;
    use poem::http::header::{
        CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, LOCATION, REFERRER_POLICY,
    };
    use poem::http::{HeaderValue, StatusCode};

    pub(super) fn response(status: u16, page: String) -> Response<Outgoing> {
        let mut response = Response::new(Outgoing::Whole(Bytes::from(page)));
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
        let headers = response.headers_mut();
        for (name, value) in [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, super::POLICY),
            // Without it a browser does not say which page a form comes from.
            (REFERRER_POLICY, "same-origin"),
            (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }

    pub(super) fn json(status: u16, answer: &serde_json::Value) -> Response<Outgoing> {
        let mut response = Response::new(Outgoing::Whole(Bytes::from(answer.to_string())));
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        response
    }

    pub(super) fn redirect(status: u16, address: &str) -> Response<Outgoing> {
        let mut response = Response::new(Outgoing::Whole(Bytes::new()));
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::SEE_OTHER);
        if let Ok(address) = HeaderValue::from_str(address) {
            response.headers_mut().insert(LOCATION, address);
        }
        response
    }
}
