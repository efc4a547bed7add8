//! Days, weeks and months in an institution's time zone.

use chrono::{Datelike as _, Days, Months};
use chrono_tz::Tz;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Date, Time, end_of_day, start_of_day};

vocabulary! {
    /// A named period.
    DatePreset {
        /// Today.
        Today = "today",
        /// Yesterday.
        Yesterday = "yesterday",
        /// The last seven days, including today.
        Last7Days = "last_7_days",
        /// The last thirty days, including today.
        Last30Days = "last_30_days",
        /// The last ninety days, including today.
        Last90Days = "last_90_days",
        /// The last twelve months, including today.
        Last12Months = "last_12_months",
        /// This month so far.
        ThisMonth = "this_month",
        /// The previous month.
        LastMonth = "last_month",
        /// This quarter of the calendar year so far.
        ThisQuarter = "this_quarter",
        /// This calendar year so far.
        ThisYear = "this_year",
        /// The previous calendar year.
        LastYear = "last_year",
        /// The academic year so far, from 1 July.
        AcademicYear = "academic_year",
        /// The previous academic year, from 1 July to 30 June.
        LastAcademicYear = "last_academic_year",
        /// All time.
        AllTime = "all_time",
    }
}

impl DatePreset {
    /// The label for users.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Today => "Today",
            Self::Yesterday => "Yesterday",
            Self::Last7Days => "Last 7 days",
            Self::Last30Days => "Last 30 days",
            Self::Last90Days => "Last 90 days",
            Self::Last12Months => "Last 12 months",
            Self::ThisMonth => "This month",
            Self::LastMonth => "Last month",
            Self::ThisQuarter => "This quarter",
            Self::ThisYear => "This year",
            Self::LastYear => "Last year",
            Self::AcademicYear => "This academic year",
            Self::LastAcademicYear => "Last academic year",
            Self::AllTime => "All time",
        }
    }

    /// The first and last day; `None` if unlimited.
    #[must_use]
    pub fn days(self, today: Date) -> (Option<Date>, Option<Date>) {
        let back = |days| today.checked_sub_days(Days::new(days)).unwrap_or(today);
        let month = first_of_month(today);
        let quarter = months_before(month, month.month0() % 3);
        let year = months_before(month, month.month0());
        let academic = months_before(month, (month.month0() + 6) % 12);
        let (from, to) = match self {
            Self::Today => (today, today),
            Self::Yesterday => (back(1), back(1)),
            Self::Last7Days => (back(6), today),
            Self::Last30Days => (back(29), today),
            Self::Last90Days => (back(89), today),
            Self::Last12Months => (day_after(months_before(today, 12)), today),
            Self::ThisMonth => (month, today),
            Self::LastMonth => (months_before(month, 1), day_before(month)),
            Self::ThisQuarter => (quarter, today),
            Self::ThisYear => (year, today),
            Self::LastYear => (months_before(year, 12), day_before(year)),
            Self::AcademicYear => (academic, today),
            Self::LastAcademicYear => (months_before(academic, 12), day_before(academic)),
            Self::AllTime => return (None, None),
        };
        (Some(from), Some(to))
    }
}

vocabulary! {
    /// The length of a step of a series.
    Interval {
        /// A day.
        Day = "day",
        /// A week, from Monday.
        Week = "week",
        /// A calendar month.
        Month = "month",
    }
}

impl Interval {
    /// The first day of the step that contains `date`.
    pub(super) fn first(self, date: Date) -> Date {
        match self {
            Self::Day => date,
            Self::Week => {
                let since = u64::from(date.weekday().num_days_from_monday());
                date.checked_sub_days(Days::new(since)).unwrap_or(date)
            }
            Self::Month => first_of_month(date),
        }
    }

    /// The first day of the step after the one that begins on `first`.
    fn next(self, first: Date) -> Option<Date> {
        match self {
            Self::Day => first.succ_opt(),
            Self::Week => first.checked_add_days(Days::new(7)),
            Self::Month => first.checked_add_months(Months::new(1)),
        }
    }
}

/// One step of a series, cut off at the ends of the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The first day of the whole step.
    pub(super) starts_on: Date,
    /// The first instant that counts.
    pub(super) from: Time,
    /// The first instant after the step.
    pub(super) until: Time,
}

/// The steps from one day to another, both included, without gaps; the newest `most` of them, and
/// whether there are more.
pub(super) fn steps(
    (from, to): (Date, Date),
    interval: Interval,
    zone: Tz,
    most: usize,
) -> (Vec<Step>, bool) {
    let mut steps = Vec::new();
    let mut last = Some(interval.first(to));
    while let Some(starts_on) = last {
        if steps.len() == most {
            return (reversed(steps), true);
        }
        let next = interval.next(starts_on).unwrap_or(starts_on);
        let end = day_before(next).min(to);
        steps.push(Step {
            starts_on,
            from: start_of_day(starts_on.max(from), zone),
            until: after(end, zone),
        });
        last = (starts_on > from).then(|| interval.first(day_before(starts_on)));
    }
    (reversed(steps), false)
}

