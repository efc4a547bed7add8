//! How names and values of the interface read to people: labels, money, rates, days and times,
//! states.

use std::cmp::Ordering;

use chrono::{DateTime, Datelike as _, NaiveDate, TimeDelta, Timelike as _, Utc};
use chrono_tz::Tz;
use maud::{Markup, html};
use nil_core::catalog::catalog;
use nil_core::kernel::{Time, day_in};
use serde_json::Value;

use super::part::Part as _;
use super::texts::{self, say};

/// Endings of names that say the unit, which the value shows.
const UNITS: [&str; 8] = ["_ids", "_id", "_cents", "_basis_points", "_bp", "_at", "_url", "_on"];

/// The label of a field in the language of the page.
pub(super) fn field_label(name: &str) -> String {
    texts::of_catalog("label", name, &label(name)).into_owned()
}

/// The label of a field: its name in words, without the unit.
pub(super) fn label(name: &str) -> String {
    if let Some(label) = nil_core::catalog::label(name) {
        return label.into();
    }
    let bare = UNITS.iter().find_map(|unit| name.strip_suffix(unit)).filter(|bare| bare.len() > 2);
    let plural = name.ends_with("_ids");
    let mut label = plain_word(bare.unwrap_or(name));
    if plural && !label.ends_with('s') {
        label = match label.strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None => format!("{label}s"),
        };
    }
    label
}

/// A word of the interface in words, in the language of the page.
pub(super) fn word(word: &str) -> String {
    texts::of_catalog("choice", word, &plain_word(word)).into_owned()
}

/// The actions that say no more than what was done; so do the steps of a registration.
const PLAIN_ACTIONS: [&str; 8] =
    ["changed", "exported", "listed", "made", "noted", "read", "saved", "seen"];

/// What an entry of the audit trail tells: what was done, and what it came to.
pub(super) fn deed(entry: &Value) -> String {
    let action = entry.text("action");
    let operation = catalog().named(entry.text("operation"));
    let Some((operation, deed)) = operation.and_then(|it| Some((it, it.deed()?))) else {
        return word(action);
    };
    let told = texts::of_catalog("deed", operation.name, deed).into_owned();
    let sentence = deed.to_lowercase();
    let says = |word: &str| sentence.split(|c: char| !c.is_alphanumeric()).any(|part| part == word);
    let is_plain = PLAIN_ACTIONS.contains(&action) || action.starts_with("step");
    if is_plain || action.split('_').all(says) {
        return told;
    }
    say!("deed", deed = told, action = word(action).to_lowercase())
}

/// A word of the interface in words: `info_requested` is “Info requested”.
pub(super) fn plain_word(word: &str) -> String {
    let spaced = word.replace(['_', '.'], " ");
    let mut letters = spaced.chars();
    let capital = letters.next().map(char::to_uppercase).into_iter().flatten();
    let text: String = capital.chain(letters).collect();
    text.replace("E mail", "E-mail").replace("Url", "Address")
}

/// An amount of US dollars.
pub(super) fn money(cents: i64) -> String {
    let sign = if cents < 0 { "\u{2212}" } else { "" };
    let all = cents.unsigned_abs();
    format!("{sign}${}.{:02}", grouped(all / 100), all % 100)
}

/// An amount at the side of a chart.
pub(super) fn short_money(cents: i64) -> String {
    match cents / 100 {
        dollars if dollars >= 1_000 => format!("${}k", fraction(dollars / 10)),
        dollars => format!("${dollars}"),
    }
}

