//! Taxpayer numbers.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::kernel::Secret;
use crate::kernel::vocabulary::vocabulary;
use crate::keys::Vault;

vocabulary! {
    /// The kind of a taxpayer number.
    TinKind {
        /// A Social Security number.
        Ssn = "ssn",
        /// An individual taxpayer identification number.
        Itin = "itin",
        /// An employer identification number.
        Ein = "ein",
    }
}

/// A taxpayer number as it was typed. Prints as `***`, and no refusal repeats it.
#[derive(Clone, Debug)]
pub struct TypedTin(Secret);

impl<'de> Deserialize<'de> for TypedTin {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Value::deserialize(from)? {
            Value::String(text) => Ok(Self(Secret::new(text))),
            // The usual message would repeat a number.
            _ => Err(serde::de::Error::custom("must be text of nine digits")),
        }
    }
}

impl JsonSchema for TypedTin {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "TypedTin".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "minLength": 9, "maxLength": 20, "writeOnly": true,
            "description": "nine digits, with or without hyphens or spaces",
            "examples": ["219-09-9999"]
        })
    }
}

/// A taxpayer number of nine digits.
#[derive(Clone, Debug)]
pub(in crate::payments) struct Tin(Secret);

impl TypedTin {
    /// The number, if it can be one of this kind.
    pub(super) fn of(&self, kind: TinKind) -> Result<Tin> {
        let text = self.0.expose();
        let wrong = |message: &str| Error::invalid("tin", message);
        if text.len() > 20 || text.chars().any(|sign| !matches!(sign, '0'..='9' | '-' | ' ')) {
            return Err(wrong("must be nine digits, with or without hyphens or spaces"));
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let (Some(area), Some(group), Some(serial)) =
            (digits.get(..3), digits.get(3..5), digits.get(5..))
        else {
            return Err(wrong("must be nine digits"));
        };
        if digits.len() != 9 {
            return Err(wrong("must be nine digits"));
        }
        let possible = match kind {
            TinKind::Ssn => {
                !matches!(area, "000" | "666")
                    && !area.starts_with('9')
                    && group != "00"
                    && serial != "0000"
            }
            // The groups that the tax office gives out.
            TinKind::Itin => {
                let group = group.parse::<u8>().unwrap_or_default();
                area.starts_with('9') && matches!(group, 50..=65 | 70..=88 | 90..=92 | 94..=99)
            }
            TinKind::Ein => !area.starts_with("00"),
        };
        if possible {
            Ok(Tin(Secret::new(digits)))
        } else {
            Err(wrong("is not a number of this kind"))
        }
    }
}

impl Tin {
    /// A number for tests.
    #[cfg(test)]
    pub(super) fn of_digits(digits: &str) -> Self {
        Self(Secret::new(digits.to_owned()))
    }

    /// The digits, for a return.
    pub(in crate::payments) fn digits(&self) -> &str {
        self.0.expose()
    }

    /// The last four digits, which are shown.
    pub(super) fn last4(&self) -> String {
        self.digits().chars().skip(5).collect()
    }

    /// The number as it is stored, bound to its owner and to the version of the statement.
    pub(super) fn seal(&self, vault: &Vault, (owner, version): (&str, i64)) -> Result<Vec<u8>> {
        vault.seal(&context(owner, version), self.digits().as_bytes())
    }

    /// Opens a stored number.
    pub(super) fn open(vault: &Vault, of: (&str, i64), sealed: &[u8]) -> Result<Self> {
        let plain = vault.open(&context(of.0, of.1), sealed)?;
        String::from_utf8(plain).map(|digits| Self(Secret::new(digits))).map_err(Error::internal)
    }
}

fn context(owner: &str, version: i64) -> String {
    format!("tin:{owner}:{version}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SystemRandom;
    use crate::keys::MasterKey;

    fn typed(text: &str) -> TypedTin {
        serde_json::from_value(Value::String(text.into())).unwrap()
    }

    #[test]
    fn numbers_are_read_as_people_type_them() {
        for (kind, text, digits) in [
            (TinKind::Ssn, "219-09-9999", "219099999"),
            (TinKind::Ssn, " 219 09 9999 ", "219099999"),
            (TinKind::Itin, "912-70-1234", "912701234"),
            (TinKind::Ein, "12-3456789", "123456789"),
        ] {
            let tin = typed(text).of(kind).unwrap();
            assert_eq!((tin.digits(), tin.last4().as_str()), (digits, &digits[5..]));
        }
    }

    #[test]
    fn what_cannot_be_one_is_refused_without_repeating_it() {
        for (kind, text) in [
            (TinKind::Ssn, "000-12-3456"),
            (TinKind::Ssn, "666-12-3456"),
            (TinKind::Ssn, "912-12-3456"),
            (TinKind::Ssn, "219-00-3456"),
            (TinKind::Ssn, "219-09-0000"),
            (TinKind::Ssn, "21909999"),
            (TinKind::Ssn, "2190999999"),
            (TinKind::Ssn, "219/09/9999"),
            (TinKind::Itin, "219-09-9999"),
            (TinKind::Itin, "912-10-1234"),
            (TinKind::Itin, "912-93-1234"),
            (TinKind::Ein, "00-3456789"),
            (TinKind::Ein, ""),
        ] {
            let error = typed(text).of(kind).unwrap_err();
            assert!(text.is_empty() || !format!("{error:?}").contains(text), "{error:?}");
        }
        let error = serde_json::from_value::<TypedTin>(serde_json::json!(219_099_999)).unwrap_err();
        assert!(!error.to_string().contains("219099999"), "{error}");
        assert!(!format!("{:?}", typed("219-09-9999")).contains("219"));
    }

    #[test]
    fn a_sealed_number_opens_only_for_its_owner_and_version() {
        let vault = Vault::new(&MasterKey::generate(&SystemRandom)).unwrap();
        let tin = typed("219-09-9999").of(TinKind::Ssn).unwrap();
        let sealed = tin.seal(&vault, ("athlete:1", 2)).unwrap();
        let opened = Tin::open(&vault, ("athlete:1", 2), &sealed).unwrap();
        assert_eq!(opened.digits(), "219099999");
        for other in [("athlete:1", 1), ("athlete:2", 2)] {
            assert!(Tin::open(&vault, other, &sealed).is_err());
        }
    }
}
