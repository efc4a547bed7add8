//! How amounts, days, shares and codes are written in a contract, and text in HTML.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

/// The length of an excerpt, in characters.
const EXCERPT: usize = 140;

/// `$1,500.00`; `EUR 1,500.00` for any other currency.
pub fn money(currency: &str, cents: i64) -> String {
    let written = amount(cents);
    if !currency.eq_ignore_ascii_case("usd") {
        return format!("{} {written}", currency.to_uppercase());
    }
    match written.strip_prefix('-') {
        Some(owed) => format!("-${owed}"),
        None => format!("${written}"),
    }
}

/// `1,500.00`.
pub fn amount(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    let digits = (cents / 100).to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}.{:02}", cents % 100)
}

/// `March 3, 2026`.
pub fn day(date: NaiveDate) -> String {
    date.format("%B %-d, %Y").to_string()
}

/// `Mar 3, 2026`.
pub fn short_day(date: NaiveDate) -> String {
    date.format("%b %-d, %Y").to_string()
}

/// Like [`day`], or a phrase for a day that is not fixed.
pub fn optional_day(date: Option<NaiveDate>) -> String {
    date.map_or_else(|| "a date not yet fixed".to_owned(), day)
}

/// `March 3, 2026, 2:05 pm Central`: the date and the time where it counts.
pub fn moment(at: DateTime<Utc>, zone: Tz) -> String {
    let there = at.with_timezone(&zone);
    format!("{} {}", there.format("%B %-d, %Y, %-I:%M %P"), zone_name(&there))
}

/// A time zone as people call it, the same in summer and in winter; its name if it has no such
/// name.
fn zone_name(there: &DateTime<Tz>) -> String {
    let short = there.format("%Z").to_string();
    let name = match (short.as_str(), there.timezone().name()) {
        ("UTC", _) => "UTC",
        ("EST" | "EDT", _) => "Eastern",
        ("CST" | "CDT", name) if !name.starts_with("Asia/") => "Central",
        ("MST" | "MDT", _) => "Mountain",
        ("PST" | "PDT", name) if !name.starts_with("Asia/") => "Pacific",
        ("AKST" | "AKDT", _) => "Alaska",
        ("HST" | "HDT", _) => "Hawaii",
        ("AST" | "ADT", _) => "Atlantic",
        (_, name) => return name.replace('_', " "),
    };
    name.to_owned()
}

/// `10%`, `12.5%`.
pub fn percent(basis_points: i64) -> String {
    let sign = if basis_points < 0 { "-" } else { "" };
    let points = basis_points.unsigned_abs();
    let share = format!("{sign}{}.{:02}", points / 100, points % 100);
    format!("{}%", share.trim_end_matches('0').trim_end_matches('.'))
}

/// `1 day`, `90 days`.
pub fn days(count: i64) -> String {
    if count == 1 { "1 day".to_owned() } else { format!("{count} days") }
}

/// `a`, `a and b`, `a, b and c`.
pub fn listing<I: IntoIterator<Item = String>>(items: I) -> String {
    let mut items: Vec<String> = items.into_iter().collect();
    match items.pop() {
        None => String::new(),
        Some(only) if items.is_empty() => only,
        Some(last) => format!("{} and {last}", items.join(", ")),
    }
}

/// The beginning of a text on one line.
pub fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= EXCERPT {
        return line;
    }
    let mut short: String = line.chars().take(EXCERPT).collect();
    short.push('…');
    short
}

/// User text on one line, so that it cannot start a paragraph of the contract.
pub fn inline(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// User text as the end of a sentence, with exactly one full stop.
pub fn sentence(text: &str) -> String {
    let line = inline(text);
    if line.ends_with(['.', '!', '?']) { line } else { format!("{line}.") }
}

/// Text escaped for HTML, also within quotes.
pub fn escaped(text: &str) -> String {
    let mut into = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            _ => into.push(letter),
        }
    }
    into
}

