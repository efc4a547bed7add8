//! The language of a request: the one that was chosen, else one that the browser asks for.

use poem::http::HeaderMap;
use poem::http::header::ACCEPT_LANGUAGE;
use unic_langid::LanguageIdentifier;

/// The cookie of the language that was chosen. It tells nothing else.
const COOKIE: &str = "nil_language";
/// How long a choice is kept, in seconds: a year.
const KEPT: u32 = 31_536_000;
/// The most ranges of a header that are read.
const RANGES: usize = 16;

/// A language of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::console) enum Language {
    English,
    Spanish,
    /// English that is longer, to try the pages with (`pseudo`). It is not offered.
    Pseudo,
}

impl Language {
    /// The languages that people choose from.
    pub(in crate::console) const OFFERED: [Self; 2] = [Self::English, Self::Spanish];

    /// Its tag.
    pub(in crate::console) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::Pseudo => "en-XA",
        }
    }

    /// Its own name, as whoever reads it knows it.
    pub(in crate::console) const fn own_name(self) -> &'static str {
        match self {
            Self::English | Self::Pseudo => "English",
            Self::Spanish => "Español",
        }
    }

    /// Whose rules its plurals follow.
    pub(super) fn rules(self) -> Option<LanguageIdentifier> {
        match self {
            Self::English | Self::Pseudo => "en-US".parse().ok(),
            Self::Spanish => "es-US".parse().ok(),
        }
    }

    /// The language of this tag, if it can be chosen.
    pub(in crate::console) fn offered(tag: &str) -> Option<Self> {
        Self::OFFERED.into_iter().find(|language| language.tag() == tag)
    }

    /// The language that a range of a browser's header means.
    fn meant(range: &str) -> Option<Self> {
        let range = range.to_ascii_lowercase();
        match range.split('-').next() {
            _ if range == "en-xa" => Some(Self::Pseudo),
            Some("en" | "*") => Some(Self::English),
            Some("es") => Some(Self::Spanish),
            _ => None,
        }
    }
}

/// The language of a request.
pub(in crate::console) fn chosen(headers: &HeaderMap) -> Language {
    let by_cookie = super::super::session::cookie(headers, COOKIE).and_then(Language::offered);
    let asked = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    by_cookie.or_else(|| asked.and_then(preferred)).unwrap_or(Language::English)
}

/// The cookie that keeps a choice.
pub(in crate::console) fn cookie(language: Language, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    let tag = language.tag();
    format!("{COOKIE}={tag}; Path=/; HttpOnly; SameSite=Lax{secure}; Max-Age={KEPT}")
}

/// The language that a browser likes best of those there are.
fn preferred(header: &str) -> Option<Language> {
    let ranges = header.split(',').take(RANGES).filter_map(|range| {
        let (range, weight) = range.split_once(';').unwrap_or((range, ""));
        Some((Language::meant(range.trim())?, thousandths(weight)?))
    });
    let mut best: Option<(Language, u16)> = None;
    for (language, weight) in ranges.filter(|(_, weight)| *weight > 0) {
        // Of two with the same weight, the first one counts.
        if best.is_none_or(|(_, least)| weight > least) {
            best = Some((language, weight));
        }
    }
    best.map(|(language, _)| language)
}

/// A weight such as `q=0.8`, in thousandths; none if it is not one.
fn thousandths(text: &str) -> Option<u16> {
    let text = text.trim();
    if text.is_empty() {
        return Some(1_000);
    }
    let (whole, part) = text.strip_prefix("q=")?.split_once('.').unwrap_or((text.get(2..)?, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if part.len() > 3 || whole.len() != 1 || !is_number(part) {
        return None;
    }
    let all = whole.parse::<u16>().ok()? * 1_000 + format!("{part:0<3}").parse::<u16>().ok()?;
    (all <= 1_000).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_language_that_it_likes_best() {
        for (header, language) in [
            ("es", Some(Language::Spanish)),
            ("es-MX,es;q=0.9,en;q=0.8", Some(Language::Spanish)),
            ("en-US,en;q=0.9,es;q=0.8", Some(Language::English)),
            ("de, es;q=0.5, en;q=0.75", Some(Language::English)),
            ("de;q=1.0, fr", None),
            ("es;q=0, en;q=0.001", Some(Language::English)),
            ("en-XA", Some(Language::Pseudo)),
            ("es;q=2, en;q=x", None),
            ("*", Some(Language::English)),
            ("", None),
        ] {
            assert_eq!(preferred(header), language, "{header}");
        }
        let far = format!("{}es", "de,".repeat(RANGES));
        assert_eq!(preferred(&far), None, "a long header is not read to its end");
    }

    #[test]
    fn a_choice_counts_before_the_browser() {
        let headers = |cookie: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, poem::http::HeaderValue::from_static("es"));
            headers.insert("cookie", poem::http::HeaderValue::from_static(cookie));
            headers
        };
        assert_eq!(chosen(&headers("a=b; nil_language=en")), Language::English);
        assert_eq!(chosen(&headers("nil_language=xx")), Language::Spanish);
        assert_eq!(chosen(&headers("nil_language=en-XA")), Language::Spanish, "it is not offered");
    }
}