fn reversed(mut steps: Vec<Step>) -> Vec<Step> {
    steps.reverse();
    steps
}

/// The first instant after a day.
pub(super) fn after(day: Date, zone: Tz) -> Time {
    end_of_day(day, zone) + chrono::TimeDelta::seconds(1)
}

/// The period of equal length that ends on the day before this one begins.
pub(super) fn before((from, to): (Date, Date)) -> Option<(Date, Date)> {
    let days = u64::try_from((to - from).num_days()).ok()?;
    let last = from.pred_opt()?;
    Some((last.checked_sub_days(Days::new(days))?, last))
}

fn first_of_month(date: Date) -> Date {
    date.with_day(1).unwrap_or(date)
}

fn months_before(date: Date, months: u32) -> Date {
    date.checked_sub_months(Months::new(months)).unwrap_or(date)
}

fn day_after(date: Date) -> Date {
    date.succ_opt().unwrap_or(date)
}

fn day_before(date: Date) -> Date {
    date.pred_opt().unwrap_or(date)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn days(preset: DatePreset, today: &str) -> (String, String) {
        let (from, to) = preset.days(day(today));
        (from.unwrap().to_string(), to.unwrap().to_string())
    }

    #[test]
    fn presets_know_the_calendar() {
        for (preset, today, from, to) in [
            (DatePreset::Last7Days, "2026-03-03", "2026-02-25", "2026-03-03"),
            (DatePreset::Last12Months, "2026-03-03", "2025-03-04", "2026-03-03"),
            (DatePreset::Last12Months, "2028-02-29", "2027-03-01", "2028-02-29"),
            (DatePreset::LastMonth, "2028-03-31", "2028-02-01", "2028-02-29"),
            (DatePreset::ThisQuarter, "2026-06-30", "2026-04-01", "2026-06-30"),
            (DatePreset::LastYear, "2026-01-01", "2025-01-01", "2025-12-31"),
            (DatePreset::AcademicYear, "2026-06-30", "2025-07-01", "2026-06-30"),
            (DatePreset::AcademicYear, "2026-07-01", "2026-07-01", "2026-07-01"),
            (DatePreset::LastAcademicYear, "2026-11-20", "2025-07-01", "2026-06-30"),
        ] {
            assert_eq!(days(preset, today), (from.into(), to.into()), "{preset}");
        }
        assert_eq!(DatePreset::AllTime.days(day("2026-01-01")), (None, None));
    }

    #[test]
    fn days_over_the_change_of_the_clock_are_23_and_25_hours_long() {
        let zone = chrono_tz::America::Chicago;
        for (date, hours) in [("2026-03-08", 23), ("2026-07-04", 24), ("2026-11-01", 25)] {
            let date = day(date);
            let (steps, _) = steps((date, date), Interval::Day, zone, 10);
            assert_eq!(steps.len(), 1);
            assert_eq!((steps[0].until - steps[0].from).num_hours(), hours);
        }
    }

    #[test]
    fn weeks_begin_on_monday_and_are_cut_off_at_the_ends() {
        let zone = chrono_tz::UTC;
        let period = (day("2026-11-19"), day("2026-11-24"));
        let (steps, more) = steps(period, Interval::Week, zone, 10);
        assert!(!more);
        let told: Vec<_> = steps
            .iter()
            .map(|step| {
                let (from, until) = (step.from.date_naive(), step.until.date_naive());
                format!("{} {from} {until}", step.starts_on)
            })
            .collect();
        assert_eq!(told, ["2026-11-16 2026-11-19 2026-11-23", "2026-11-23 2026-11-23 2026-11-25"]);
    }

    #[test]
    fn the_period_before_is_as_long() {
        let (from, to) = before((day("2026-03-01"), day("2026-03-31"))).unwrap();
        assert_eq!((from, to), (day("2026-01-29"), day("2026-02-28")));
    }

    proptest! {
        #[test]
        fn steps_leave_no_instant_out_and_count_none_twice(
            start in 0i64..8_000, length in 0i64..400, zone in 0usize..4, interval in 0usize..3,
        ) {
            let zone = [
                chrono_tz::America::New_York, chrono_tz::America::Los_Angeles,
                chrono_tz::Pacific::Honolulu, chrono_tz::America::Phoenix,
            ][zone];
            let from = day("2015-01-01") + chrono::Duration::days(start);
            let to = from + chrono::Duration::days(length);
            let interval = Interval::ALL[interval];
            let (all, more) = steps((from, to), interval, zone, 1_000);
            prop_assert!(!more);
            prop_assert_eq!(all[0].from, start_of_day(from, zone));
            prop_assert_eq!(all[all.len() - 1].until, after(to, zone));
            for pair in all.windows(2) {
                prop_assert_eq!(pair[0].until, pair[1].from);
                prop_assert!(pair[0].starts_on < pair[1].starts_on);
            }
            let (some, more) = steps((from, to), interval, zone, 3);
            prop_assert_eq!(more, all.len() > 3);
            prop_assert_eq!(&all[all.len() - some.len()..], &some[..]);
        }
    }
}
