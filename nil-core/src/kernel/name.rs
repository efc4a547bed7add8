//! Names: text that is printed for readers who do not know its author.

use std::borrow::Cow;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use super::text::Text;

/// The name of a person or thing: one line of 1 to `MAX` characters without a web address. It is
/// printed in mails to people who do not know its author, so it must not contain a link. `RULE`
/// says whether it may be the bare name of a web site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Name<const MAX: usize, const RULE: u8>(String);

/// The rule for persons: no name like `booking.com` or `evil.co.uk`.
const PERSON: u8 = 0;
/// The rule for companies: `Booking.com` is one.
const COMPANY: u8 = 1;
/// The rule for titles: no bare name of a web site under any ending that exists.
const TITLE: u8 = 2;

/// The name of a person.
pub type PersonName<const MAX: usize> = Name<MAX, PERSON>;
/// The name of a company or an agency.
pub type CompanyName<const MAX: usize> = Name<MAX, COMPANY>;
/// The title of something that its author shows to others.
pub type Title<const MAX: usize> = Name<MAX, TITLE>;

/// Endings that mail programs turn into links, and that no name has after a dot.
const WEB_ENDINGS: &[&str] = &[
    "app", "biz", "click", "cn", "com", "dev", "edu", "gov", "info", "io", "link", "live", "net",
    "online", "org", "page", "ru", "shop", "site", "store", "top", "website", "xyz",
];

impl<const MAX: usize, const RULE: u8> Name<MAX, RULE> {
    /// The name if it follows the rules, otherwise the reason why not.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = Text::<1, MAX>::new(text)?.into_string();
        if text.chars().any(breaks_a_line) {
            return Err("must be one line without control characters".into());
        }
        let leads = |word: &str| {
            leads_away(word)
                || match RULE {
                    COMPANY => false,
                    PERSON => hosts(word).any(|host| is_site(&host)),
                    _ => hosts(word).any(|host| is_site(&host) || is_written_as_a_site(&host)),
                }
        };
        if text.split_whitespace().any(leads) {
            return Err("must not contain a web address".into());
        }
        Ok(Self(text))
    }

    /// The name itself.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Whether a character ends a line or is invisible: control characters, line separators, and
/// characters that reverse the writing direction.
fn breaks_a_line(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200b}' | '\u{feff}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a word is an address regardless of its ending: with a scheme, with `www.`, an e-mail, or
/// a host with a path.
fn leads_away(word: &str) -> bool {
    let small = as_browsers_read(word);
    let host_before = |at: usize| small.get(..at).is_some_and(is_host);
    small.contains("://")
        || small.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with("www.")
        || small.split_once('@').is_some_and(|(_, host)| is_host(host))
        || small.find(['/', '\\', '?', '#', ':']).is_some_and(host_before)
}

/// The parts of a word that could be hosts, as they are written: between apostrophes, brackets,
/// commas and the like.
fn hosts(word: &str) -> impl Iterator<Item = String> {
    let plain = as_written_plainly(word);
    let parts = plain.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '-');
    let bare = parts.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()).to_owned());
    bare.filter(|host| is_host(host)).collect::<Vec<_>>().into_iter()
}

/// Whether a host is the bare name of a web site: it has one of [`WEB_ENDINGS`], or one of several
/// parts, however it is written.
fn is_site(host: &str) -> bool {
    let small = host.to_lowercase();
    let ending = small.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| WEB_ENDINGS.contains(&ending)) || is_below_a_shared_ending(&small)
}

/// Whether a host has an ending that exists and is written as addresses are: the ending in small
/// letters, or all of it in capitals. `Dr.Rich`, `B.Sc` and a sentence that begins without a space
/// (`Win.No purchase`) are not; nor are single letters between dots (`a.m.to`).
fn is_written_as_a_site(host: &str) -> bool {
    let Some((before, ending)) = host.rsplit_once('.') else { return false };
    let small = |text: &str| !text.chars().any(char::is_uppercase);
    let large = |text: &str| !text.chars().any(char::is_lowercase);
    let one = |part: &str| part.chars().nth(1).is_none();
    let as_addresses = small(ending) || (large(host) && !one(before));
    let abbreviated = before.contains('.') && before.split('.').all(one);
    let is_known = || {
        let lower = host.to_lowercase();
        psl::suffix(lower.as_bytes()).is_some_and(|suffix| suffix.is_known())
    };
    as_addresses && !abbreviated && is_known()
}

/// Full-width letters and the other shapes of a dot as those of ASCII, as a browser reads them.
fn as_written_plainly(word: &str) -> String {
    word.nfkc().map(|letter| if letter == '。' { '.' } else { letter }).collect()
}

/// A word as a browser reads it in an address.
fn as_browsers_read(word: &str) -> String {
    as_written_plainly(word).to_lowercase()
}

/// Whether a host is below an ending of several parts, such as `co.uk`: no name ends so. Endings of
/// one part that are not in [`WEB_ENDINGS`] are left alone, because `St.John` and `Dr.Rich` are
/// names.
fn is_below_a_shared_ending(host: &str) -> bool {
    let ending = psl::suffix(host.as_bytes()).filter(psl::Suffix::is_known);
    ending.is_some_and(|ending| {
        let ending = ending.as_bytes();
        ending.contains(&b'.') && ending.len() < host.len()
    })
}

/// Whether a name can have one owner: it is below a suffix of the public suffix list, hosting
/// providers included, or below a suffix the list does not know.
pub fn is_registered(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.as_bytes().len() < host.len())
}

/// Whether a word could be a host: parts of letters and digits between dots, the last of letters.
fn is_host(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let part =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '-');
    let ending = bare.rsplit_once('.').map(|(_, ending)| ending);
    bare.split('.').all(part)
        && ending.is_some_and(|e| e.chars().count() >= 2 && e.chars().all(char::is_alphabetic))
}

