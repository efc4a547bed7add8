//! An edit of one field that may be empty.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

/// Keep the field, clear it, or set it: left out, `null`, or a value. Fields of this type have
/// `#[serde(default)]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Edit<T> {
    /// The field was left out.
    #[default]
    Keep,
    /// The field was `null`.
    Clear,
    /// The field has a new value.
    Set(T),
}

impl<T> Edit<T> {
    /// The new value, if there is one.
    #[must_use]
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// The value to write (`None` clears the field), or nothing if the field stays unchanged.
    #[must_use]
    pub fn change(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Edit<T> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(from)?.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Edit<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Edit{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_out_null_and_a_value_are_told_apart() {
        #[derive(Deserialize)]
        struct Input {
            #[serde(default)]
            position: Edit<String>,
        }
        let read = |text| serde_json::from_str::<Input>(text).unwrap().position;
        assert_eq!(read("{}"), Edit::Keep);
        assert_eq!(read(r#"{"position":null}"#), Edit::Clear);
        assert_eq!(read(r#"{"position":"Guard"}"#), Edit::Set("Guard".into()));
        assert_eq!(Edit::<i64>::Clear.change(), Some(None));
        assert_eq!(Edit::Set(1).change(), Some(Some(1)));
        assert_eq!(Edit::<i64>::Keep.change(), None);
    }
}
