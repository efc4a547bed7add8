//! The application deadline as given by a user: an instant or a date.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::kernel::{Date, LAST_ZONE, Time, YEARS, end_of_day, is_out_of_range};

/// An instant, or a date that means its end in the last time zone of the United States.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline(Time);

impl Deadline {
    /// The instant.
    #[must_use]
    pub const fn at(self) -> Time {
        self.0
    }
}

impl<'de> Deserialize<'de> for Deadline {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        if is_out_of_range(&text) {
            return Err(serde::de::Error::custom(YEARS));
        }
        if let Ok(date) = text.parse::<Date>() {
            return Ok(Self(end_of_day(date, LAST_ZONE)));
        }
        chrono::DateTime::parse_from_rfc3339(&text).map(|at| Self(at.to_utc())).map_err(|_| {
            serde::de::Error::custom("must be a date or a time such as 2026-11-20T19:03:00Z")
        })
    }
}

impl JsonSchema for Deadline {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Deadline".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "a time (RFC 3339), or a date that counts to its end",
            "examples": ["2026-11-20T19:03:00Z"]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Time> {
        let value = serde_json::Value::from(text);
        serde_json::from_value(value).ok().map(Deadline::at)
    }

    #[test]
    fn a_date_lasts_to_the_end_of_the_last_american_day() {
        let end = read("2026-12-01").unwrap();
        assert_eq!(end.to_rfc3339(), "2026-12-02T09:59:59+00:00");
        assert!(read("2026-12-01T10:00:00-05:00").is_some());
        assert!(read("soon").is_none());
    }
}
