//! Reading an operation's input: one struct, filled from path, query and body.
//!
//! One deserializer serves JSON, query strings and forms. It reads a JSON value as the requested
//! type: a `"7"` that came as text becomes the integer that the field expects, while a `"7"` in a
//! JSON body stays an error. It refuses arrays in place of objects (serde would take them
//! positionally), knows the path of an error, and records unknown fields.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;

use bytes::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::Value;

use super::body::{A_FILE, Carried};
use super::fields::{Fields, MOST_PAIRS};
use super::{as_text, explain};
use crate::error::Error;
use crate::kernel::{YEARS, is_out_of_range};

/// Reads the input struct, and returns it with the dotted names of unknown fields. A refusal names
/// every invalid field.
pub fn read<I: DeserializeOwned + JsonSchema>(fields: &Fields) -> Result<(I, Vec<String>), Error> {
    let unknown = RefCell::new(Vec::new());
    let root = Root { fields, unknown: &unknown };
    match I::deserialize(root) {
        Ok(input) => Ok((input, unknown.into_inner())),
        Err(problem) => Err(refused(problem, I::json_schema, fields)),
    }
}

/// The error that names everything that is wrong about the fields. Compiled once for all inputs.
fn refused(problem: Problem, schema: fn(&mut SchemaGenerator) -> Schema, fields: &Fields) -> Error {
    let first = (problem.path.join("."), problem.message);
    let mut generator = SchemaGenerator::default();
    let schema = schema(&mut generator).to_value();
    let text = |name: &str| fields.text.contains(name);
    explain::complete(first, &schema, generator.definitions(), &fields.values, &text)
}

/// An error and its path.
#[derive(Debug)]
struct Problem {
    path: Vec<String>,
    message: String,
}

impl Problem {
    fn new(message: impl Into<String>) -> Self {
        Self { path: Vec::new(), message: message.into() }
    }

    fn under(mut self, key: &str) -> Self {
        self.path.insert(0, key.to_owned());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl serde::de::Error for Problem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
    fn missing_field(field: &'static str) -> Self {
        Self::new("is required").under(field)
    }
}

thread_local! {
    /// The file that is being read. Serde lends bytes and does not pass ownership; this avoids
    /// copying a file of 50 MB that is already in memory.
    static AT_HAND: RefCell<Option<Bytes>> = const { RefCell::new(None) };
}

fn handing<T>(file: &Bytes, read: impl FnOnce(&[u8]) -> T) -> T {
    AT_HAND.set(Some(file.clone()));
    let read = read(file);
    AT_HAND.set(None);
    read
}

/// The bytes with ownership: without a copy if they are those of a file in the input.
pub fn shared(bytes: &[u8]) -> Bytes {
    let at_hand = AT_HAND.with_borrow(Clone::clone);
    let same = at_hand.filter(|file| std::ptr::eq(&raw const **file, bytes));
    same.unwrap_or_else(|| Bytes::copy_from_slice(bytes))
}

/// The path to a value, kept on the stack.
#[derive(Clone, Copy)]
struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    key: &'p str,
}

impl Place<'_> {
    fn dotted(&self) -> String {
        match self.parent {
            Some(parent) => format!("{}.{}", parent.dotted(), self.key),
            None => self.key.to_owned(),
        }
    }
}

/// The outermost object.
struct Root<'a> {
    fields: &'a Fields,
    unknown: &'a RefCell<Vec<String>>,
}

impl<'de> serde::Deserializer<'de> for Root<'_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_map(Entries {
            pairs: self.fields.values.iter(),
            next: None,
            text: Coerce::Named(&self.fields.text),
            files: &self.fields.files,
            place: None,
            unknown: self.unknown,
        })
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// Which of an object's values came as text.
#[derive(Clone, Copy)]
enum Coerce<'a> {
    All(bool),
    Named(&'a HashSet<String>),
}

