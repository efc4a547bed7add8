//! Every day from 2020 to 2035 in every zone of the United States, with its changes of daylight
//! saving: a day begins where the one before ends, lasts 23, 24 or 25 hours, and holds its own
//! instants.

use chrono::{Datelike as _, Days, NaiveDate, TimeDelta, Weekday};
use chrono_tz::Tz;
use nil_core::kernel::{business_days_after, day_in, end_of_day, start_of_day};
use nil_tests::trust;

const ZONES: [Tz; 8] = [
    Tz::America__New_York,
    Tz::America__Chicago,
    Tz::America__Denver,
    Tz::America__Phoenix,
    Tz::America__Los_Angeles,
    Tz::America__Anchorage,
    Tz::Pacific__Honolulu,
    Tz::America__Puerto_Rico,
];

fn days() -> impl Iterator<Item = NaiveDate> {
    let first = NaiveDate::from_ymd_opt(2020, 1, 1).unwrap();
    let last = NaiveDate::from_ymd_opt(2035, 12, 31).unwrap();
    first.iter_days().take_while(move |day| *day <= last)
}

#[test]
fn a_day_begins_where_the_one_before_ends() {
    let second = TimeDelta::seconds(1);
    let (mut count, mut changes) = (0, 0);
    for zone in ZONES {
        for day in days() {
            let (start, end) = (start_of_day(day, zone), end_of_day(day, zone));
            assert_eq!(start, end_of_day(day.pred_opt().unwrap(), zone) + second, "{day} {zone}");
            assert_eq!(day_in(start, zone), day);
            assert_eq!(day_in(end, zone), day);
            assert_eq!(day_in(end + second, zone), day + Days::new(1));
            assert_eq!(day_in(start - second, zone), day - Days::new(1));
            let hours = (end + second - start).num_hours();
            assert!((23..=25).contains(&hours), "{day} in {zone} has {hours} hours");
            changes += usize::from(hours != 24);
            count += 1;
        }
    }
    // Two in each of sixteen years, in the five zones that have any.
    assert_eq!(changes, 2 * 16 * 5);
    trust::tried("R13", "days", count);
}

#[test]
fn business_days_are_counted_over_ends_of_months_and_leap_days() {
    let mut count = 0;
    for day in days() {
        let mut before = day;
        for number in 1..=10 {
            let due = business_days_after(day, number);
            assert!(due > before, "{number} business days after {day}: {due}");
            assert!(!matches!(due.weekday(), Weekday::Sat | Weekday::Sun), "{due}");
            before = due;
        }
        // Ten business days are two weeks, and at most two holidays and the weekend beside them.
        assert!((before - day).num_days() <= 18, "{day}: {before}");
        count += 1;
    }
    trust::tried("R13", "days", count);
}
