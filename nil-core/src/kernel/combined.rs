//! Inputs made of an operation's own fields and of fields shared by many operations.
//!
//! `#[serde(flatten)]` would do the same, but it buffers each value first, and a buffered value is
//! no longer read by the type that expects it: the `"7"` of a query string would stay text.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, IntoDeserializer, MapAccess, Visitor};

/// Optional fields that appear in the inputs of many operations.
pub trait Shared: Default + JsonSchema {
    /// The names of its fields, as they are declared.
    const FIELDS: &'static [&'static str];

    /// Reads the value of this key, if the key is one of its fields.
    fn take<'de, M: MapAccess<'de>>(&mut self, key: &str, from: &mut M) -> Result<bool, M::Error>;
}

/// An operation's own fields `I` beside the shared fields `S`; in JSON one object.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Combined<S, I> {
    /// The operation's own fields.
    pub own: I,
    /// The shared fields.
    pub shared: S,
}

impl<S, I> Combined<S, I> {
    /// The operation's own fields, and the shared ones.
    pub fn parts(self) -> (I, S) {
        (self.own, self.shared)
    }
}

impl<S: Default, I> From<I> for Combined<S, I> {
    fn from(own: I) -> Self {
        Self { own, shared: S::default() }
    }
}

/// The name by which a combined input asks for its fields. No struct can have it.
pub(crate) const COMBINED: &str = "own fields beside shared ones";

/// No input.
#[derive(Clone, Copy, Debug, Default, Serialize, serde::Deserialize, JsonSchema)]
pub struct Nothing {}

impl<'de, S: Shared, I: Deserialize<'de>> Deserialize<'de> for Combined<S, I> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_struct(COMBINED, S::FIELDS, Both(PhantomData))
    }
}

struct Both<S, I>(PhantomData<(S, I)>);

impl<'de, S: Shared, I: Deserialize<'de>> Visitor<'de> for Both<S, I> {
    type Value = Combined<S, I>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, from: M) -> Result<Self::Value, M::Error> {
        let mut shared = S::default();
        let rest = Rest { from, shared: &mut shared };
        let own = I::deserialize(MapAccessDeserializer::new(rest))?;
        Ok(Combined { own, shared })
    }

    /// Reads the own fields alone, for those who ask which there are.
    fn visit_newtype_struct<D: serde::Deserializer<'de>>(
        self,
        from: D,
    ) -> Result<Self::Value, D::Error> {
        I::deserialize(from).map(Combined::from)
    }
}

/// The rest of an object without the shared fields.
struct Rest<'s, M, S> {
    from: M,
    shared: &'s mut S,
}

impl<'de, M: MapAccess<'de>, S: Shared> MapAccess<'de> for Rest<'_, M, S> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, M::Error> {
        while let Some(key) = self.from.next_key::<Cow<'de, str>>()? {
            if !self.shared.take(&key, &mut self.from)? {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, M::Error> {
        self.from.next_value_seed(seed)
    }
}

impl<S: JsonSchema, I: JsonSchema> JsonSchema for Combined<S, I> {
    fn inline_schema() -> bool {
        I::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        I::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("{} beside {}", I::schema_id(), S::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = I::json_schema(generator);
        let mut shared = S::json_schema(generator);
        let shared = shared.ensure_object();
        if schema.get("properties").is_none() {
            std::mem::swap(schema.ensure_object(), shared);
        }
        let fields = shared.get_mut("properties").and_then(|fields| fields.as_object_mut());
        let own = schema.get_mut("properties").and_then(|fields| fields.as_object_mut());
        if let (Some(own), Some(fields)) = (own, fields) {
            own.append(fields);
        }
        schema
    }
}

/// Implements [`Shared`] for a type by its fields, each of which is read as its type says.
#[macro_export]
macro_rules! shared {
    ($name:ident $(<$of:ident>)? { $($field:ident),+ $(,)? }) => {
        impl $(<$of: schemars::JsonSchema + for<'de> serde::Deserialize<'de>>)?
            $crate::kernel::Shared for $name $(<$of>)?
        {
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),+];

            fn take<'de, M: serde::de::MapAccess<'de>>(
                &mut self,
                key: &str,
                from: &mut M,
            ) -> Result<bool, M::Error> {
                match key {
                    $(stringify!($field) => self.$field = from.next_value()?,)+
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    };
}
pub use shared;

/// The fields of the schema that [`Shared::take`] ignores. For tests: there must be none.
#[doc(hidden)]
pub fn not_taken<S: Shared>() -> Vec<String> {
    let schema = S::json_schema(&mut SchemaGenerator::default());
    let fields = schema.get("properties").and_then(|fields| fields.as_object());
    let names = fields.into_iter().flatten().map(|(name, _)| name.clone());
    names
        .filter(|name| {
            Combined::<S, Nothing>::deserialize(serde_json::json!({ name: { "no": "value" } }))
                .is_ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kernel::{Paged, Paging};

    #[derive(Debug, Default, serde::Deserialize, JsonSchema)]
    struct Own {
        q: Option<String>,
        id: i64,
    }

    #[test]
    fn both_are_read_from_one_object() {
        let input = json!({ "id": 7, "page": 3, "q": null, "per_page": null });
        let (own, paging) = Paged::<Own>::deserialize(input).unwrap().parts();
        assert_eq!((own.id, own.q), (7, None));
        assert_eq!((paging.offset(), paging.limit()), (40, 20));
        for wrong in [json!({ "id": 7, "page": 0 }), json!({ "page": 1 }), json!([7])] {
            assert!(Paged::<Own>::deserialize(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pages_are_taken() {
        assert_eq!(not_taken::<Paging>(), Vec::<String>::new());
    }

    #[test]
    fn the_schema_has_the_fields_of_both() {
        let fields = |schema: Schema| -> Vec<String> {
            let fields = schema.get("properties").and_then(|fields| fields.as_object());
            fields.into_iter().flatten().map(|(name, _)| name.clone()).collect()
        };
        let mut generator = SchemaGenerator::default();
        let schema = Paged::<Own>::json_schema(&mut generator);
        assert_eq!(schema.get("required"), Some(&json!(["id"])));
        assert_eq!(fields(schema), ["id", "page", "per_page", "q"]);
        assert_eq!(fields(Paged::<Nothing>::json_schema(&mut generator)), ["page", "per_page"]);
    }
}
