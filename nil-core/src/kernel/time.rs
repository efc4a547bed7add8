//! Time: UTC instants with microseconds (the precision of both engines), plain dates, and the
//! injected clock.

use std::sync::Mutex;

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, SubsecRound, TimeZone, Utc, Weekday};
use chrono_tz::Tz;

use crate::error::{Error, Result};

/// An instant in UTC; RFC 3339 in JSON.
pub type Time = DateTime<Utc>;

/// A calendar date; `YYYY-MM-DD` in JSON.
pub type Date = NaiveDate;

/// The last valid instant: both engines store and sort years of four digits.
pub const LAST_TIME: Time = match NaiveDate::from_ymd_opt(9999, 12, 31) {
    Some(day) => match day.and_hms_opt(23, 59, 59) {
        Some(end) => end.and_utc(),
        None => DateTime::UNIX_EPOCH,
    },
    None => DateTime::UNIX_EPOCH,
};

/// The message for a date or time with an implausible year.
pub const YEARS: &str = "must be in the years 1900 to 9999";

/// Whether the text is a date or a time outside the years 1900 to 9999.
pub fn is_out_of_range(text: &str) -> bool {
    let at = |at: DateTime<chrono::FixedOffset>| at.to_utc().year();
    let year = match text.parse::<Date>() {
        Ok(date) => Some(date.year()),
        Err(_) => text.parse().ok().map(at),
    };
    year.is_some_and(|year| !(1900..=9999).contains(&year))
}

/// The source of the current time.
pub trait Clock: Send + Sync + 'static {
    /// The current instant in whole microseconds: SQLite would store nanoseconds, PostgreSQL would
    /// not.
    fn now(&self) -> Time;
}

/// The machine's clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "only this place reads it")]
    fn now(&self) -> Time {
        Utc::now().trunc_subsecs(6)
    }
}

/// A clock that stands still until it is advanced.
#[derive(Debug)]
pub struct FixedClock(Mutex<Time>);

impl FixedClock {
    /// Starts at `at`.
    #[must_use]
    pub fn new(at: Time) -> Self {
        Self(Mutex::new(at.trunc_subsecs(6)))
    }