impl<const MAX: usize, const RULE: u8> Deref for Name<MAX, RULE> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de, const MAX: usize, const RULE: u8> Deserialize<'de> for Name<MAX, RULE> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

impl<const MAX: usize, const RULE: u8> JsonSchema for Name<MAX, RULE> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        let kind = match RULE {
            PERSON => "Person",
            COMPANY => "Company",
            _ => "Title",
        };
        format!("{kind}Name{MAX}").into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "minLength": 1, "maxLength": MAX,
            "pattern": NAME_PATTERN,
        })
    }
}

/// The part of the rule that a pattern can express in every dialect of them (no look-ahead, no
/// `\u`): one line.
const NAME_PATTERN: &str = r"^[^\x00-\x1f\x7f-\x9f]+$";

impl<const MAX: usize, const RULE: u8> From<Name<MAX, RULE>> for sea_query::Value {
    fn from(name: Name<MAX, RULE>) -> Self {
        name.0.into()
    }
}

impl<const MAX: usize, const RULE: u8> sea_query::Nullable for Name<MAX, RULE> {
    fn null() -> sea_query::Value {
        sea_query::Value::String(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_names_pass() {
        for name in [
            "Jordan",
            "Dr. J. St.John",
            "O'Neill-Smith",
            "María José",
            "J.R.",
            "J.R.R. Tolkien",
            "李小龙",
            "Sammy Davis, Jr.",
            "Mary-Ann St. Clair",
            "Dr.Rich",
            "Robin (Bobby) Young",
            "D.J. O.J.",
        ] {
            assert!(PersonName::<80>::new(name).is_ok(), "{name}");
            assert!(CompanyName::<80>::new(name).is_ok(), "{name}");
        }
        for name in [
            "Booking.com",
            "24/7 Fitness",
            "A/B Testing Co.",
            "AT&T",
            "Yahoo!",
            "S.A./N.V. Solvay",
            "Toys \"R\" Us",
            "C#/Go Studio",
            "#1 Cochran",
            "St.John Knits",
            "Procter @ Gamble",
            "Nil: the company",
        ] {
            assert!(CompanyName::<80>::new(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn nothing_in_a_name_leads_anywhere() {
        for name in [
            "https://evil.example",
            "Win at http://a",
            "HTTPS://EVIL.EXAMPLE/x",
            "www.evil.example",
            "(www.evil.de)",
            "evil.com/prize",
            "evil.co.uk?x=1",
            "evil.zip#a",
            "evil.com:8080",
            "evil.com\\a",
            "me@evil.com",
            "Click evil.example/now please",
            "ftp://a",
            "https\u{fe55}//evil.example",
            "ｈｔｔｐｓ：／／evil.example",
            "www\u{2024}evil\u{2024}example",
            "evil。com／prize",
        ] {
            assert!(PersonName::<80>::new(name).is_err(), "{name}");
            assert!(CompanyName::<80>::new(name).is_err(), "{name}");
        }
        for name in [
            "evil.com",
            "Evil.Com!",
            "You won, see evil.net",
            "a.b.org",
            "evil.co.uk",
            "Win: shop.evil.com.au",
            "ｅｖｉｌ．ｃｏｍ",
            "evil\u{2024}com",
            "evil。com",
            "evil｡net",
            "evil\u{fe52}co\u{2024}uk",
            "evil.com's",
        ] {
            assert!(PersonName::<80>::new(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_title_names_no_web_site() {
        for title in [
            "evil.com",
            "Two reels for evil.de, please",
            "Evil.zip",
            "free shoes: bit.ly",
            "t.me",
            "EVIL.DE",
            "Win at shop.evil.com.au!",
            "evil.com’s giveaway",
            "evil.com's giveaway",
            "[evil.io]",
            "win,evil.fr,now",
            "ｅｖｉｌ．ｃｏｍ",
            "evil\u{2024}nl",
            "bücher.example.jp",
            "пример.рф",
            "example.网络",
            "xn--80ak6aa92e.com",
            "my-shop.myshopify.com",
        ] {
            assert!(Title::<80>::new(title).is_err(), "{title}");
        }
        for title in [
            "Node.js workshop",
            "Day with St.John's",
            "3.5km fun run",
            "U.S. open",
            "The U.S.A. tour",
            "Dr.Smith",
            "Mr.Black and Dr.Green",
            "Two posts.No returns",
            "B.Sc. students only",
            "9 a.m.to 5 p.m.",
            "10a.m.-4p.m. signing",
            "No.1 fan meet",
            "St.Patrick's Day",
            "v2.0 launch",
            "Kick-off 7.30pm",
            "$1.5k per reel",
            "Feat.Drake",
            "Co. of the year",
            "P.S. I love you",
            "D.C. food tour...and more",
            "Approx.12 posts",
            "50/50 split",
            "Reel #2: vol.3",
            "Rock'n'Roll vs.Jazz",
            "A.I. & you",
            "比赛。我们来了",
        ] {
            assert!(Title::<80>::new(title).is_ok(), "{title}");
        }
    }

    #[test]
    fn a_name_is_one_line() {
        for name in [
            "Ann\nYour account is closed",
            "Ann\r",
            "Ann\tB",
            "A\u{2028}B",
            "A\u{202e}B",
            "A\u{7}B",
            " ",
            "",
        ] {
            assert!(PersonName::<80>::new(name).is_err(), "{name:?}");
            assert!(CompanyName::<80>::new(name).is_err(), "{name:?}");
        }
        assert!(PersonName::<3>::new("Anna").is_err());
    }
}
