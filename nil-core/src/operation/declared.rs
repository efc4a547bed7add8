//! The names of an input's fields in the order in which its struct declares them. A schema has
//! them in the order of the alphabet.

use std::fmt;

use serde::de::{Deserialize, Visitor};

use crate::kernel::combined::COMBINED;

/// The names of the fields of `I` as they are declared: the input's own fields, then those that it
/// shares with other inputs.
pub fn declared<'de, I: Deserialize<'de>>() -> Vec<&'static str> {
    match I::deserialize(Listener) {
        Ok(_) => Vec::new(),
        Err(Heard(names)) => names,
    }
}

/// Reads nothing, and hears which fields a struct asks for. It tells them as an error.
struct Listener;

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

impl<'de> serde::Deserializer<'de> for Listener {
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

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::kernel::{Followed, Nothing, Sifted};

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
        assert_eq!(declared::<Own>(), ["zip", "as", "area"]);
        assert_eq!(declared::<Nothing>(), [""; 0]);
    }

    #[test]
    fn shared_fields_follow_the_own_ones() {
        let followed = ["zip", "as", "area", "page", "per_page", "after"];
        assert_eq!(declared::<Followed<Own>>(), followed);
        let sifted = ["zip", "as", "area", "q", "sort", "page", "per_page", "after"];
        assert_eq!(declared::<Sifted<Own>>(), sifted);
    }

    #[test]
    fn a_field_that_both_have_is_named_once() {
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "only its fields' names are asked for")]
        struct Found {
            page: i64,
            name: String,
        }
        assert_eq!(declared::<Followed<Found>>(), ["page", "name", "per_page", "after"]);
    }
}
