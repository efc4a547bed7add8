//! The bytes of an uploaded file: raw from a form, in base64 from JSON.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use bytes::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::Visitor;

use super::file::MediaType;
use crate::operation::{LARGEST_IN_JSON, decoded, shared, too_large};

/// The content of a file: at least one byte, at most the size of the largest file.
#[derive(Clone, PartialEq, Eq)]
pub struct FileContent(Bytes);

impl FileContent {
    /// The content if it is within the limits, otherwise the reason why not.
    pub fn new(bytes: impl Into<Bytes>) -> Result<Self, String> {
        let bytes = bytes.into();
        match bytes.len() {
            0 => Err("must not be empty".into()),
            size if size > MediaType::LARGEST => Err(too_large(MediaType::LARGEST)),
            _ => Ok(Self(bytes)),
        }
    }

    /// The bytes, shared.
    #[must_use]
    pub fn shared(&self) -> Bytes {
        self.0.clone()
    }
}

impl Deref for FileContent {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for FileContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl<'de> Deserialize<'de> for FileContent {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Content;
        impl Visitor<'_> for Content {
            type Value = FileContent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a file, or its content in base64")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<FileContent, E> {
                FileContent::new(shared(bytes)).map_err(E::custom)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<FileContent, E> {
                let bytes = decoded(text).map_err(E::custom)?;
                FileContent::new(bytes).map_err(E::custom)
            }
        }
        from.deserialize_byte_buf(Content)
    }
}

impl JsonSchema for FileContent {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "FileContent".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "contentEncoding": "base64", "minLength": 4,
            "maxLength": LARGEST_IN_JSON.div_ceil(3) * 4, "examples": ["JVBERi0xLjcK"]
        })
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn base64_is_read_and_nothing_else() {
        let content: FileContent = from_value(json!("JVBERi0xLjcK")).unwrap();
        assert_eq!(&*content, b"%PDF-1.7\n");
        for wrong in ["", "JVBERi0xLjc", "JVBER i0x", "data:;base64,JVBE", "_-__"] {
            assert!(from_value::<FileContent>(json!(wrong)).is_err(), "{wrong}");
        }
        assert!(from_value::<FileContent>(json!(7)).is_err());
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let most = STANDARD.encode(vec![0; LARGEST_IN_JSON]);
        let zeros: FileContent = from_value(json!(most)).unwrap();
        assert_eq!(zeros.len(), LARGEST_IN_JSON);
        let one_more = STANDARD.encode(vec![0; LARGEST_IN_JSON + 1]);
        assert!(from_value::<FileContent>(json!(one_more)).is_err());
        let more = "A".repeat(most.len() + 4);
        assert!(from_value::<FileContent>(json!(more)).is_err());
        assert!(FileContent::new(vec![0; MediaType::LARGEST + 1]).is_err());
    }
}
