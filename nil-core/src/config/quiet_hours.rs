//! Quiet hours: the part of the day in which no mail or text is sent that can wait.

use std::fmt;
use std::str::FromStr;

use chrono::{NaiveTime, TimeDelta, TimeZone as _};
use chrono_tz::Tz;

use crate::kernel::Time;

/// A window of the recipient's day, such as `21:00-08:00`. The first minute is quiet, the last is
/// not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    from: NaiveTime,
    until: NaiveTime,
    /// The zone of recipients whose institution's zone is unknown.
    zone: Tz,
}

impl QuietHours {
    /// The quiet hours between two times of the day in a time zone.
    pub fn new(from: NaiveTime, until: NaiveTime, zone: Tz) -> Result<Self, String> {
        if from == until {
            return Err("must not begin and end at the same time".into());
        }
        Ok(Self { from, until, zone })
    }

    /// When the quiet hours in force at `now` end; nothing if none are in force. `zone` is the
    /// recipient's, if known.
    #[must_use]
    pub fn end(&self, now: Time, zone: Option<Tz>) -> Option<Time> {
        let zone = zone.unwrap_or(self.zone);
        let local = now.with_timezone(&zone).naive_local();
        let (date, at) = (local.date(), local.time());
        let over_night = self.from > self.until;
        let quiet = if over_night {
            at >= self.from || at < self.until
        } else {
            at >= self.from && at < self.until
        };
        if !quiet {
            return None;
        }
        let last = if over_night && at >= self.from { date.succ_opt()? } else { date };
        let end = last.and_time(self.until);
        // If daylight saving skips the hour, the first instant after the gap.
        [0, 1]
            .into_iter()
            .find_map(|later| {
                let end = end.checked_add_signed(TimeDelta::hours(later))?;
                zone.from_local_datetime(&end).latest()
            })
            .map(|end| end.to_utc())
    }
}

/// The time zone with this IANA name.
pub fn zone_named(name: &str) -> Result<Tz, String> {
    let name = name.trim();
    name.parse().map_err(|_| format!("there is no time zone {name}"))
}

impl FromStr for QuietHours {
    type Err = String;

    /// `21:00-08:00`, or with a zone for recipients whose own is unknown:
    /// `21:00-08:00 America/New_York` (default `America/Chicago`).
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` must be like 21:00-08:00 or 21:00-08:00 America/New_York");
        let (hours, zone) = text.trim().split_once(' ').unwrap_or((text.trim(), "America/Chicago"));
        let (from, until) = hours.split_once('-').ok_or_else(wrong)?;
        let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").map_err(|_| wrong());
        let (from, until) = (time(from)?, time(until)?);
        let zone = zone_named(zone)?;
        Self::new(from, until, zone).map_err(|why| format!("`{text}` {why}"))
    }
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, until) = (self.from.format("%H:%M"), self.until.format("%H:%M"));
        write!(f, "{from}-{until} {}", self.zone)
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::America::{Los_Angeles, New_York};

    use super::*;

    fn end(hours: &str, now: &str, zone: Option<Tz>) -> Option<String> {
        let hours: QuietHours = hours.parse().unwrap();
        let end = hours.end(now.parse().unwrap(), zone);
        end.map(|end| end.format("%Y-%m-%dT%H:%MZ").to_string())
    }

    #[test]
    fn a_night_ends_in_the_morning_of_the_recipient() {
        let night = "21:00-08:00 America/New_York";
        let at = |now| end(night, now, None);
        // New York is five hours behind in November.
        assert_eq!(at("2026-11-21T02:00:00Z").unwrap(), "2026-11-21T13:00Z");
        assert_eq!(at("2026-11-21T12:59:59Z").unwrap(), "2026-11-21T13:00Z");
        assert_eq!(at("2026-11-21T13:00:00Z"), None);
        assert_eq!(at("2026-11-21T01:59:00Z"), None);
        let west = end(night, "2026-11-21T13:00:00Z", Some(Los_Angeles));
        assert_eq!(west.unwrap(), "2026-11-21T16:00Z");
        let noon = end("12:00-14:00", "2026-11-21T18:30:00Z", Some(New_York));
        assert_eq!(noon.unwrap(), "2026-11-21T19:00Z");
    }

    #[test]
    fn an_end_that_daylight_saving_skips_is_after_the_gap() {
        // 8 March 2026: New York's clocks go from 02:00 to 03:00.
        let skipped = end("21:00-02:30", "2026-03-08T05:00:00Z", Some(New_York));
        assert_eq!(skipped.unwrap(), "2026-03-08T07:30Z");
        // 1 November 2026: 01:30 comes twice; the second one counts.
        let twice = end("21:00-01:30", "2026-11-01T04:00:00Z", Some(New_York));
        assert_eq!(twice.unwrap(), "2026-11-01T06:30Z");
    }

    #[test]
    fn hours_are_read_as_they_are_written() {
        for text in ["21:00-08:00 America/New_York", "00:00-06:30 America/Chicago"] {
            assert_eq!(text.parse::<QuietHours>().unwrap().to_string(), text);
        }
        for wrong in ["", "21-8", "21:00", "25:00-08:00", "21:00-08:00 Mars", "08:00-08:00"] {
            assert!(wrong.parse::<QuietHours>().is_err(), "{wrong}");
        }
    }
}
