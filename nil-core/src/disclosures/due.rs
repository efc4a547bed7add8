//! The deadlines for disclosing a deal: to the institution by its own rule, to the clearinghouse by a dated table. Days
//! end at 23:59:59 in the institution's time zone.

use std::sync::LazyLock;

use chrono::{Days, TimeDelta};
use chrono_tz::Tz;
use serde::Deserialize;

use crate::error::{Result, codes};
use crate::institutions::{DeadlineUnit, DisclosureDeadline};
use crate::kernel::{Cents, Date, LAST_TIME, Time, business_days_after, end_of_day};

const CLEARINGHOUSE: &str = include_str!("../../assets/reference/clearinghouse.csv");

static TABLE: LazyLock<Option<Vec<ClearinghouseRule>>> = LazyLock::new(|| {
    let mut lines = csv::Reader::from_reader(CLEARINGHOUSE.as_bytes());
    lines.deserialize().collect::<Result<_, _>>().ok()
});

/// A rule of the clearinghouse, in force from a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct ClearinghouseRule {
    /// The first day of signing it applies to.
    pub(super) from_date: Date,
    /// The total with one payor from which deals must be submitted.
    pub(super) threshold_cents: Cents,
    /// The number of business days after signing.
    pub(super) business_days: u32,
    /// The gifts to the institution in all above which a payer is associated with it.
    pub(super) large_gift_cents: Cents,
}

/// All rules of the clearinghouse, oldest first.
pub(super) fn clearinghouse() -> Result<&'static [ClearinghouseRule]> {
    TABLE.as_deref().ok_or_else(|| codes::INTERNAL.into())
}

/// The rule for deals signed on `day`; none before the first rule.
pub(super) fn rule_on(table: &[ClearinghouseRule], day: Date) -> Option<ClearinghouseRule> {
    let rules = table.iter().filter(|rule| rule.from_date <= day);
    rules.max_by_key(|rule| rule.from_date).copied()
}

/// The deadline for disclosing a deal signed on `signed_on` to an institution.
pub(super) fn to_institution(signed_on: Date, deadline: DisclosureDeadline, zone: Tz) -> Time {
    let value = deadline.value.clamp(0, 100_000);
    let whole = u32::try_from(value).unwrap_or_default();
    match deadline.unit {
        DeadlineUnit::BusinessDays => end_of_day(business_days_after(signed_on, whole), zone),
        DeadlineUnit::Days => {
            let last = signed_on.checked_add_days(Days::new(u64::from(whole)));
            end_of_day(last.unwrap_or(signed_on), zone)
        }
        DeadlineUnit::Hours => {
            (end_of_day(signed_on, zone) + TimeDelta::hours(value)).min(LAST_TIME)
        }
    }
}

/// The deadline for submitting a deal to the clearinghouse if its clock runs from `from`.
pub(super) fn to_clearinghouse(from: Date, rule: ClearinghouseRule, zone: Tz) -> Time {
    end_of_day(business_days_after(from, rule.business_days), zone)
}

#[cfg(test)]
mod tests {
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

    const FIVE: DisclosureDeadline =
        DisclosureDeadline { unit: DeadlineUnit::BusinessDays, value: 5 };

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    /// The federal government's holidays, as published by its personnel office.
    const DAYS_OFF: &[&str] = &[
        "2020-01-01",
        "2020-01-20",
        "2020-02-17",
        "2020-05-25",
        "2020-07-03",
        "2020-09-07",
        "2020-10-12",
        "2020-11-11",
        "2020-11-26",
        "2020-12-25",
        "2021-01-01",
        "2021-01-18",
        "2021-02-15",
        "2021-05-31",
        "2021-06-18",
        "2021-07-05",
        "2021-09-06",
        "2021-10-11",
        "2021-11-11",
        "2021-11-25",
        "2021-12-24",
        "2021-12-31",
        "2022-01-17",
        "2022-02-21",
        "2022-05-30",
        "2022-06-20",
        "2022-07-04",
        "2022-09-05",
        "2022-10-10",
        "2022-11-11",
        "2022-11-24",
        "2022-12-26",
        "2023-01-02",
        "2023-01-16",
        "2023-02-20",
        "2023-05-29",
        "2023-06-19",
        "2023-07-04",
        "2023-09-04",
        "2023-10-09",
        "2023-11-10",
        "2023-11-23",
        "2023-12-25",
        "2026-01-01",
        "2026-01-19",
        "2026-02-16",
        "2026-05-25",
        "2026-06-19",
        "2026-07-03",
        "2026-09-07",
        "2026-10-12",
        "2026-11-11",
        "2026-11-26",
        "2026-12-25",
        "2027-01-01",
        "2027-01-18",
        "2027-02-15",
        "2027-05-31",
        "2027-06-18",
        "2027-07-05",
        "2027-09-06",
        "2027-10-11",
        "2027-11-11",
        "2027-11-25",
        "2027-12-24",
        "2027-12-31",
    ];

    #[test]
    fn published_days_off_are_no_business_days_and_all_other_weekdays_are() {
        for year in [2020, 2021, 2022, 2023, 2026, 2027] {
            let mut date = Date::from_ymd_opt(year, 1, 1).unwrap();
            while date.year() == year {
                let off = DAYS_OFF.contains(&date.to_string().as_str())
                    || matches!(date.weekday(), Weekday::Sat | Weekday::Sun);
                let counts = business_days_after(date - Duration::days(1), 1) == date;
                assert_eq!(counts, !off, "{date}");
                date += Duration::days(1);
            }
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
}
