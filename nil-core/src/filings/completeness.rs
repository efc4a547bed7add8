//! Checks of a filing: is it consistent, and is it complete enough to be submitted. Pure functions.

use chrono::Datelike as _;
use chrono_tz::Tz;

use super::deadlines::day_of;
use super::particulars::Particulars;
use crate::error::{Error, Result, codes};
use crate::kernel::{Date, Time, utc_day};

/// Plausible years of a contract.
const YEARS: std::ops::RangeInclusive<i32> = 1950..=2200;

/// The context of a check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The current time.
    pub(super) now: Time,
    /// The institution's time zone.
    pub(super) zone: Tz,
    /// The athlete's birth date, if it is known.
    pub(super) born_on: Option<Date>,
}

type Problem = (&'static str, String);

/// 422 naming every field that contradicts another. Applies to drafts too: a missing field can be
/// added later, a contradiction is already wrong.
pub(super) fn agrees(particulars: &Particulars, frame: Frame) -> Result<()> {
    let mut problems = implausible(particulars);
    problems.extend(in_the_future(particulars, frame));
    problems.extend(out_of_order(particulars, frame));
    let sentence = "This filing contradicts itself.";
    refuse(sentence, problems)
}

/// 422 naming every field that is required for submission and missing.
pub(super) fn is_complete(particulars: &Particulars, frame: Frame) -> Result<()> {
    let sentence = "This filing cannot be submitted yet: required fields are missing.";
    let problems = missing(particulars, frame);
    let problems = problems.into_iter().map(|(field, why)| (field, why.into()));
    refuse(sentence, problems.collect())
}

fn refuse(sentence: &'static str, problems: Vec<Problem>) -> Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    let error = codes::VALIDATION_FAILED.saying(sentence);
    let problems = problems.into_iter();
    Err(problems.fold(error, |error: Error, (field, why)| error.at(field, why)))
}

/// All times of signing and notice, by field name.
fn past(particulars: &Particulars) -> [(&'static str, Option<Time>); 6] {
    let notices = &particulars.notices;
    [
        ("contract.signed_at", particulars.contract.signed_at),
        ("contract.cancelled_at", particulars.contract.cancelled_at),
        ("acknowledgement_signed_at", particulars.acknowledgement_signed_at),
        ("guardian_signed_at", particulars.guardian_signed_at),
        ("notices.agent_at", notices.agent_at),
        ("notices.athlete_at", notices.athlete_at),
    ]
}

fn implausible(particulars: &Particulars) -> Vec<Problem> {
    let (contract, registration) = (&particulars.contract, &particulars.registration);
    let days = [
        ("contract.from", contract.from),
        ("contract.until", contract.until),
        ("registration.from", registration.from),
        ("registration.until", registration.until),
        ("notices.enrolled_on", particulars.notices.enrolled_on),
    ];
    let event = ("notices.next_event_at", particulars.notices.next_event_at);
    let instants = past(particulars).into_iter().chain([event]);
    let instants = instants.map(|(field, at)| (field, at.map(utc_day)));
    let outside = |(field, day): (&'static str, Option<Date>)| {
        let wrong = day.is_some_and(|day| !YEARS.contains(&day.year()));
        wrong.then(|| {
            let (first, last) = (YEARS.start(), YEARS.end());
            (field, format!("must be between {first} and {last}"))
        })
    };
    days.into_iter().chain(instants).filter_map(outside).collect()
}

fn in_the_future(particulars: &Particulars, frame: Frame) -> Vec<Problem> {
    let ahead = |(field, at): (&'static str, Option<Time>)| {
        let ahead = at.is_some_and(|at| at > frame.now);
        ahead.then(|| (field, "must not be in the future".to_owned()))
    };
    past(particulars).into_iter().filter_map(ahead).collect()
}

fn out_of_order(particulars: &Particulars, frame: Frame) -> Vec<Problem> {
    let mut problems = Vec::new();
    let (contract, registration) = (&particulars.contract, &particulars.registration);
    for (field, from, until) in [
        ("contract.until", contract.from, contract.until),
        ("registration.until", registration.from, registration.until),
    ] {
        if let (Some(from), Some(until)) = (from, until)
            && until < from
        {
            problems.push((field, format!("must not be before {from}")));
        }
    }
    let notices = &particulars.notices;
    if let Some(signed_at) = contract.signed_at {
        let said = signed_at.with_timezone(&frame.zone).format("%Y-%m-%d %H:%M");
        for (field, at) in [
            ("notices.agent_at", notices.agent_at),
            ("notices.athlete_at", notices.athlete_at),
            ("notices.next_event_at", notices.next_event_at),
            ("contract.cancelled_at", contract.cancelled_at),
        ] {
            if at.is_some_and(|at| at < signed_at) {
                let why = format!("must not be before the contract was signed on {said}");
                problems.push((field, why));
            }
        }
        let signed_on = day_of(signed_at, frame.zone);
        if contract.until.is_some_and(|until| until < signed_on) {
            let why = format!("must not be before the contract was signed on {signed_on}");
            problems.push(("contract.until", why));
        }
    }
    let home = particulars.registration.state.as_ref();
    if home.is_some_and(|state| particulars.other_states.contains(state)) {
        let why = "must not name the state of the registration again";
        problems.push(("other_states", why.to_owned()));
    }
    problems
}

fn missing(particulars: &Particulars, frame: Frame) -> Vec<(&'static str, &'static str)> {
    const REQUIRED: &str = "is required";
    let Particulars { agent, registration, contract, .. } = particulars;
    let needed = [
        ("kind", particulars.kind.is_some()),
        ("agent.name", agent.name.is_some()),
        ("agent.business", agent.business.is_some()),
        ("agent.form", agent.form.is_some()),
        ("agent.addresses", !agent.addresses.is_empty()),
        ("agent.phones", !agent.phones.is_empty()),
        ("agent.emails", !agent.emails.is_empty()),
        ("registration.state", registration.state.is_some()),
        ("registration.number", registration.number.is_some()),
        ("registration.from", registration.from.is_some()),
        ("registration.until", registration.until.is_some()),
        ("contract.signed_at", contract.signed_at.is_some()),
        ("contract.from", contract.from.is_some()),
        ("contract.until", contract.until.is_some()),
        ("contract.services", contract.services.is_some()),
        ("contract.consideration", contract.consideration.is_some()),
        ("contract.consideration_method", contract.consideration_method.is_some()),
        ("warning_notice_present", particulars.warning_notice_present.is_some()),
        ("acknowledgement_signed_at", particulars.acknowledgement_signed_at.is_some()),
    ];
    let absent = needed.into_iter().filter(|(_, there)| !there);
    let mut problems: Vec<_> = absent.map(|(field, _)| (field, REQUIRED)).collect();
    if was_minor(particulars, frame) && particulars.guardian_signed_at.is_none() {
        let why = "is required: the athlete was under 18 when the contract was signed";
        problems.push(("guardian_signed_at", why));
    }
    problems
}

/// Whether the athlete was under 18 when the contract was signed.
fn was_minor(particulars: &Particulars, frame: Frame) -> bool {
    let signed_at = particulars.contract.signed_at;
    let signed_on = signed_at.map(|at| day_of(at, frame.zone));
    let age = signed_on.zip(frame.born_on).and_then(|(on, born)| on.years_since(born));
    age.is_some_and(|age| age < 18)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        Frame {
            now: "2026-11-20T12:00:00Z".parse().unwrap(),
            zone: chrono_tz::America::Chicago,
            born_on: Some("2008-11-20".parse().unwrap()),
        }
    }

    fn fields(found: Result<()>) -> Vec<String> {
        match found {
            Ok(()) => Vec::new(),
            Err(error) => error.fields().keys().cloned().collect(),
        }
    }

    fn contradictions(change: impl FnOnce(&mut Particulars)) -> Vec<String> {
        let mut particulars = Particulars::default();
        particulars.contract.signed_at = Some("2026-11-19T12:00:00Z".parse().unwrap());
        change(&mut particulars);
        fields(agrees(&particulars, frame()))
    }

    #[test]
    fn a_blank_draft_agrees_with_itself_and_lacks_everything() {
        let blank = Particulars::default();
        assert!(fields(agrees(&blank, frame())).is_empty());
        assert_eq!(fields(is_complete(&blank, frame())).len(), 19);
    }

    #[test]
    fn what_comes_in_the_wrong_order_is_named() {
        let day = |text: &str| Some(text.parse::<Date>().unwrap());
        let at = |text: &str| Some(text.parse::<Time>().unwrap());
        assert!(contradictions(|_| ()).is_empty());
        let until = contradictions(|p| {
            (p.contract.from, p.contract.until) = (day("2027-01-02"), day("2027-01-01"));
        });
        assert_eq!(until, ["contract.until"]);
        let until = contradictions(|p| p.contract.until = day("2026-11-18"));
        assert_eq!(until, ["contract.until"]);
        let until = contradictions(|p| {
            let registration = &mut p.registration;
            (registration.from, registration.until) = (day("2026-01-02"), day("2026-01-01"));
        });
        assert_eq!(until, ["registration.until"]);
        let early = contradictions(|p| {
            p.notices.agent_at = at("2026-11-19T11:59:59Z");
            p.notices.athlete_at = at("2026-11-19T12:00:00Z");
            p.notices.next_event_at = at("2026-11-01T12:00:00Z");
        });
        assert_eq!(early, ["notices.agent_at", "notices.next_event_at"]);
        let ahead = contradictions(|p| p.guardian_signed_at = at("2026-11-20T12:00:01Z"));
        assert_eq!(ahead, ["guardian_signed_at"]);
        let ancient = contradictions(|p| p.registration.from = day("0026-01-01"));
        assert_eq!(ancient, ["registration.from"]);
        let twice = contradictions(|p| {
            p.registration.state = Some("IL".into());
            p.other_states = vec!["IL".into()];
        });
        assert_eq!(twice, ["other_states"]);
    }

    #[test]
    fn a_guardian_signs_for_whoever_was_under_age_that_day() {
        // The eighteenth birthday is 20 November, in the institution's time zone.
        for (signed, needed) in [
            ("2026-11-19T12:00:00Z", true),
            ("2026-11-20T05:59:59Z", true),
            ("2026-11-20T06:00:00Z", false),
        ] {
            let mut particulars = Particulars::default();
            particulars.contract.signed_at = Some(signed.parse().unwrap());
            let named = fields(is_complete(&particulars, frame()));
            let guardian = named.iter().any(|field| field == "guardian_signed_at");
            assert_eq!(guardian, needed, "{signed}");
        }
    }
}
