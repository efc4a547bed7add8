//! The page at `/` of a site: what a server answers, for whoever opens its address in a browser.

use std::fmt::Write as _;

use ::http::Response;
use ::http::header::CONTENT_SECURITY_POLICY;

use super::response::{Outgoing, put, whole};
use super::site::Site;
use crate::catalog::openapi;

const PAGE: &str = include_str!("../../assets/docs/index.html");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The page, with links to where people sign in and to the documentation of the interfaces.
pub(super) fn answer(site: &Site) -> Response<Outgoing> {
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
