//! Every event's row against the texts, the code and the tests: a text for each of its channels, a
//! file that sends it, code that gives each value of its texts, and a test that names it.

use std::collections::BTreeSet;

use nil_core::feed::{Event, Reader, defaults, variables};
use nil_core::notifications::outbox::Channel;

use crate::tidy::{complain, sources, without_tests};

/// The text for phones exists for hosts that send codes by SMS themselves.
const TEXT_FOR_HOSTS: (Event, Channel) = (Event::OtpSent, Channel::Sms);

#[test]
fn every_event_has_the_texts_of_its_channels() {
    let texts: BTreeSet<(&str, &str)> =
        defaults().map(|(event, channel, _)| (event, channel)).collect();
    let mut wrong = Vec::new();
    for event in Event::ALL {
        for channel in Channel::ALL {
            let declared = event.goes_by(*channel) || (*event, *channel) == TEXT_FOR_HOSTS;
            match (declared, texts.contains(&(event.as_str(), channel.as_str()))) {
                (true, false) => wrong.push(format!("{event} has no text for {channel}")),
                (false, true) => wrong.push(format!("{event} has a text for {channel}, unsent")),
                _ => {}
            }
        }
    }
    complain(wrong);
}

#[test]
fn every_event_reaches_somebody() {
    let mut wrong = Vec::new();
    for event in Event::ALL {
        let (to, by) = (event.row().to, event.row().by);
        if to.is_empty() {
            wrong.push(format!("{event} is told to nobody"));
        }
        if to.contains(&Reader::User) && to.iter().any(|one| is_one_kind(*one)) {
            wrong.push(format!("{event} is told to users of any kind, and to one kind besides"));
        }
        // Portal users and mailboxes get nothing else.
        if !by.contains(&Channel::Email) {
            wrong.push(format!("{event} is not sent by mail"));
        }
    }
    complain(wrong);
}

fn is_one_kind(reader: Reader) -> bool {
    matches!(reader, Reader::Athlete | Reader::Brand | Reader::Agent)
}

/// Whether the code names the event, and not one of a machine such as `JobEvent`.
fn names(code: &str, event: Event) -> bool {
    let wanted = format!("Event::{event:?}");
    code.match_indices(&wanted).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + wanted.len()..].chars().next();
        let inside = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
        !inside(before) && !inside(after)
    })
}

/// Whether this is code that may send an event. Stores only ask for what was sent.
fn may_send(file: &str) -> bool {
    let within = file.strip_prefix("nil-core/src/");
    within.is_some_and(|within| !within.starts_with("feed/") && !within.contains("/store/"))
}

fn is_a_suite(file: &str) -> bool {
    file.starts_with("tests/domain") || file.starts_with("tests/http")
}

#[test]
fn every_event_has_a_sender_and_a_test() {
    let all = sources(".rs");
    let senders: Vec<&str> = all
        .iter()
        .filter(|(file, _)| may_send(file))
        .map(|(_, text)| without_tests(text))
        .collect();
    let suites: Vec<&String> =
        all.iter().filter(|(file, _)| is_a_suite(file)).map(|(_, text)| text).collect();
    let mut wrong = Vec::new();
    for event in Event::ALL {
        if !senders.iter().any(|code| names(code, *event)) {
            wrong.push(format!("no code sends {event}"));
        }
        for value in variables(*event) {
            let quoted = format!("\"{value}\"");
            if !senders.iter().any(|code| code.contains(&quoted)) {
                wrong.push(format!("no code gives {event} its `{value}`"));
            }
        }
        let quoted = format!("\"{event}\"");
        if !suites.iter().any(|text| text.contains(&quoted)) {
            wrong.push(format!("no test of the suites names {event}"));
        }
    }
    complain(wrong);
}