/// A code in words, for the middle of a sentence: `organic_social` is `organic social media`.
pub fn words(code: &str) -> String {
    match code {
        "organic_social" => "organic social media".to_owned(),
        "paid_social" => "paid social media".to_owned(),
        "web" => "websites and applications".to_owned(),
        "out_of_home" => "out-of-home advertising".to_owned(),
        "one_time" => "one-time".to_owned(),
        "ugc_content" => "user-generated content".to_owned(),
        "tiktok" => "TikTok".to_owned(),
        "youtube" => "YouTube".to_owned(),
        "linkedin" => "LinkedIn".to_owned(),
        "instagram" | "facebook" | "snapchat" | "twitch" | "threads" | "x" => capital(code),
        other => inline(&other.replace('_', " ")),
    }
}

/// A code in words, for a table cell.
pub fn label(code: &str) -> String {
    capital(&words(code))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Why a charge is disputed, as a sentence without its full stop, by the processor's word for it. A
/// word that is not known stays as it is.
pub fn dispute_reason(code: &str) -> &str {
    match code {
        "bank_cannot_process" => "The bank cannot process the charge",
        "check_returned" => "The bank sent the check back",
        "credit_not_processed" => {
            "The cardholder says that a refund or a credit they were promised has not come"
        }
        "customer_initiated" => "The cardholder asked their bank to take the money back",
        "debit_not_authorized" => "The customer says that they did not allow the debit",
        "duplicate" => "The cardholder says that they were charged twice for the same",
        "fraudulent" => "The cardholder says that they did not make the payment",
        "general" => "The bank names no particular reason",
        "incorrect_account_details" => "The details of the account were wrong",
        "insufficient_funds" => "There was not enough money in the account",
        "noncompliant" => "The card network says that a rule of its own was broken",
        "product_not_received" => "The cardholder says that they did not get what they paid for",
        "product_unacceptable" => {
            "The cardholder says that what they got is faulty or not as described"
        }
        "subscription_canceled" => {
            "The cardholder says that they were charged after they had cancelled a subscription"
        }
        "unrecognized" => "The cardholder does not know the charge on their statement",
        other => other,
    }
}

/// A territory in words.
pub fn territory(code: &str) -> String {
    match code {
        "US" => "the United States of America, its territories and possessions".to_owned(),
        "WORLD" | "worldwide" => "the whole world".to_owned(),
        other => inline(other),
    }
}

/// A state's name for its postal code; other text is taken as a name.
pub fn state(code: &str) -> String {
    let code = code.trim();
    STATES
        .iter()
        .find(|(postal, _)| *postal == code)
        .map_or_else(|| inline(code), |(_, name)| (*name).to_owned())
}

#[rustfmt::skip]
const STATES: [(&str, &str); 51] = [
    ("AL", "Alabama"), ("AK", "Alaska"), ("AZ", "Arizona"), ("AR", "Arkansas"),
    ("CA", "California"), ("CO", "Colorado"), ("CT", "Connecticut"), ("DE", "Delaware"),
    ("DC", "District of Columbia"), ("FL", "Florida"), ("GA", "Georgia"), ("HI", "Hawaii"),
    ("ID", "Idaho"), ("IL", "Illinois"), ("IN", "Indiana"), ("IA", "Iowa"), ("KS", "Kansas"),
    ("KY", "Kentucky"), ("LA", "Louisiana"), ("ME", "Maine"), ("MD", "Maryland"),
    ("MA", "Massachusetts"), ("MI", "Michigan"), ("MN", "Minnesota"), ("MS", "Mississippi"),
    ("MO", "Missouri"), ("MT", "Montana"), ("NE", "Nebraska"), ("NV", "Nevada"),
    ("NH", "New Hampshire"), ("NJ", "New Jersey"), ("NM", "New Mexico"), ("NY", "New York"),
    ("NC", "North Carolina"), ("ND", "North Dakota"), ("OH", "Ohio"), ("OK", "Oklahoma"),
    ("OR", "Oregon"), ("PA", "Pennsylvania"), ("RI", "Rhode Island"), ("SC", "South Carolina"),
    ("SD", "South Dakota"), ("TN", "Tennessee"), ("TX", "Texas"), ("UT", "Utah"),
    ("VT", "Vermont"), ("VA", "Virginia"), ("WA", "Washington"), ("WV", "West Virginia"),
    ("WI", "Wisconsin"), ("WY", "Wyoming"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt(" a\n\tb  c "), "a b c");
        let long = excerpt(&"🏈".repeat(500));
        assert_eq!(long.chars().count(), EXCERPT + 1);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn money_groups_thousands_and_keeps_two_decimals() {
        assert_eq!(money("usd", 5), "$0.05");
        assert_eq!(money("USD", 100_000), "$1,000.00");
        assert_eq!(money("USD", 123_456_789), "$1,234,567.89");
        assert_eq!(money("USD", -99_900), "-$999.00");
        assert_eq!(money("eur", i64::MIN), "EUR -92,233,720,368,547,758.08");
    }

    #[test]
    fn a_moment_has_the_date_and_the_time_of_its_place() {
        let at = "2026-11-28T04:28:07Z".parse().unwrap();
        for (zone, written) in [
            (chrono_tz::America::Chicago, "November 27, 2026, 10:28 pm Central"),
            (chrono_tz::America::New_York, "November 27, 2026, 11:28 pm Eastern"),
            (chrono_tz::America::Phoenix, "November 27, 2026, 9:28 pm Mountain"),
            (chrono_tz::Pacific::Honolulu, "November 27, 2026, 6:28 pm Hawaii"),
            (chrono_tz::UTC, "November 28, 2026, 4:28 am UTC"),
            (chrono_tz::Asia::Shanghai, "November 28, 2026, 12:28 pm Asia/Shanghai"),
            (chrono_tz::America::Sao_Paulo, "November 28, 2026, 1:28 am America/Sao Paulo"),
        ] {
            assert_eq!(moment(at, zone), written);
        }
        let summer = "2026-07-01T17:00:00Z".parse().unwrap();
        assert_eq!(moment(summer, chrono_tz::America::Chicago), "July 1, 2026, 12:00 pm Central");
    }

    #[test]
    fn shares_drop_idle_zeros() {
        assert_eq!(percent(1_000), "10%");
        assert_eq!(percent(1_250), "12.5%");
        assert_eq!(percent(5), "0.05%");
        assert_eq!(percent(0), "0%");
    }

    #[test]
    fn lists_and_codes_read_as_english() {
        let listed = |items: &[&str]| listing(items.iter().map(|item| words(item)));
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&["web"]), "websites and applications");
        assert_eq!(listed(&["image", "voice", "jersey_number"]), "image, voice and jersey number");
        assert_eq!(label("social_reel_video"), "Social reel video");
        assert_eq!(label("tiktok"), "TikTok");
        assert_eq!(state("TX"), "Texas");
        assert_eq!(state("Puerto Rico"), "Puerto Rico");
    }

    #[test]
    fn every_documented_reason_of_a_dispute_is_a_sentence() {
        let documented = "bank_cannot_process check_returned credit_not_processed \
            customer_initiated debit_not_authorized duplicate fraudulent general \
            incorrect_account_details insufficient_funds noncompliant product_not_received \
            product_unacceptable subscription_canceled unrecognized";
        let mut seen = std::collections::BTreeSet::new();
        for code in documented.split_whitespace() {
            let words = dispute_reason(code);
            assert!(words.starts_with("The") && words.contains(' '), "{code}: {words}");
            assert!(!words.ends_with('.') && !words.contains('_'), "{code}: {words}");
            assert!(seen.insert(words), "{code}: {words}");
        }
        assert_eq!(seen.len(), 15);
        assert_eq!(
            dispute_reason("fraudulent"),
            "The cardholder says that they did not make the payment"
        );
        assert_eq!(dispute_reason("a_new_reason"), "a_new_reason");
    }

    #[test]
    fn quoted_words_cannot_open_a_paragraph_or_end_a_sentence_twice() {
        assert_eq!(inline(" a\n\n 2.1  b\t"), "a 2.1 b");
        assert_eq!(sentence("Paid monthly"), "Paid monthly.");
        assert_eq!(sentence("Paid monthly. "), "Paid monthly.");
    }
}
