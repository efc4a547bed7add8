//! The page at `/` of a site: what a server answers, for whoever opens its address in a browser.

use std::fmt::Write as _;

use ::http::header::{ACCEPT, CONTENT_SECURITY_POLICY};
use ::http::{HeaderMap, Response};

use super::response::{Outgoing, put, redirect, whole};
use super::site::Site;
use super::visit::Desk;
use crate::catalog::openapi;

const PAGE: &str = include_str!("../../assets/docs/index.html");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Whether a browser asks for a page to show: such a request names HTML before anything else.
/// Programs take what they get.
fn is_for_people(headers: &HeaderMap) -> bool {
    let accepts = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let first = accepts.split([',', ';']).next().unwrap_or_default();
    first.trim().eq_ignore_ascii_case("text/html")
}

/// The one entrance that fits whoever asks: the only one of the site, or the only one behind which
/// they are signed in. None if people have to choose.
async fn entrance(desk: Desk<'_>, headers: &HeaderMap) -> Option<&'static str> {
    let site = desk.site();
    let pages = site.inner().options.pages.as_deref()?;
    let all = pages.entrances().iter().filter(|(interface, ..)| site.has(*interface));
    let all: Vec<&'static str> = all.map(|(_, _, path)| *path).collect();
    if let [only] = *all {
        return Some(only);
    }
    let mut known = pages.signed_in_at(desk, headers).await;
    known.retain(|path| all.contains(path));
    match *known {
        [only] => Some(only),
        _ => None,
    }
}

/// The page, with links to where people sign in and to the documentation of the interfaces. A
/// browser is led on where only one place to sign in fits.
pub(super) async fn answer(desk: Desk<'_>, headers: &HeaderMap) -> Response<Outgoing> {
    let site = desk.site();
    if is_for_people(headers)
        && let Some(path) = entrance(desk, headers).await
    {
        return redirect(303, &format!("{}{path}", site.prefix()));
    }
    shown(site)
}

fn shown(site: &Site) -> Response<Outgoing> {
    let (inner, prefix) = (site.inner(), site.prefix());
    let mut interfaces = String::new();
    for interface in &inner.interfaces {
        let (title, base) = (openapi::title(*interface), interface.base());
        let _ = writeln!(
            interfaces,
            "<li><a href=\"{prefix}{base}/docs\">{title}</a>, also as \
             <a href=\"{prefix}{base}/openapi.json\">OpenAPI document</a> \
             (<a href=\"{prefix}{base}/openapi-3.0.json\">in version 3.0</a>)</li>"
        );
    }
    let mut entrances = String::new();
    let all = inner.options.pages.as_deref().map_or(&[][..], |pages| pages.entrances());
    for (_, name, path) in all.iter().filter(|(interface, ..)| site.has(*interface)) {
        let _ = writeln!(entrances, "<li><a href=\"{prefix}{path}\">{name}</a></li>");
    }
    if !entrances.is_empty() {
        entrances = format!("<h2>Sign in</h2>\n<ul>\n{entrances}</ul>");
    }
    let metrics = match inner.options.metrics {
        Some(_) => format!(", <a href=\"{prefix}/metrics\">its metrics</a>"),
        None => String::new(),
    };
    let page = PAGE
        .replace("{{interfaces}}", &interfaces)
        .replace("{{entrances}}", &entrances)
        .replace("{{metrics}}", &metrics)
        .replace("{{prefix}}", prefix);
    let mut response = whole(200, "text/html; charset=utf-8", page.into_bytes());
    put(response.headers_mut(), CONTENT_SECURITY_POLICY, POLICY);
    response
}

#[cfg(test)]
mod tests {
    use ::http::HeaderValue;

    use super::*;

    #[test]
    fn browsers_name_html_first() {
        let is = |accepts: &'static str| {
            is_for_people(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accepts))]))
        };
        assert!(is("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"));
        assert!(is("text/html;q=1"));
        assert!(!is("*/*") && !is("application/json, text/html") && !is(""));
        assert!(!is_for_people(&HeaderMap::new()));
    }
}
