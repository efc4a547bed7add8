//! Path segments that mean everything: the status `all` and the id `0`.

use std::borrow::Cow;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

use super::Listing;
use super::ids::RECORD_OF_ID;
use super::vocabulary::{ABOUT, NAME};
use crate::error::{Error, codes};

/// The word for every status.
const ALL: &str = "all";

/// A word of a vocabulary, or `all`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AllOr<S> {
    /// Every status.
    #[default]
    All,
    /// This one.
    One(S),
}

impl<S> AllOr<S> {
    /// The single word; none for all.
    pub fn one(self) -> Option<S> {
        match self {
            Self::All => None,
            Self::One(word) => Some(word),
        }
    }
}

impl<'de, S: FromStr<Err = String>> Deserialize<'de> for AllOr<S> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <Cow<'de, str>>::deserialize(from)?;
        if text == ALL {
            return Ok(Self::All);
        }
        let wrong = |message| D::Error::custom(format!("{message}, {ALL}"));
        text.parse().map(Self::One).map_err(wrong)
    }
}

impl<S: Serialize> Serialize for AllOr<S> {
    fn serialize<T: Serializer>(&self, to: T) -> Result<T::Ok, T::Error> {
        match self {
            Self::All => to.serialize_str(ALL),
            Self::One(word) => word.serialize(to),
        }
    }
}

impl<S: JsonSchema> JsonSchema for AllOr<S> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("AllOr{}", S::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = S::json_schema(generator);
        if let Some(words) = schema.get_mut("enum").and_then(|words| words.as_array_mut()) {
            words.push(ALL.into());
        }
        if let Some(name) =
            schema.get(NAME).and_then(Value::as_str).map(|name| format!("{name}OrAll"))
        {
            schema.insert(NAME.into(), name.into());
            let about = schema.get(ABOUT).and_then(Value::as_str).unwrap_or_default();
            let about = format!("{about}\n- `{ALL}`: All of them.");
            schema.insert(ABOUT.into(), about.into());
        }
        schema
    }
}

/// The id of one record, or `0` for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroOr<Id> {
    /// Every record.
    #[default]
    All,
    /// The record with this id.
    One(Id),
    /// A number that no record can have.
    Unknown,
}

impl<Id> ZeroOr<Id> {
    /// The id of the single record; none for all, and 404 for a number that no record can have.
    pub fn one(self) -> Result<Option<Id>, Error> {
        match self {
            Self::All => Ok(None),
            Self::One(id) => Ok(Some(id)),
            Self::Unknown => Err(codes::NOT_FOUND.into()),
        }
    }

    /// Returns the page found for it; 404 if a single record is requested and missing.
    pub fn found<T>(self, page: Listing<T>) -> Result<Listing<T>, Error> {
        match self {
            Self::All => Ok(page),
            _ if page.pagination.total > 0 => Ok(page),
            _ => Err(codes::NOT_FOUND.into()),
        }
    }
}

impl<'de, Id: Deserialize<'de>> Deserialize<'de> for ZeroOr<Id> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(from)?;
        if number == 0 {
            return Ok(Self::All);
        }
        let id = serde::de::value::I64Deserializer::<D::Error>::new(number);
        Ok(Id::deserialize(id).map_or(Self::Unknown, Self::One))
    }
}

impl<Id: Serialize> Serialize for ZeroOr<Id> {
    fn serialize<T: Serializer>(&self, to: T) -> Result<T::Ok, T::Error> {
        match self {
            Self::All => to.serialize_i64(0),
            Self::One(id) => id.serialize(to),
            Self::Unknown => to.serialize_none(),
        }
    }
}

impl<Id: JsonSchema> JsonSchema for ZeroOr<Id> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("ZeroOr{}", Id::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema =
            json_schema!({ "type": "integer", "format": "int64", "minimum": 0, "examples": [0] });
        if let Some(kind) = Id::json_schema(generator).get(RECORD_OF_ID) {
            schema.insert(RECORD_OF_ID.into(), kind.clone());
        }
        schema
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kernel::JobId;
    use crate::kernel::vocabulary::vocabulary;

    vocabulary! {
        /// A state.
        State {
            /// One.
            Open = "open",
            /// Another.
            Closed = "closed",
        }
    }

    #[test]
    fn all_is_none_and_unknown_words_are_refused() {
        let read = |word: &str| AllOr::<State>::deserialize(json!(word));
        assert_eq!(read("all").unwrap().one(), None);
        assert_eq!(read("open").unwrap().one(), Some(State::Open));
        let refused = read("opened").unwrap_err().to_string();
        assert_eq!(refused, "must be one of: open, closed, all");
        let schema = AllOr::<State>::json_schema(&mut SchemaGenerator::default());
        assert_eq!(schema.get("enum"), Some(&json!(["open", "closed", "all"])));
    }

    #[test]
    fn zero_is_all_and_no_record_has_a_negative_id() {
        let read = |id: i64| ZeroOr::<JobId>::deserialize(json!(id)).unwrap().one();
        assert_eq!(read(0).unwrap(), None);
        assert_eq!(read(7).unwrap(), JobId::new(7));
        assert_eq!(read(-1).unwrap_err().code(), "not_found");
    }
}
