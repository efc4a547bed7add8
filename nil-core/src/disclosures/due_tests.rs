use chrono::{Datelike as _, Duration, NaiveTime, Timelike as _, Weekday};
use proptest::prelude::*;

use super::*;

const ZONES: &[Tz] = &[
    chrono_tz::America::New_York,
    chrono_tz::America::Chicago,
    chrono_tz::America::Denver,
    chrono_tz::America::Phoenix,
    chrono_tz::America::Los_Angeles,
    chrono_tz::America::Anchorage,
    chrono_tz::America::Indiana::Indianapolis,
    chrono_tz::America::Puerto_Rico,
    chrono_tz::Pacific::Honolulu,
    chrono_tz::Pacific::Guam,
];

const FIVE: DisclosureDeadline = DisclosureDeadline { unit: DeadlineUnit::BusinessDays, value: 5 };

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

/// The federal government's holidays on weekdays, by an independent source; the file says which.
const DAYS_OFF: &str = include_str!("calendar/days_off.txt");

/// Deadlines of five business days after days of those years, among them days before clocks change
/// and holidays: computed from that file with the time zones of Python (`zoneinfo`).
const DEADLINES: &str = include_str!("calendar/deadlines.csv");

#[test]
fn published_days_off_are_no_business_days_and_all_other_weekdays_are() {
    let off: Vec<Date> = DAYS_OFF.lines().filter(|line| !line.starts_with('#')).map(day).collect();
    assert_eq!((off.first(), off.last()), (Some(&day("2020-01-01")), Some(&day("2035-12-25"))));
    let mut date = day("2020-01-01");
    while date < day("2036-01-01") {
        let free = off.contains(&date) || matches!(date.weekday(), Weekday::Sat | Weekday::Sun);
        let counts = business_days_after(date - Duration::days(1), 1) == date;
        assert_eq!(counts, !free, "{date}");
        date += Duration::days(1);
    }
}

#[test]
fn deadlines_are_those_of_an_independent_table() {
    let mut lines = csv::Reader::from_reader(DEADLINES.as_bytes());
    let rows: Vec<(Date, String, Time)> = lines.deserialize().collect::<Result<_, _>>().unwrap();
    assert!(rows.len() > 150, "{}", rows.len());
    for (signed_on, zone, due_at) in rows {
        let due = to_institution(signed_on, FIVE, zone.parse().unwrap());
        let due = due.with_nanosecond(0).unwrap();
        assert_eq!(due, due_at, "{signed_on} {zone}");
    }
}

#[test]
fn five_business_days_end_at_local_midnight_on_every_day_of_sixteen_years() {
    let mut date = day("2020-01-01");
    while date < day("2036-01-01") {
        let last = business_days_after(date, 5);
        assert!((5..=14).contains(&(last - date).num_days()), "{date}: {last}");
        for zone in ZONES {
            let due = to_institution(date, FIVE, *zone);
            let local = due.with_timezone(zone);
            assert_eq!(local.date_naive(), last, "{date} {zone}");
            let end = NaiveTime::from_hms_opt(23, 59, 59).unwrap();
            assert_eq!(local.time().with_nanosecond(0).unwrap(), end, "{date} {zone}");
            // One second later it is the next day.
            let next = (due + Duration::seconds(1)).with_timezone(zone);
            assert_eq!(next.date_naive(), last + Duration::days(1), "{date} {zone}");
        }
        date += Duration::days(1);
    }
}

#[test]
fn a_deadline_over_the_change_of_the_clock_keeps_its_local_hour() {
    let zone = chrono_tz::America::Chicago;
    // Clocks go back on 1 November 2026 and forward on 14 March 2027.
    let autumn = to_institution(day("2026-10-28"), FIVE, zone);
    assert_eq!(autumn.to_rfc3339(), "2026-11-05T05:59:59+00:00");
    let spring = to_institution(day("2027-03-10"), FIVE, zone);
    assert_eq!(spring.to_rfc3339(), "2027-03-18T04:59:59+00:00");
    // Thanksgiving is in between.
    let thanks = to_institution(day("2026-11-20"), FIVE, zone);
    assert_eq!(thanks.to_rfc3339(), "2026-12-01T05:59:59+00:00");
}

#[test]
fn days_and_hours_are_counted_as_they_are() {
    let zone = chrono_tz::America::Chicago;
    let of = |unit, value| {
        let deadline = DisclosureDeadline { unit, value };
        to_institution(day("2026-11-20"), deadline, zone).to_rfc3339()
    };
    assert_eq!(of(DeadlineUnit::Days, 14), "2026-12-05T05:59:59+00:00");
    assert_eq!(of(DeadlineUnit::Hours, 72), "2026-11-24T05:59:59+00:00");
}

#[test]
fn there_was_no_clearinghouse_before_there_was_one() {
    let table = clearinghouse().unwrap();
    assert!(rule_on(table, day("2025-06-06")).is_none());
    let rule = rule_on(table, day("2026-11-20")).unwrap();
    assert_eq!((rule.threshold_cents, rule.business_days), (Cents(60_000), 5));
    assert_eq!(rule.large_gift_cents, Cents(5_000_000));
    let reports = |takes_part| {
        let all = Division::ALL.iter().copied();
        all.filter(|division| rule.applies_to(School { division: *division, takes_part }))
            .collect::<Vec<_>>()
    };
    assert_eq!((reports(true), reports(false)), (vec![Division::D1], vec![]));
}

proptest! {
    #[test]
    fn signing_later_is_never_due_earlier(start in 0i64..5_800, more in 0i64..40, days in 1i64..30) {
        let deadline = DisclosureDeadline { unit: DeadlineUnit::BusinessDays, value: days };
        let zone = chrono_tz::America::New_York;
        let first = day("2020-01-01") + Duration::days(start);
        let due = |on| to_institution(on, deadline, zone);
        prop_assert!(due(first) <= due(first + Duration::days(more)));
        prop_assert!(due(first) > end_of_day(first, zone));
    }
}
