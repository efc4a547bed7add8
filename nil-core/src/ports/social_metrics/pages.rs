//! Looks at the public pages of posts, as any reader does. It has no figures of accounts.
//!
//! Networks show much of their pages only to their own users. Only what a page says plainly counts:
//! that there is no such page, or the description of the post. Everything else is unknown.

use std::time::Duration;

use reqwest::Url;

use super::{Figures, Later, Look, Outage, SocialMetrics};
use crate::ports::outbound::{Answer, Limits, Outbound};

/// The limits of one page.
const LIMITS: Limits = Limits { bytes: 512 * 1024, time: Duration::from_secs(10) };
/// The longest caption that is kept, in characters.
const CAPTION: usize = 5_000;

/// A reader of public pages.
#[derive(Debug, Clone)]
pub struct Pages(Outbound);

impl Pages {
    /// A reader; otherwise the reason why there is none.
    pub fn new() -> Result<Self, String> {
        Outbound::new(LIMITS).map(Self)
    }
}

impl SocialMetrics for Pages {
    fn figures<'a>(&'a self, _network: &'a str, _handle: &'a str) -> Later<'a, Option<Figures>> {
        Box::pin(async { Ok(None) })
    }

    fn has_figures(&self) -> bool {
        false
    }

    fn post<'a>(&'a self, _network: &'a str, url: &'a str) -> Later<'a, Look> {
        Box::pin(async move {
            let page = self.0.get(url).await.map_err(Outage)?;
            read(url, &page)
        })
    }
}

fn read(asked: &str, page: &Answer) -> Result<Look, Outage> {
    let closed = || Look::Unknown("The network shows the post only to its own users.".to_owned());
    let unknown = |why: &str| Look::Unknown(why.to_owned());
    match page.status.as_u16() {
        404 | 410 => Ok(Look::Gone),
        401 | 403 => Ok(closed()),
        200 if asks_to_log_in(&page.url) => Ok(closed()),
        200 if leads_home(asked, &page.url) => Ok(unknown("The address leads to another page.")),
        200 if !page.is_page => Ok(unknown("There is no page at the address.")),
        200 => Ok(match description(&String::from_utf8_lossy(&page.body)) {
            Some(caption) => Look::There { caption: Some(caption) },
            None => unknown("The page does not show the post to everybody."),
        }),
        status => Err(Outage(format!("the network answered {status}"))),
    }
}

/// Parts of addresses at which networks ask to log in. Such a page describes the network, not the
/// post.
const LOG_IN: [&str; 8] =
    ["login", "log-in", "signin", "sign-in", "signup", "sign-up", "authwall", "checkpoint"];

/// Whether the post's address has led to a page to log in.
fn asks_to_log_in(url: &Url) -> bool {
    let mut parts = url.path_segments().into_iter().flatten();
    parts.any(|part| LOG_IN.iter().any(|word| part.eq_ignore_ascii_case(word)))
}

/// Whether the post's address has led to the network's first page.
fn leads_home(asked: &str, url: &Url) -> bool {
    let at_home = |url: &Url| url.path() == "/" && url.query().is_none();
    at_home(url) && Url::parse(asked).is_ok_and(|asked| !at_home(&asked))
}

/// The description that a page gives of its post, for previews in other places.
fn description(page: &str) -> Option<String> {
    let tag = page.split("<meta").skip(1).find_map(|rest| {
        let tag = rest.split('>').next()?;
        (attribute(tag, "property")? == "og:description").then_some(tag)
    })?;
    let text = attribute(tag, "content")?;
    let text: String = unescaped(text).trim().chars().take(CAPTION).collect();
    (!text.is_empty()).then_some(text)
}

/// The value of an attribute in quotes.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let at = tag.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = tag.get(..*at).and_then(|before| before.chars().next_back());
        let after = tag.get(at + name.len()..).map(str::trim_start);
        before.is_none_or(char::is_whitespace) && after.is_some_and(|rest| rest.starts_with('='))
    })?;
    let rest = tag.get(at + name.len()..)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()
}

/// Text with the common entities in place of the signs they stand for.
fn unescaped(text: &str) -> String {
    let named =
        [("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&#35;", "#"), ("&#x23;", "#")];
    let more = [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&")];
    let all = named.into_iter().chain(more);
    all.fold(text.to_owned(), |text, (entity, sign)| text.replace(entity, sign))
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
