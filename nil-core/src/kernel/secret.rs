//! Values that must not appear in a log, and the e-mail address that identifies an account.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use reqwest::Url;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

/// A token or key in clear text. Prints as `***`; serialised only in answers that hand it out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps the text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The clear text, for deliberate use.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl JsonSchema for Secret {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Secret".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": 4_096 })
    }
}

/// A password of at least `MIN` and at most 128 characters. There are no rules about its
/// composition; the most common passwords are refused when one is set.
#[derive(Clone, PartialEq, Eq)]
pub struct Password<const MIN: usize>(String);

impl<const MIN: usize> Password<MIN> {
    /// The password, if its length is valid.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        // However its accents are written.
        let length = text.nfc().count();
        if text.contains('\0') {
            return Err("must not contain the NUL character".into());
        }
        if !(MIN..=128).contains(&length) {
            return Err(format!("must be {MIN} to 128 characters long"));
        }
        Ok(Self(text))
    }

    /// The clear text, for deliberate use.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether both are one password, however their accents are written.
    #[must_use]
    pub fn is<const OTHER: usize>(&self, other: &Password<OTHER>) -> bool {
        self.0.nfc().eq(other.0.nfc())
    }
}

impl<const MIN: usize> fmt::Debug for Password<MIN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl<'de, const MIN: usize> Deserialize<'de> for Password<MIN> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

impl<const MIN: usize> JsonSchema for Password<MIN> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Password{MIN}").into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "format": "password", "minLength": MIN, "maxLength": 128,
            "examples": ["correct horse battery"]
        })
    }
}

/// An e-mail address in lower case (converted in Rust, so that both engines compare the same), its
/// domain in ASCII.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    const MAX: usize = 254;

    /// The address, if it is valid: the form browsers accept for `<input type=email>`.
    pub fn new(text: &str) -> Result<Self, String> {
        let mut folded = text.trim().to_lowercase();
        if let Some((local, domain)) = folded.split_once('@')
            && !domain.is_ascii()
        {
            folded = format!("{local}@{}", in_ascii(domain).unwrap_or_default());
        }
        let fine = folded.len() <= Self::MAX
            && folded.split_once('@').is_some_and(|(local, domain)| {
                let local_fine = !local.is_empty()
                    && local.len() <= 64
                    && local
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&b));
                let domain_fine = domain.contains('.')
                    && domain.split('.').all(|label| {
                        (1..=63).contains(&label.len())
                            && !label.starts_with('-')
                            && !label.ends_with('-')
                            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
                    });
                local_fine && domain_fine
            });
        if fine { Ok(Self(folded)) } else { Err("must be an e-mail address".into()) }
    }
}

/// A domain name in the letters that mail servers know (IDNA, such as `xn--bcher-kva.example`), if
/// it has such a form.
fn in_ascii(domain: &str) -> Option<String> {
    if domain.contains(['@', ':', '/', '\\', '?', '#', '%']) {
        return None;
    }
    let address = Url::parse(&format!("http://{domain}/")).ok()?;
    address.domain().map(str::to_owned)
}

impl Deref for Email {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Email {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Email {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Email".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "format": "email", "maxLength": Self::MAX,
            "examples": ["jordan@example.com"]
        })
    }
}

impl From<Email> for sea_query::Value {
    fn from(email: Email) -> Self {
        email.0.into()
    }
}

impl sea_query::Nullable for Email {
    fn null() -> sea_query::Value {
        sea_query::Value::String(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_with_other_letters_is_kept_in_ascii() {
        for typed in ["user@bücher.example", "User@BÜCHER.example", "user@bu\u{308}cher.example"]
        {
            assert_eq!(&*Email::new(typed).unwrap(), "user@xn--bcher-kva.example", "{typed}");
        }
        for wrong in [
            "user@bücher",
            "user@bü cher.example",
            "user@ü:80.example",
            "üser@example.com",
            "user@ü/x.example",
            "a@ü@example.com",
        ] {
            assert!(Email::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_are_folded_and_checked() {
        assert_eq!(&*Email::new(" Jordan@Example.COM ").unwrap(), "jordan@example.com");
        for wrong in ["", "a", "a@b", "a@b..c", "a b@c.de", "@c.de", "a@-b.de", "a\0@b.de"] {
            assert!(Email::new(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn secrets_do_not_print() {
        assert_eq!(format!("{:?}", Secret::new("hunter2")), "***");
        assert_eq!(format!("{:?}", Password::<8>::new("hunter2hunter2").unwrap()), "***");
    }
}
