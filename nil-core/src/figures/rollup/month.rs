//! Months in an institution's time zone as numbers, by which the rollup has its totals.

use chrono::{Datelike as _, Months};
use chrono_tz::Tz;

use crate::kernel::{Date, Time, day_in, start_of_day};

/// A month: twelve times the year, and the number of months before it in that year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Month(pub(crate) i64);

impl Month {
    /// No month: all time in the tables of amounts, and never before in those of athletes.
    pub(crate) const NONE: Self = Self(0);
    /// Before every month in which something can happen.
    const FIRST: Self = Self(1);
    /// After every month in which something can happen.
    const LAST: Self = Self(12 * 100_000);

    /// The month of a day.
    pub(crate) fn of_day(day: Date) -> Self {
        Self(i64::from(day.year()) * 12 + i64::from(day.month0()))
    }

    /// The month of an instant, as the steps of a series have it: also where clocks change around
    /// midnight.
    pub(crate) fn of(at: Time, zone: Tz) -> Self {
        let day = day_in(at, zone);
        let Self(month) = Self::of_day(day);
        let first = day.with_day(1).unwrap_or(day);
        if day.day() == 1 && at < start_of_day(first, zone) {
            return Self(month - 1);
        }
        let next = first.checked_add_months(Months::new(1)).filter(|_| day.day() >= 28);
        match next {
            Some(next) if at >= start_of_day(next, zone) => Self(month + 1),
            _ => Self(month),
        }
    }

    /// Its first day.
    pub(crate) fn first_day(self) -> Option<Date> {
        let year = i32::try_from(self.0.div_euclid(12)).ok()?;
        let month = u32::try_from(self.0.rem_euclid(12)).ok()?;
        Date::from_ymd_opt(year, month + 1, 1)
    }
}

/// Whole months, the first and the last included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WholeMonths {
    pub(crate) first: Month,
    pub(crate) last: Month,
}

/// The first and the last instant with a transaction; none without transactions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) first: Option<Time>,
    pub(crate) last: Option<Time>,
}

impl WholeMonths {
    /// The months of a period, if all that happened in them happened in the period: it begins with
    /// a month or before everything, and ends with a month or after everything.
    pub(crate) fn of(
        (from, since): (Option<Date>, Option<Time>),
        (to, until): (Option<Date>, Option<Time>),
        extent: Extent,
    ) -> Option<Self> {
        let nothing_before = since.is_none_or(|since| extent.first.is_none_or(|at| at >= since));
        let first = match from {
            Some(day) if !nothing_before => (day.day() == 1).then_some(day).map(Month::of_day)?,
            _ => Month::FIRST,
        };
        let nothing_after = until.is_none_or(|until| extent.last.is_none_or(|at| at < until));
        let last = match to {
            Some(day) if !nothing_after => {
                day.succ_opt().filter(|next| next.day() == 1).map(|_| Month::of_day(day))?
            }
            _ => Month::LAST,
        };
        Some(Self { first, last })
    }

    /// Whether they begin before everything.
    pub(crate) fn are_from_the_start(self) -> bool {
        self.first == Month::FIRST
    }

    /// Whether they are all time.
    pub(crate) fn are_all(self) -> bool {
        self.are_from_the_start() && self.last == Month::LAST
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::figures::period::{Interval, steps};

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn a_month_knows_its_first_day() {
        for text in ["2026-01-01", "2026-12-01", "1999-07-01"] {
            assert_eq!(Month::of_day(day(text)).first_day(), Some(day(text)));
        }
        assert!(Month::FIRST < Month::of_day(day("1900-01-01")));
        assert!(Month::LAST > Month::of_day(day("9999-12-31")));
    }

    #[test]
    fn a_period_is_of_whole_months_or_reaches_beyond_everything() {
        let zone = chrono_tz::America::Chicago;
        let extent = Extent {
            first: Some("2026-02-10T12:00:00Z".parse().unwrap()),
            last: Some("2026-05-20T12:00:00Z".parse().unwrap()),
        };
        let months = |from: Option<&str>, to: Option<&str>| {
            let (from, to) = (from.map(day), to.map(day));
            let since = from.map(|day| start_of_day(day, zone));
            let until = to.and_then(|day| day.succ_opt()).map(|day| start_of_day(day, zone));
            WholeMonths::of((from, since), (to, until), extent)
        };
        assert!(months(None, None).unwrap().are_all());
        assert!(months(Some("2026-02-10"), Some("2026-05-20")).unwrap().are_all());
        assert_eq!(months(Some("2026-02-11"), None), None);
        assert_eq!(months(None, Some("2026-05-19")), None);
        let spring = months(Some("2026-03-01"), Some("2026-04-30")).unwrap();
        assert_eq!(spring.first, Month::of_day(day("2026-03-01")));
        assert_eq!(spring.last, Month::of_day(day("2026-04-01")));
    }

    proptest! {
        /// In St. John's, clocks went back at one minute past midnight.
        #[test]
        fn a_month_of_an_instant_is_the_step_with_the_instant(
            minutes in 0i64..24 * 60 * 366 * 6, zone in 0usize..4,
        ) {
            let zone = [
                chrono_tz::America::St_Johns, chrono_tz::America::Chicago,
                chrono_tz::America::Havana, chrono_tz::America::Asuncion,
            ][zone];
            let start: Time = "2006-01-01T00:00:00Z".parse().unwrap();
            let at = start + chrono::TimeDelta::minutes(minutes);
            let period = (day("2005-12-01"), day("2012-02-01"));
            let (steps, _) = steps(period, Interval::Month, zone, 1_000);
            let step = steps.iter().find(|step| step.from <= at && at < step.until).unwrap();
            prop_assert_eq!(Month::of(at, zone), Month::of_day(step.starts_on));
        }
    }
}
