//! What the rows of a table come to, to compare it before and after it moved.

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::error::{Error, Result};

/// The number of rows, and a sum over their contents that does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many rows.
    pub rows: u64,
    /// The sum of the first half of each row's SHA-256, as hexadecimal digits.
    #[serde(with = "digits")]
    sum: u128,
}

impl Tally {
    /// Adds a row.
    pub(super) fn add(&mut self, row: &str) -> Result<()> {
        let values: Vec<Value> = serde_json::from_str(row).map_err(Error::internal)?;
        let plain: Vec<Value> = values.into_iter().map(in_one_form).collect();
        let text = serde_json::to_vec(&plain).map_err(Error::internal)?;
        let mut half = [0; 16];
        for (to, from) in half.iter_mut().zip(digest(&SHA256, &text).as_ref()) {
            *to = *from;
        }
        self.rows += 1;
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(half));
        Ok(())
    }
}

/// A value as it compares: PostgreSQL keeps the value of JSON and not its text.
fn in_one_form(value: Value) -> Value {
    let Value::String(text) = &value else { return value };
    if !text.starts_with(['{', '[']) {
        return value;
    }
    match serde_json::from_str(text) {
        Ok(json) => sorted(json),
        Err(_) => value,
    }
}

/// JSON with its keys in order, and `1.0` as `1`.
fn sorted(json: Value) -> Value {
    match json {
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> =
                fields.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Array(
                fields
                    .into_iter()
                    .map(|(name, value)| Value::Array(vec![name.into(), value]))
                    .collect(),
            )
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        Value::Number(number) => Value::Number(whole(number)),
        other => other,
    }
}

fn whole(number: Number) -> Number {
    let text = number.to_string();
    let without = text.strip_suffix(".0").and_then(|text| text.parse::<i64>().ok());
    without.map_or(number, Number::from)
}

mod digits {
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(sum: &u128, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{sum:032x}"))
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<u128, D::Error> {
        let text = String::deserialize(from)?;
        u128::from_str_radix(&text, 16).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&str]) -> Tally {
        let mut tally = Tally::default();
        for row in rows {
            tally.add(row).unwrap();
        }
        tally
    }

    #[test]
    fn rows_come_to_the_same_in_any_order_and_json_in_any_form() {
        let one = of(&["[1,\"a\"]", "[2,\"{\\\"b\\\":1.0,\\\"a\\\":[2]}\"]"]);
        let other = of(&["[2, \"{\\\"a\\\": [2], \\\"b\\\": 1}\"]", "[1, \"a\"]"]);
        assert_eq!(one, other);
    }

    #[test]
    fn every_value_counts() {
        let base = of(&["[1,\"a\",null]"]);
        for other in [
            "[2,\"a\",null]",
            "[1,\"b\",null]",
            "[1,\"a\",\"\"]",
            "[1,\"a\",0]",
            "[\"1\",\"a\",null]",
        ] {
            assert_ne!(base, of(&[other]), "{other}");
        }
        assert_ne!(base, of(&["[1,\"a\",null]", "[1,\"a\",null]"]), "a row twice");
        let text = serde_json::to_string(&base).unwrap();
        assert_eq!(serde_json::from_str::<Tally>(&text).unwrap(), base);
    }
}
