//! The names of an input's fields in the order in which its struct declares them. A schema has
//! them in the order of the alphabet.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use crate::kernel::combined::COMBINED;

/// Objects nested deeper than this have no order.
const DEEPEST: usize = 5;

/// The names of an object's fields in the order in which they are declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The names.
    pub names: Vec<&'static str>,
    /// The fields that hold an object or a list of objects, with the order of its fields.
    pub inside: Vec<(&'static str, Self)>,
}

impl Order {
    /// The order of the objects in this field.
    #[must_use]
    pub fn of(&self, field: &str) -> Option<&Self> {
        self.inside.iter().find(|(name, _)| *name == field).map(|(_, order)| order)
    }
}

/// The order of the fields of `I`: the input's own fields, then those that it shares with other
/// inputs.
pub fn declared<'de, I: Deserialize<'de>>() -> Order {
    below::<I>(&mut Vec::new())
}

/// The order of the object at this place in `I`.
fn below<'de, I: Deserialize<'de>>(path: &mut Vec<&'static str>) -> Order {
    let names = match I::deserialize(Listener { path }) {
        Ok(_) => Vec::new(),
        Err(Heard(names)) => names,
    };
    let mut inside = Vec::new();
    if path.len() < DEEPEST {
        for name in &names {
            path.push(name);
            let order = below::<I>(path);
            path.pop();
            if !order.names.is_empty() {
                inside.push((*name, order));
            }
        }
    }
    Order { names, inside }
}

/// Reads nothing, and hears which fields the struct at a place asks for. It tells them as an error.
#[derive(Clone, Copy)]
struct Listener<'p> {
    /// The fields that lead there.
    path: &'p [&'static str],
}

/// The fields that a struct asked for.
#[derive(Debug)]
struct Heard(Vec<&'static str>);

impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Heard {}

impl serde::de::Error for Heard {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(Vec::new())
    }
}

impl<'de> serde::Deserializer<'de> for Listener<'_> {
    type Error = Heard;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Heard> {
        Err(Heard(Vec::new()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Heard> {
        if let Some((first, rest)) = self.path.split_first() {
            if name == COMBINED {
                return visitor.visit_newtype_struct(self);
            }
            return visitor.visit_map(Once { name: Some(first), value: Some(Self { path: rest }) });
        }
        if name != COMBINED {
            return Err(Heard(fields.to_vec()));
        }
        let Err(Heard(mut names)) = visitor.visit_newtype_struct(self) else {
            return Err(Heard(fields.to_vec()));
        };
        // A field that both have keeps its place among the own ones.
        let more: Vec<_> = fields.iter().filter(|name| !names.contains(name)).collect();
        names.extend(more);
        Err(Heard(names))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Heard> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Heard> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Heard> {
        visitor.visit_seq(Once { name: None, value: Some(self) })
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct tuple tuple_struct map enum identifier ignored_any
    }
}

/// An object with one field, or a list with one value.
struct Once<'p> {
    name: Option<&'static str>,
    value: Option<Listener<'p>>,
}

impl<'de> MapAccess<'de> for Once<'_> {
    type Error = Heard;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        key: K,
    ) -> Result<Option<K::Value>, Heard> {
        let name = self.name.take().map(IntoDeserializer::<Heard>::into_deserializer);
        name.map(|name| key.deserialize(name)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, value: V) -> Result<V::Value, Heard> {
        value.deserialize(self.value.take().ok_or_else(|| Heard(Vec::new()))?)
    }
}

impl<'de> SeqAccess<'de> for Once<'_> {
    type Error = Heard;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        item: T,
    ) -> Result<Option<T::Value>, Heard> {
        self.value.take().map(|value| item.deserialize(value)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::kernel::{Edit, Followed, Nothing, Sifted};

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its fields' names are asked for")]
    struct Own {
        zip: String,
        #[serde(rename = "as")]
        kind: i64,
        area: Option<Vec<i64>>,
    }

    #[test]
    fn fields_stand_as_they_are_declared() {
        assert_eq!(declared::<Own>().names, ["zip", "as", "area"]);
        assert_eq!(declared::<Nothing>().names, [""; 0]);
    }

    #[test]
    fn shared_fields_follow_the_own_ones() {
        let followed = ["zip", "as", "area", "page", "per_page", "after"];
        assert_eq!(declared::<Followed<Own>>().names, followed);
        let sifted = ["zip", "as", "area", "q", "sort", "page", "per_page", "after"];
        assert_eq!(declared::<Sifted<Own>>().names, sifted);
    }

    #[test]
    fn a_field_that_both_have_is_named_once() {
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "only its fields' names are asked for")]
        struct Found {
            page: i64,
            name: String,
        }
        assert_eq!(declared::<Followed<Found>>().names, ["page", "name", "per_page", "after"]);
    }

    #[test]
    fn objects_inside_have_an_order_wherever_they_stand() {
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "only its fields' names are asked for")]
        struct Outer {
            list: Vec<Own>,
            edit: Edit<Wrapped>,
            plain: String,
            deep: Option<Deep>,
        }
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "only its fields' names are asked for")]
        struct Wrapped(Own);
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "only its fields' names are asked for")]
        struct Deep {
            zone: i64,
            again: Vec<Deep>,
        }
        let order = declared::<Followed<Outer>>();
        assert_eq!(order.of("list").unwrap().names, ["zip", "as", "area"]);
        assert_eq!(order.of("edit").unwrap().names, ["zip", "as", "area"]);
        assert!(order.of("plain").is_none() && order.of("page").is_none());
        let (mut deep, mut levels) = (order.of("deep"), 0);
        while let Some(level) = deep {
            assert_eq!(level.names, ["zone", "again"]);
            (deep, levels) = (level.of("again"), levels + 1);
        }
        assert_eq!(levels, DEEPEST);
    }
}