struct Entries<'a, 'p> {
    pairs: serde_json::map::Iter<'a>,
    next: Option<(&'a String, &'a Value)>,
    text: Coerce<'a>,
    files: &'a HashMap<String, Carried>,
    place: Option<&'p Place<'p>>,
    unknown: &'a RefCell<Vec<String>>,
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Problem> {
        self.next = self.pairs.next();
        match self.next {
            Some((key, _)) => {
                let key: StrDeserializer<'_, Problem> = key.as_str().into_deserializer();
                seed.deserialize(key).map(Some)
            }
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Problem> {
        let Some((key, value)) = self.next.take() else {
            return Err(Problem::new("has no value"));
        };
        let text = match self.text {
            Coerce::All(text) => text,
            Coerce::Named(names) => names.contains(key),
        };
        let place = Place { parent: self.place, key };
        seed.deserialize(Source {
            value,
            files: self.files,
            text,
            place: &place,
            unknown: self.unknown,
        })
        .map_err(|problem| problem.under(key))
    }
}

struct Items<'a, 'p> {
    values: std::iter::Enumerate<std::slice::Iter<'a, Value>>,
    text: bool,
    files: &'a HashMap<String, Carried>,
    place: &'p Place<'p>,
    unknown: &'a RefCell<Vec<String>>,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Problem> {
        let Some((index, value)) = self.values.next() else {
            return Ok(None);
        };
        let key = index.to_string();
        let place = Place { parent: Some(self.place), key: &key };
        seed.deserialize(Source {
            value,
            files: self.files,
            text: self.text,
            place: &place,
            unknown: self.unknown,
        })
        .map(Some)
        .map_err(|problem| problem.under(&key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

/// One value below the outermost object.
struct Source<'a, 'p> {
    value: &'a Value,
    files: &'a HashMap<String, Carried>,
    text: bool,
    place: &'p Place<'p>,
    unknown: &'a RefCell<Vec<String>>,
}

impl Source<'_, '_> {
    fn map<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.value {
            Value::Object(map) => visitor.visit_map(Entries {
                pairs: map.iter(),
                next: None,
                text: Coerce::All(self.text),
                files: self.files,
                place: Some(self.place),
                unknown: self.unknown,
            }),
            _ => Err(Problem::new("must be an object")),
        }
    }

    fn list<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let one;
        let items: &[Value] = match self.value {
            Value::Array(items) => items,
            // A list in a query string: `ids=1,2`.
            Value::String(text) if self.text => {
                one = as_text::items(text);
                if one.len() > MOST_PAIRS {
                    let many = format!("must be at most {MOST_PAIRS} items long");
                    return Err(Problem::new(many));
                }
                &one
            }
            _ => return Err(Problem::new("must be a list")),
        };
        let values = items.iter().enumerate();
        visitor.visit_seq(Items {
            values,
            text: self.text,
            files: self.files,
            place: self.place,
            unknown: self.unknown,
        })
    }

    fn integer<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let number = match self.value {
            Value::Number(number) => number.as_i64(),
            Value::String(text) if self.text => as_text::whole(text),
            _ => None,
        };
        visitor.visit_i64(number.ok_or_else(|| Problem::new("must be an integer"))?)
    }

    fn string<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.value {
            Value::String(text) => visitor.visit_str(text),
            _ => Err(Problem::new("must be text")),
        }
    }
}

impl<'de> serde::Deserializer<'de> for Source<'_, '_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(yes) => visitor.visit_bool(*yes),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(integer), _) => visitor.visit_i64(integer),
                (None, Some(number)) => visitor.visit_f64(number),
                _ => Err(Problem::new("must be a smaller number")),
            },
            Value::String(text) => visitor.visit_str(text),
            Value::Array(_) => self.list(visitor),
            Value::Object(_) => self.map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.value {
            Value::Bool(yes) => visitor.visit_bool(*yes),
            Value::String(text) if self.text => match as_text::truth(text) {
                Some(yes) => visitor.visit_bool(yes),
                None => Err(Problem::new("must be true or false")),
            },
            _ => Err(Problem::new("must be true or false")),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.integer(visitor)
    }

    /// Dates and times request text with this method; other text is requested as a string.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.value.as_str().is_some_and(is_out_of_range) {
            return Err(Problem::new(YEARS));
        }
        self.string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.value {
            Value::Null => visitor.visit_none(),
            // A form sends an empty field if nothing was entered.
            Value::String(text) if self.text && text.is_empty() => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.list(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.map(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.map(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        // A later field of the same name may have replaced the file.
        let here = match self.value {
            Value::Object(map) => map.is_empty(),
            Value::String(text) => text == A_FILE,
            _ => false,
        };
        let file = here.then(|| self.files.get(&self.place.dotted()));
        match file.flatten() {
            Some(Ok(bytes)) => handing(bytes, |bytes| visitor.visit_bytes(bytes)),
            Some(Err(why)) => Err(Problem::new(why)),
            None => self.string(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.unknown.borrow_mut().push(self.place.dotted());
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 f64 char bytes unit unit_struct tuple
        tuple_struct enum identifier
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
