//! The language of a request: the one that was chosen, else one that the browser asks for.

use hyper::Response;
use nil_core::http::{Desk, Outgoing, preferred};
use poem::http::HeaderMap;
use poem::http::header::ACCEPT_LANGUAGE;
use unic_langid::LanguageIdentifier;

use crate::console::cookies;

/// The cookie of the language that was chosen. It tells nothing else.
const COOKIE: &str = "nil_language";
/// How long a choice is kept, in seconds: a year.
const KEPT: u32 = 31_536_000;

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
    let by_cookie = cookies::find(headers, COOKIE).and_then(Language::offered);
    let asked = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    by_cookie
        .or_else(|| asked.and_then(|header| preferred(header, Language::meant)))
        .unwrap_or(Language::English)
}

/// Keeps a choice in the browser.
pub(in crate::console) fn keep(
    desk: Desk<'_>,
    response: &mut Response<Outgoing>,
    language: Language,
) {
    // A tag fits into a header.
    let _ = cookies::give(desk, response, COOKIE, (language.tag(), Some(KEPT)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_the_language_of_its_country() {
        for (range, language) in [
            ("es-MX", Some(Language::Spanish)),
            ("EN", Some(Language::English)),
            ("*", Some(Language::English)),
            ("en-XA", Some(Language::Pseudo)),
            ("de", None),
        ] {
            assert_eq!(Language::meant(range), language, "{range}");
        }
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
