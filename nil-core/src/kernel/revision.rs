//! The revision of a record: a short text that is another one as soon as the record's content is.

use std::borrow::Cow;

use aws_lc_rs::digest::{SHA256, digest};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::canonical;

/// The bytes of a hash that are kept: two contents of one record do not meet by chance.
const KEPT: usize = 12;

/// A record's revision. Equal contents have equal revisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Revision(String);

impl Revision {
    /// The revision of this content.
    #[must_use]
    pub fn of(content: &Value) -> Self {
        let hash = hex::encode(digest(&SHA256, canonical(content).as_bytes()));
        Self(hash.chars().take(2 * KEPT).collect())
    }
}

impl<'de> Deserialize<'de> for Revision {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(from)?;
        if text.len() == 2 * KEPT && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Self(text.into_owned()));
        }
        Err(serde::de::Error::custom("must be the revision of a record as it was read"))
    }
}

impl JsonSchema for Revision {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Revision".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "format": "revision", "pattern": "^[0-9a-f]{24}$",
            "minLength": 2 * KEPT, "maxLength": 2 * KEPT,
            "examples": ["3f0c5a9be1d2478856aa01c4"]
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn another_content_is_another_revision() {
        let one = Revision::of(&json!({ "role": "owner", "sports": [1, 2] }));
        assert_eq!(one, Revision::of(&json!({ "sports": [1, 2], "role": "owner" })));
        assert_ne!(one, Revision::of(&json!({ "sports": [2, 1], "role": "owner" })));
        assert_eq!(from_value::<Revision>(json!(one)).unwrap(), one);
    }

    #[test]
    fn what_is_no_revision_is_refused() {
        for wrong in [json!(""), json!("3f0c"), json!("g".repeat(24)), json!(24)] {
            assert!(from_value::<Revision>(wrong).is_err());
        }
    }
}
