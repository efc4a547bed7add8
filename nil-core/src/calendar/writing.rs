//! Deadlines as an iCalendar object (RFC 5545, with the properties of RFC 7986).

use super::due::{Due, When};
use crate::kernel::Time;

/// The most octets of a line without its end.
const WIDTH: usize = 75;
/// How often programs should ask again.
const REFRESH: &str = "PT6H";

/// A calendar with a name. `host` makes the names of its events unique among those of other
/// platforms. The text depends on the deadlines alone, not on when it is written: a program that
/// has it is told so.
pub(super) fn calendar(name: &str, host: &str, dues: &[Due]) -> String {
    let mut text = String::new();
    let name = escaped(name);
    for line in [
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//nil//Deadlines//EN".to_owned(),
        "CALSCALE:GREGORIAN".to_owned(),
        "METHOD:PUBLISH".to_owned(),
        format!("NAME:{name}"),
        format!("X-WR-CALNAME:{name}"),
        format!("REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}"),
        format!("X-PUBLISHED-TTL:{REFRESH}"),
    ] {
        fold(&mut text, &line);
    }
    for due in dues {
        event(&mut text, host, due);
    }
    fold(&mut text, "END:VCALENDAR");
    text
}

/// Adds an event. It makes nobody busy: a deadline is no appointment.
fn event(text: &mut String, host: &str, due: &Due) {
    let start = match due.when() {
        When::On(day) => format!("DTSTART;VALUE=DATE:{}", day.format("%Y%m%d")),
        When::At(at) => format!("DTSTART:{}", instant(at)),
    };
    let changed = instant(due.changed_at);
    let status = if due.ended_at.is_none() { "CONFIRMED" } else { "CANCELLED" };
    for line in [
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}-{}@{host}", due.kind, due.record_id),
        format!("DTSTAMP:{changed}"),
        format!("CREATED:{}", instant(due.created_at)),
        format!("LAST-MODIFIED:{changed}"),
        format!("SEQUENCE:{}", due.sequence()),
        start,
        format!("SUMMARY:{}", escaped(&due.kind.in_words(&due.title))),
        format!("STATUS:{status}"),
        "TRANSP:TRANSPARENT".to_owned(),
        "END:VEVENT".to_owned(),
    ] {
        fold(text, &line);
    }
}

fn instant(at: Time) -> String {
    at.format("%Y%m%dT%H%M%SZ").to_string()
}

/// A text value (RFC 5545, section 3.3.11). Other control characters are not allowed in it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.replace("\r\n", "\n").chars() {
        match letter {
            '\\' | ';' | ',' => escaped.extend(['\\', letter]),
            '\n' | '\r' => escaped.push_str("\\n"),
            '\t' => escaped.push(' '),
            _ if letter.is_control() => {}
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Adds a line in pieces of at most 75 octets (RFC 5545, section 3.1), none of which ends inside a
/// character. Each further piece begins with a blank, which counts.
fn fold(text: &mut String, line: &str) {
    let mut used = 0;
    for letter in line.chars() {
        if used + letter.len_utf8() > WIDTH {
            text.push_str("\r\n ");
            used = 1;
        }
        text.push(letter);
        used += letter.len_utf8();
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::super::due::{DueKind, due};
    use super::*;

    #[test]
    fn a_deadline_is_an_event_that_says_what_and_when() {
        let mut one = due(DueKind::Deliverable, "Reel, two; \\o/", "2026-12-01T15:30:00Z", None);
        let text = calendar("Deadlines", "nil.example", std::slice::from_ref(&one));
        let event = "BEGIN:VEVENT\r\nUID:deliverable-7@nil.example\r\nDTSTAMP:20261120T120140Z\r\n\
            CREATED:20261120T120000Z\r\nLAST-MODIFIED:20261120T120140Z\r\nSEQUENCE:100\r\n\
            DTSTART:20261201T153000Z\r\nSUMMARY:Deliverable due: Reel\\, two\\; \\\\o/\r\n\
            STATUS:CONFIRMED\r\nTRANSP:TRANSPARENT\r\nEND:VEVENT\r\n";
        assert!(text.contains(event), "{text}");
        one.ended_at = Some(one.changed_at);
        let text = calendar("Deadlines", "nil.example", &[one]);
        assert!(text.contains("\r\nSTATUS:CANCELLED\r\n"), "{text}");
    }

    #[test]
    fn no_text_ends_its_line() {
        assert_eq!(escaped("a\r\nb\nc\rd"), "a\\nb\\nc\\nd");
        assert_eq!(escaped("a\tb\u{0}\u{b}\u{85}c"), "a bc");
        assert_eq!(escaped("END:VEVENT"), "END:VEVENT");
    }

    #[test]
    fn lines_are_folded_between_characters() {
        for text in ["é".repeat(200), "🏈🏀".repeat(60), "א".repeat(90), "x".repeat(75)] {
            let mut folded = String::new();
            fold(&mut folded, &text);
            let lines: Vec<_> = folded.split("\r\n").collect();
            assert!(lines.iter().all(|line| line.len() <= WIDTH), "{folded}");
            assert_eq!(folded.replace("\r\n ", ""), format!("{text}\r\n"));
        }
        let mut whole = String::new();
        fold(&mut whole, &"x".repeat(75));
        assert!(!whole.contains("\r\n "));
    }
}