/// A whole number with its thousands apart.
pub(super) fn number(number: i64) -> String {
    let sign = if number < 0 { "\u{2212}" } else { "" };
    format!("{sign}{}", grouped(number.unsigned_abs()))
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in percent, from hundredths of a percent.
pub(super) fn rate(basis_points: i64) -> String {
    format!("{}%", fraction(basis_points))
}

/// Hundredths as a decimal number, as short as it can be.
pub(super) fn fraction(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let all = hundredths.unsigned_abs();
    let text = format!("{sign}{}.{:02}", all / 100, all % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A day.
pub(super) fn day(day: NaiveDate) -> Markup {
    html! { time datetime=(day) { (day_text(day)) } }
}

fn day_text(day: NaiveDate) -> String {
    say!("day", month = month(day), day = digits(day.day()), year = digits(day.year()))
}

/// A day of about now, as text.
pub(super) fn short_day_text(day: NaiveDate) -> String {
    say!("short-day", month = month(day), day = digits(day.day()))
}

/// The month of a day, short.
pub(super) fn month(day: NaiveDate) -> String {
    say!("month", month = day.month())
}

/// The month of a day and its year.
pub(super) fn month_of_year(day: NaiveDate) -> String {
    say!("month-of-year", month = month(day), year = digits(day.year()))
}

/// The time of the clock.
fn time(local: &DateTime<Tz>) -> String {
    let (is_afternoon, hour) = local.hour12();
    let half = if is_afternoon { "pm" } else { "am" };
    let minute = format!("{:02}", local.minute());
    say!("time", hour = digits(hour), minute = minute, half = half)
}

/// A number that is a name: its thousands do not stand apart.
fn digits(number: impl Into<i64>) -> String {
    number.into().to_string()
}

/// An instant, in the words of a zone.
pub(super) fn moment(at: Time, zone: Tz) -> Markup {
    let at: DateTime<Utc> = at;
    let local = at.with_timezone(&zone);
    let day = day_text(day_in(at, zone));
    let words = say!("moment", day = day, time = time(&local));
    html! { time datetime=(at.format("%Y-%m-%dT%H:%M:%SZ")) { (words) } }
}

/// A day of about now.
pub(super) fn short_day(day: NaiveDate) -> Markup {
    html! { time datetime=(day) { (short_day_text(day)) } }
}

/// An instant of about now.
pub(super) fn short_moment(at: Time, zone: Tz) -> Markup {
    let local = at.with_timezone(&zone);
    html! {
        time datetime=(at.format("%Y-%m-%dT%H:%M:%SZ")) {
            (say!("moment", day = short_day_text(day_in(at, zone)), time = time(&local)))
        }
    }
}

/// A span of time in its largest unit.
pub(super) fn span(span: TimeDelta) -> String {
    match span.num_minutes().abs() {
        minutes if minutes >= 24 * 60 => say!("days", count = minutes / (24 * 60)),
        minutes if minutes >= 60 => say!("hours", count = minutes / 60),
        minutes => say!("minutes", count = minutes),
    }
}

/// When something is or was due. Whether that is today is a matter of the zone's days.
pub(super) fn due(now: Time, due: Time, zone: Tz) -> String {
    match day_in(due, zone).cmp(&day_in(now, zone)) {
        Ordering::Less => say!("due-past", span = span(now - due)),
        Ordering::Equal => say!("due-today"),
        Ordering::Greater => say!("due-in", span = span(due - now)),
    }
}

/// The name of a zone, as people say it.
pub(super) fn zone(zone: Tz) -> String {
    match zone.name() {
        "UTC" | "Etc/UTC" => "UTC".into(),
        "America/New_York" | "US/Eastern" => say!("zone-eastern"),
        "America/Chicago" | "US/Central" => say!("zone-central"),
        "America/Denver" | "US/Mountain" => say!("zone-mountain"),
        "America/Los_Angeles" | "US/Pacific" => say!("zone-pacific"),
        other => other.replace('_', " "),
    }
}

/// How a state looks: its kind is told by a form beside the word, never by colour alone.
pub(super) fn tone(state: &str) -> &'static str {
    match state {
        "approved" | "active" | "succeeded" | "paid" | "cleared" | "completed" | "sent"
        | "published" | "acknowledged" | "signed" | "executed" | "accepted" | "verified"
        | "done" | "delivered" | "ready" | "enabled" | "listed" | "won" => "good",
        "rejected" | "failed" | "refused" | "disabled" | "suspended" | "not_cleared"
        | "disputed" | "late" | "blocked" | "lost" => "bad",
        "info_requested" | "returned" | "on_hold" | "held" | "overdue" | "pending_approval"
        | "manual_review" | "needs_action" | "changes_requested" | "needs_response" | "warning" => {
            "warn"
        }
        "submitted" | "under_review" | "pending" | "processing" | "in_progress" | "invited"
        | "queued" | "sending" | "in_transit" => "live",
        _ => "",
    }
}

/// A state as a chip.
pub(super) fn chip(state: &str) -> Markup {
    let tone = tone(state);
    html! { span class=(format!("chip {tone}").trim_end()) { (word(state)) } }
}

/// The size of a file.
pub(super) fn size(bytes: i64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", fraction(bytes / 100 * 10)),
        _ => format!("{} MB", fraction(bytes / 100_000 * 10)),
    }
}

/// Text that hints, from a description of the interface: its first lines, without marks of code.
pub(super) fn hint(description: &str) -> String {
    let first = description.split("\n\n").next().unwrap_or_default();
    let line = first.replace('\n', " ").replace('`', "");
    match line.find(" - ") {
        Some(list) if line.starts_with("- ") => line.get(..list).unwrap_or_default().to_owned(),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_rates_read_as_people_write_them() {
        assert_eq!(money(123_456_789), "$1,234,567.89");
        assert_eq!(money(-5), "\u{2212}$0.05");
        assert_eq!(rate(1_250), "12.5%");
        assert_eq!(rate(-300), "-3%");
        assert_eq!(number(-1_000), "\u{2212}1,000");
        assert_eq!(number(999), "999");
        assert_eq!([size(999), size(1_450), size(52_400_000)], ["999 B", "1.4 kB", "52.4 MB"]);
    }

    #[test]
    fn an_entry_tells_what_was_done_and_what_it_came_to_once() {
        for (operation, action, told) in [
            ("compliance.auth.log_in", "logged_in", "Logged in"),
            ("compliance.disclosure.list", "listed", "Listed agents' filings"),
            (
                "compliance.disclosure.submit",
                "created",
                "Filed a disclosure for an athlete (created)",
            ),
            ("core.registration.athlete_team", "step4", "Gave sport and university"),
            ("core.gone", "turned_off", "Turned off"),
        ] {
            let entry = serde_json::json!({ "operation": operation, "action": action });
            assert_eq!(deed(&entry), told, "{operation}");
        }
    }

    #[test]
    fn names_become_labels() {
        assert_eq!(label("category_ids"), "Categories");
        assert_eq!(label("amount_cents"), "Amount");
        assert_eq!(label("first_submitted_at"), "First submitted");
        assert_eq!(label("id"), "Number");
        assert_eq!(label("f1"), "F-1 visa");
        assert_eq!(label("on"), "On");
        assert_eq!(plain_word("info_requested"), "Info requested");
    }

    #[test]
    fn times_are_those_of_the_zone() {
        let at: Time = "2026-12-01T05:59:59Z".parse().unwrap();
        let shown = moment(at, chrono_tz::America::Chicago).into_string();
        assert!(shown.contains("Nov 30, 2026, 11:59 pm"), "{shown}");
    }

    /// Late in the evening of a zone west of Greenwich it is the next day there.
    #[test]
    fn what_is_due_today_is_due_on_the_zones_day() {
        let zone = chrono_tz::America::Los_Angeles;
        let at = |text: &str| text.parse::<Time>().unwrap();
        let now = at("2026-11-27T02:00:00Z");
        for (due, words) in [
            ("2026-11-26T09:00:00Z", "due today"),
            ("2026-11-27T07:59:00Z", "due today"),
            ("2026-11-27T08:01:00Z", "in 6 hours"),
            ("2026-11-26T07:59:00Z", "was due 18 hours ago"),
            ("2026-11-01T09:00:00Z", "was due 25 days ago"),
        ] {
            assert_eq!(super::due(now, at(due), zone), words, "{due}");
        }
    }
}
