//! The quiet hours that users choose for themselves.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chrono::NaiveTime;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::config::{QuietHours, zone_named};
use crate::kernel::Text;

/// A time of the day, to the minute: `21:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTime(NaiveTime);

impl FromStr for ClockTime {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "must be a time of the day such as 21:00".to_owned();
        if text.len() != 5 {
            return Err(wrong());
        }
        let time = NaiveTime::parse_from_str(text, "%H:%M");
        time.map(Self).map_err(|_| wrong())
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%H:%M"))
    }
}

impl Serialize for ClockTime {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ClockTime {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for ClockTime {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "ClockTime".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": ["21:00"]
        })
    }
}

/// The part of a user's day, chosen by them, in which they get no mails and texts that can wait. It
/// may span midnight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnQuietHours {
    /// The first quiet minute.
    pub from: ClockTime,
    /// The end of the quiet hours; this minute is no longer quiet.
    #[schemars(extend("examples" = ["08:00"]))]
    pub to: ClockTime,
    /// The IANA time zone of these times.
    pub time_zone: Text<1, 60>,
}

impl OwnQuietHours {
    /// These hours as a window in their own time zone.
    pub(super) fn window(&self) -> Result<QuietHours, String> {
        QuietHours::new(self.from.0, self.to.0, zone_named(&self.time_zone)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_hours_go_by_their_own_clock() {
        let hours = |from: &str, to: &str, zone: &str| OwnQuietHours {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            time_zone: Text::new(zone).unwrap(),
        };
        let own = hours("22:00", "07:30", "America/Los_Angeles").window().unwrap();
        let end = own.end("2026-11-21T06:00:00Z".parse().unwrap(), None);
        assert_eq!(end.unwrap().to_rfc3339(), "2026-11-21T15:30:00+00:00");
        assert!(hours("07:00", "07:00", "UTC").window().is_err());
        assert!(hours("07:00", "08:00", "Mars/Base").window().is_err());
        for wrong in ["7:00", "24:00", "12:60", "12:00:00", "noon", ""] {
            assert!(wrong.parse::<ClockTime>().is_err(), "{wrong}");
        }
    }
}
