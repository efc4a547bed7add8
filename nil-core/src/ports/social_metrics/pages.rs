//! Looks at the public pages of posts, as any reader does. It has no figures of accounts.
//!
//! Networks show much of their pages only to their own users. Only what a page says plainly counts: that there is no such
//! page, or the description of the post. Everything else is unknown.

use std::time::Duration;

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
        Box::pin(async move { self.0.get(url).await.map_err(Outage).and_then(|page| read(&page)) })
    }
}

fn read(page: &Answer) -> Result<Look, Outage> {
    match page.status.as_u16() {
        404 | 410 => Ok(Look::Gone),
        200 => Ok(match description(&String::from_utf8_lossy(&page.body)) {
            Some(caption) => Look::There { caption: Some(caption) },
            None => Look::Unknown("The page does not show the post to everybody.".to_owned()),
        }),
        401 | 403 => Ok(Look::Unknown("The network shows the post only to its own users.".into())),
        status => Err(Outage(format!("the network answered {status}"))),
    }
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
mod tests {
    use reqwest::{StatusCode, Url};

    use super::*;

    fn page(status: u16, body: &str) -> Result<Look, Outage> {
        read(&Answer {
            status: StatusCode::from_u16(status).unwrap(),
            url: Url::parse("https://www.instagram.com/p/1").unwrap(),
            body: body.as_bytes().to_vec(),
        })
    }

    #[test]
    fn only_what_a_page_says_plainly_counts() {
        assert_eq!(page(404, ""), Ok(Look::Gone));
        assert_eq!(page(410, ""), Ok(Look::Gone));
        let there = |caption: &str| Ok(Look::There { caption: Some(caption.to_owned()) });
        let shown = "<html><meta property=\"og:title\" content=\"Zoe\"><meta content='&#35;ad &amp; fun' \
                     property='og:description'/>";
        assert_eq!(page(200, shown), there("#ad & fun"));
        for body in [
            "",
            "<h1>Log in</h1>",
            "<meta name=\"description\" content=\"#ad\">",
            "<meta property=\"og:description\" content=\"\">",
            "<meta property=\"og:description\"",
            "<meta xproperty=\"og:description\" content=\"#ad\">",
        ] {
            assert!(matches!(page(200, body), Ok(Look::Unknown(_))), "{body}");
        }
        assert!(matches!(page(403, shown), Ok(Look::Unknown(_))));
        for status in [302, 429, 500, 503] {
            assert!(page(status, shown).is_err(), "{status}");
        }
    }
}
