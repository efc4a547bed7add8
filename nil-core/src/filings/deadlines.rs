//! The two deadlines of a contract with an agent: for notifying the institution, and for the
//! athlete's cancellation. Pure functions.
//!
//! The institution's rule says how many hours and days they are ([`AgentNotice`]); days end at
//! 23:59:59 in the institution's time zone.

use chrono_tz::Tz;

use super::particulars::{AgencyContract, Notices, Side};
use crate::institutions::AgentNotice;
use crate::kernel::{Date, Time, day_in};

/// The deadlines of a contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clocks {
    /// The day of signing, in the institution's time zone.
    pub(super) signed_on: Option<Date>,
    /// The deadline for the agent's and the athlete's notice.
    pub(super) notice_due_at: Option<Time>,
    /// The end of the athlete's right to cancel.
    pub(super) cancellation_ends_at: Option<Time>,
}

/// The day of an instant in a time zone.
pub(super) fn day_of(at: Time, zone: Tz) -> Date {
    day_in(at, zone)
}

/// The deadlines of a contract under the institution's rule.
pub(super) fn clocks(
    contract: &AgencyContract,
    notices: &Notices,
    rule: AgentNotice,
    zone: Tz,
) -> Clocks {
    let Some(signed_at) = contract.signed_at else {
        return Clocks::default();
    };
    let signed_on = day_of(signed_at, zone);
    let enrolled_later = notices.enrolled_on.filter(|day| *day > signed_on);
    let within = match enrolled_later {
        Some(day) => rule.due_after_enrolment(day, zone),
        None => rule.due_after_signing(signed_at),
    };
    Clocks {
        signed_on: Some(signed_on),
        notice_due_at: within.into_iter().chain(notices.next_event_at).min(),
        cancellation_ends_at: rule.cancellable_until(signed_on, zone),
    }
}

/// The sides whose notice is missing.
pub(super) fn missing(notices: &Notices) -> Vec<Side> {
    let sides = [(Side::Athlete, notices.athlete_at), (Side::Agent, notices.agent_at)];
    sides.into_iter().filter(|(_, given)| given.is_none()).map(|(side, _)| side).collect()
}

/// Whether a notice was late, or is missing after its deadline.
pub(super) fn is_late(due_at: Option<Time>, notices: &Notices, now: Time) -> bool {
    let given = [notices.agent_at, notices.athlete_at];
    due_at.is_some_and(|due| given.into_iter().any(|at| at.unwrap_or(now) > due))
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use proptest::prelude::*;

    use super::*;

    const CHICAGO: Tz = chrono_tz::America::Chicago;

    fn rule(hours: i64) -> AgentNotice {
        AgentNotice { hours, enrolment_days: 10, cancel_days: 14, transfers_wait: true }
    }

    fn at(text: &str) -> Time {
        text.parse().unwrap()
    }

    fn signed(text: &str) -> AgencyContract {
        AgencyContract { signed_at: Some(at(text)), ..AgencyContract::default() }
    }

    fn due(contract: &AgencyContract, notices: &Notices) -> Time {
        clocks(contract, notices, rule(72), CHICAGO).notice_due_at.unwrap()
    }

    #[test]
    fn nothing_runs_before_it_is_signed() {
        let none = clocks(&AgencyContract::default(), &Notices::default(), rule(72), CHICAGO);
        assert_eq!(none, Clocks::default());
    }

    #[test]
    fn hours_are_real_hours_over_daylight_saving() {
        // 1 November 2026 has 25 hours in Chicago, 8 March has 23.
        let none = Notices::default();
        for (from, until) in [
            ("2026-10-30T18:00:00-05:00", "2026-11-02T17:00:00-06:00"),
            ("2026-03-06T18:00:00-06:00", "2026-03-09T19:00:00-05:00"),
        ] {
            assert_eq!(due(&signed(from), &none), at(until));
        }
    }

    #[test]
    fn the_next_event_can_come_first() {
        let contract = signed("2026-11-20T12:00:00Z");
        let event = |text: &str| Notices { next_event_at: Some(at(text)), ..Notices::default() };
        assert_eq!(due(&contract, &event("2026-11-21T18:00:00Z")), at("2026-11-21T18:00:00Z"));
        assert_eq!(due(&contract, &event("2026-11-24T18:00:00Z")), at("2026-11-23T12:00:00Z"));
    }

    #[test]
    fn a_contract_from_before_enrolment_is_told_of_ten_days_after_it() {
        let contract = signed("2026-07-01T12:00:00Z");
        let mut notices =
            Notices { enrolled_on: Some("2026-08-20".parse().unwrap()), ..Notices::default() };
        assert_eq!(due(&contract, &notices), at("2026-08-31T04:59:59Z"));
        notices.next_event_at = Some(at("2026-08-29T18:00:00Z"));
        assert_eq!(due(&contract, &notices), at("2026-08-29T18:00:00Z"));
        // Enrolled at the time of signing: the usual hours apply.
        notices.enrolled_on = Some("2026-07-01".parse().unwrap());
        assert_eq!(due(&contract, &notices), at("2026-07-04T12:00:00Z"));
    }

    #[test]
    fn the_time_to_cancel_ends_with_a_day_of_the_institution() {
        // 23:30 on 19 October in Chicago; two weeks later winter time applies.
        let contract = signed("2026-10-20T04:30:00Z");
        let found = clocks(&contract, &Notices::default(), rule(72), CHICAGO);
        assert_eq!(found.signed_on, Some("2026-10-19".parse().unwrap()));
        assert_eq!(found.cancellation_ends_at, Some(at("2026-11-03T05:59:59Z")));
    }

    #[test]
    fn both_have_to_give_notice_in_time() {
        let due = Some(at("2026-11-23T12:00:00Z"));
        let early = Some(at("2026-11-21T12:00:00Z"));
        let late = Some(at("2026-11-23T12:00:01Z"));
        let (before, after) = (at("2026-11-22T00:00:00Z"), at("2026-11-24T00:00:00Z"));
        for (agent_at, athlete_at, now, expected) in [
            (None, None, before, false),
            (None, None, after, true),
            (early, None, before, false),
            (early, None, after, true),
            (early, early, after, false),
            (early, due, after, false),
            (late, early, before, true),
            (early, late, after, true),
        ] {
            let notices = Notices { agent_at, athlete_at, ..Notices::default() };
            assert_eq!(is_late(due, &notices, now), expected, "{notices:?} {now}");
            assert!(!is_late(None, &notices, now));
        }
    }

    proptest! {
        #[test]
        fn notice_is_never_due_before_signing_nor_after_its_hours(
            seconds in 1_577_836_800i64..2_082_758_400, hours in 0i64..1_000, event in 1i64..10_000_000,
        ) {
            let signed_at = Time::from_timestamp(seconds, 0).unwrap();
            let contract = AgencyContract { signed_at: Some(signed_at), ..AgencyContract::default() };
            let next = signed_at + TimeDelta::seconds(event);
            let notices = Notices { next_event_at: Some(next), ..Notices::default() };
            let found = clocks(&contract, &notices, rule(hours), CHICAGO);
            let due = found.notice_due_at.unwrap();
            prop_assert!(due >= signed_at && due <= next);
            prop_assert!(due - signed_at <= TimeDelta::hours(hours));
            let room = found.cancellation_ends_at.unwrap() - signed_at;
            prop_assert!(room >= TimeDelta::hours(14 * 24 - 1) && room <= TimeDelta::hours(15 * 24 + 1));
        }
    }
}