    /// Advances by `by`, which may be negative.
    pub fn advance(&self, by: chrono::TimeDelta) {
        let mut at = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *at += by;
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Time {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The zone where a day ends last, of those where athletes are: the one that counts where no other
/// is known, so that nothing is late, and nobody of age, too early.
pub const LAST_ZONE: Tz = chrono_tz::Pacific::Honolulu;

/// The zone of this name, such as `America/Chicago`; [`LAST_ZONE`] if there is none.
#[must_use]
pub fn zone_or_last(name: Option<&str>) -> Tz {
    name.and_then(|name| name.parse().ok()).unwrap_or(LAST_ZONE)
}

/// The zone of this name; UTC if there is none: for instants that are read, not counted.
#[must_use]
pub fn zone_or_utc(name: Option<&str>) -> Tz {
    name.and_then(|name| name.parse().ok()).unwrap_or(Tz::UTC)
}

/// The day of an instant where it counts: in the zone of the institution, or of whoever reads it.
#[must_use]
pub fn day_in(at: Time, zone: Tz) -> Date {
    at.with_timezone(&zone).date_naive()
}

/// The day of an instant by UTC: for what the platform counts for itself, never for a day that the
/// law or a person counts. `docs/decisions/0045-a-day-is-the-day-where-it-counts.md` names every
/// such use.
#[must_use]
pub fn utc_day(at: Time) -> Date {
    at.date_naive()
}

/// The last second of `date` in `zone`: something due on a date is late after it.
///
/// If daylight saving makes the local time ambiguous, the later instant counts, so that nothing is
/// late too early; if the time does not exist, the first instant after the gap counts. The last
/// possible day ends in UTC.
#[must_use]
pub fn end_of_day(date: Date, zone: Tz) -> Time {
    let last = NaiveTime::from_hms_opt(23, 59, 59).unwrap_or(NaiveTime::MIN);
    let local = date.and_time(last);
    zone.from_local_datetime(&local)
        .latest()
        .or_else(|| zone.from_local_datetime(&(local + chrono::TimeDelta::hours(1))).latest())
        .map_or_else(|| local.and_utc(), |at| at.with_timezone(&Utc))
        .min(LAST_TIME)
}

/// The first instant of `date`, by UTC.
#[must_use]
pub fn midnight(date: Date) -> Time {
    date.and_time(NaiveTime::MIN).and_utc()
}

/// From the first instant of a day to the end of another, by UTC; 422 at `to` if it is before the
/// first.
pub fn days(from: Option<Date>, to: Option<Date>) -> Result<(Option<Time>, Option<Time>)> {
    if from.zip(to).is_some_and(|(from, to)| to < from) {
        return Err(Error::invalid("to", "must not be before `from`"));
    }
    let next = |date: Date| date.succ_opt().unwrap_or(date);
    Ok((from.map(midnight), to.map(|to| midnight(next(to)))))
}

/// The first instant of `date` in `zone`: one second after the end of the day before.
#[must_use]
pub fn start_of_day(date: Date, zone: Tz) -> Time {
    let before = date.pred_opt().unwrap_or(date);
    end_of_day(before, zone) + chrono::TimeDelta::seconds(1)
}

/// The date `days` business days after `from`, not counting weekends and US federal holidays.
#[must_use]
pub fn business_days_after(from: Date, days: u32) -> Date {
    let mut date = from;
    let mut left = days;
    while left > 0 {
        let Some(next) = date.checked_add_days(Days::new(1)) else {
            return date;
        };
        date = next;
        if !matches!(date.weekday(), Weekday::Sat | Weekday::Sun) && !is_federal_holiday(date) {
            left -= 1;
        }
    }
    date
}

/// Holidays of 5 U.S.C. 6103, on the day they are observed.
fn is_federal_holiday(date: Date) -> bool {
    let nth =
        |month, weekday, n| NaiveDate::from_weekday_of_month_opt(date.year(), month, weekday, n);
    let floating = [
        nth(1, Weekday::Mon, 3),
        nth(2, Weekday::Mon, 3),
        nth(9, Weekday::Mon, 1),
        nth(10, Weekday::Mon, 2),
        nth(11, Weekday::Thu, 4),
        (25..=31)
            .filter_map(|day| NaiveDate::from_ymd_opt(date.year(), 5, day))
            .find(|day| day.weekday() == Weekday::Mon),
    ];
    let fixed = |on: Date| {
        match (on.month(), on.day()) {
            (1, 1) | (7, 4) | (11, 11) | (12, 25) => true,
            // Juneteenth became a holiday in 2021.
            (6, 19) => on.year() >= 2021,
            _ => false,
        }
    };
    let observed = match date.weekday() {
        // A holiday on a Saturday is observed the Friday before, one on a Sunday the Monday after.
        Weekday::Fri => date.succ_opt().is_some_and(fixed),
        Weekday::Mon => date.pred_opt().is_some_and(fixed),
        _ => false,
    };
    fixed(date) || observed || floating.contains(&Some(date))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn business_days_skip_weekends_and_holidays() {
        // Thanksgiving 2026 is Thursday 26 November.
        assert_eq!(business_days_after(day("2026-11-20"), 5), day("2026-11-30"));
        // 4 July 2026 is a Saturday, observed on Friday the 3rd.
        assert_eq!(business_days_after(day("2026-07-02"), 1), day("2026-07-06"));
    }

    #[test]
    fn years_have_four_digits() {
        for text in [
            "+262142-12-31",
            "-9999-01-01",
            "1899-12-31",
            "+10000-01-01",
            "+262142-12-31T00:00:00Z",
            "9999-12-31T23:59:59-10:00",
            "1900-01-01T00:00:00+01:00",
            "1899-12-31 00:00:00Z",
        ] {
            assert!(is_out_of_range(text), "{text}");
        }
        for text in ["1900-01-01", "9999-12-31", "9999-12-31T23:59:59Z", "-5", "soon"] {
            assert!(!is_out_of_range(text), "{text}");
        }
        let last = end_of_day(day("9999-12-31"), chrono_tz::America::New_York);
        assert_eq!(last.to_rfc3339(), "9999-12-31T23:59:59+00:00");
    }

    #[test]
    fn an_instant_has_another_day_elsewhere() {
        let at: Time = "2026-11-21T03:00:00Z".parse().unwrap();
        assert_eq!(day_in(at, chrono_tz::America::Chicago), day("2026-11-20"));
        assert_eq!(day_in(at, chrono_tz::UTC), day("2026-11-21"));
        assert_eq!(utc_day(at), day("2026-11-21"));
        for unknown in [None, Some("Mars/Olympus")] {
            assert_eq!(zone_or_last(unknown), LAST_ZONE);
        }
        assert_eq!(zone_or_last(Some("America/Chicago")), chrono_tz::America::Chicago);
    }

    #[test]
    fn a_day_begins_where_the_one_before_has_ended() {
        let zone = chrono_tz::America::New_York;
        for (date, first) in [
            ("2026-03-08", "2026-03-08T05:00:00+00:00"),
            ("2026-03-09", "2026-03-09T04:00:00+00:00"),
            ("2026-11-02", "2026-11-02T05:00:00+00:00"),
        ] {
            assert_eq!(start_of_day(day(date), zone).to_rfc3339(), first);
        }
    }

    #[test]
    fn a_day_ends_in_its_own_zone_on_both_sides_of_daylight_saving() {
        let zone = chrono_tz::America::New_York;
        assert_eq!(end_of_day(day("2026-03-07"), zone).to_rfc3339(), "2026-03-08T04:59:59+00:00");
        assert_eq!(end_of_day(day("2026-03-08"), zone).to_rfc3339(), "2026-03-09T03:59:59+00:00");
    }
}
