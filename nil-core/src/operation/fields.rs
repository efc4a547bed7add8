//! What came in, before anybody has read it: path, query and body in one object.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use serde_json::{Map, Value};

use super::keeping::{self, BESIDE, Carried, LONGEST_UNKNOWN, UNKNOWN_NAMED};
use super::shape::{Part, Shape};
use crate::error::{Error, codes};

/// How many pairs a form or a query string may have, and how many items a list in one value.
pub(super) const MOST_PAIRS: usize = 4_096;
/// How many bytes the name of a pair may have.
const LONGEST_NAME: usize = 256;
/// How many keys the name of a pair may lead through: `a[b][]` is three.
const DEEPEST_NAME: usize = 8;
/// How many objects the names of all pairs may build.
const MOST_OBJECTS: usize = 64;
/// How much of a name is told to the caller who sent it.
const NAME_SHOWN: usize = 64;

/// What came in: the body's object with the path's and the query's fields laid over it.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    pub(super) values: Map<String, Value>,
    /// Names whose values came as text and are coerced to what the field wants.
    pub(super) text: HashSet<String>,
    /// What came as files, by the dotted path. A place is kept for each among the values.
    pub(super) files: HashMap<String, Carried>,
    /// The print of fields that nobody asked for and that are not among the values.
    beyond: Vec<u8>,
    /// How many bytes the values took in memory when they were read.
    cost: usize,
    /// What is given back when nobody has these fields any more.
    held: Option<Arc<dyn Any + Send + Sync>>,
}

impl Fields {
    /// From a body. Absent, empty and `null` are `{}`; anything but an object is refused with 422, and so
    /// is more than a megabyte in memory.
    pub fn from_json(body: &[u8]) -> Result<Self, Error> {
        Self::from_json_of(&Shape::any(), body)
    }

    /// The same for an input of this shape. Of what the shape has no place for, names and prints are
    /// kept; 422 where the rest is more than such an input can be.
    pub(crate) fn from_json_of(shape: &Shape, body: &[u8]) -> Result<Self, Error> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self::default());
        }
        let kept = keeping::keep(body, shape)?;
        match kept.value {
            Value::Object(values) => Ok(Self {
                values,
                files: kept.files,
                beyond: kept.beyond,
                cost: kept.cost,
                ..Self::default()
            }),
            Value::Null => Ok(Self::default()),
            _ => Err(codes::VALIDATION_FAILED.saying("The body must be a JSON object.")),
        }
    }

    /// From an object that is JSON already.
    #[must_use]
    pub fn from_object(values: Map<String, Value>) -> Self {
        Self { values, ..Self::default() }
    }

    /// From the pairs of a form or a query string; `ids[]=1&ids[]=2` and `a[b]=c` nest. Refused with 422
    /// where there are too many, or where a name is too long or leads too deep: what a name builds is
    /// walked and dropped by functions that call themselves.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Self, Error> {
        Self::from_pairs_of(&Shape::any(), pairs)
    }

    /// The same for an input of this shape. Of what the shape has no place for, names and prints are kept.
    pub(crate) fn from_pairs_of(
        shape: &Shape,
        pairs: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Error> {
        let mut fields = Self::default();
        let (mut objects, mut unknown) = (MOST_OBJECTS, HashSet::new());
        for (count, (name, value)) in pairs.into_iter().enumerate() {
            if count == MOST_PAIRS {
                let many = format!("The form holds more than {MOST_PAIRS} values.");
                return Err(codes::VALIDATION_FAILED.saying(many));
            }
            let keys = keys(&name)?;
            let first = keys.first().copied().unwrap_or_default();
            let known = match &shape.root {
                Part::Object(fields) => fields.contains_key(first) || BESIDE.contains(&first),
                _ => true,
            };
            if known {
                fields.lay(&name, &keys, value, &mut objects)?;
                continue;
            }
            if unknown.len() < UNKNOWN_NAMED && first.len() <= LONGEST_UNKNOWN {
                unknown.insert(first.to_owned());
            }
            let text = format!("{}={name}={value}", hex::encode(&fields.beyond));
            fields.beyond = digest(&SHA256, text.as_bytes()).as_ref().to_vec();
        }
        for name in unknown {
            fields.values.insert(name, Value::Null);
        }
        Ok(fields)
    }

    /// How many bytes of memory the values took when they were read; nothing where they were not JSON.
    #[must_use]
    pub(crate) fn cost(&self) -> usize {
        self.cost
    }

    /// Holds on to this for as long as somebody has these fields.
    pub(crate) fn hold(&mut self, held: impl Any + Send + Sync) {
        self.held = Some(Arc::new(held));
    }

    /// Lays a text value over whatever has that name.
    pub fn put(&mut self, name: &str, value: String) {
        self.files.remove(name);
        self.text.insert(name.to_owned());
        self.values.insert(name.to_owned(), Value::String(value));
    }

    /// Lays a file over whatever has that name.
    pub fn put_file(&mut self, name: &str, bytes: impl Into<Bytes>) {
        // Nothing reads this object as text or a number, nor an explanation of what is wrong with it.
        let place = Value::Object(Map::new());
        self.values.insert(name.to_owned(), place);
        self.text.insert(name.to_owned());
        self.files.insert(name.to_owned(), Ok(bytes.into()));
    }

    /// Whether there is a field of that name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Lays all fields of `over` over these.
    pub fn overlay(&mut self, over: Self) {
        for name in over.values.keys() {
            self.text.remove(name);
            self.files.remove(name);
        }
        self.beyond.extend(over.beyond);
        self.values.extend(over.values);
        self.text.extend(over.text);
        self.files.extend(over.files);
    }

    /// The text of that name, where it is text.
    #[must_use]
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_str()
    }

    /// Takes a text field out, such as a token that rides along with the input.
    pub fn take_text(&mut self, name: &str) -> Option<String> {
        match self.values.get(name)? {
            Value::String(_) => match self.values.remove(name) {
                Some(Value::String(text)) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Removes a field, whatever it holds.
    pub fn remove(&mut self, name: &str) {
        self.files.remove(name);
        self.values.remove(name);
    }

    /// The bytes an idempotency key's print is taken of: the same whatever the order of fields.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        // serde_json's map keeps its keys sorted, so equal inputs have equal bytes.
        let mut bytes = serde_json::to_vec(&self.values).unwrap_or_default();
        bytes.extend_from_slice(&self.beyond);
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_unstable_by_key(|(path, _)| *path);
        for (path, file) in files {
            let file = match file {
                Ok(file) => file.as_ref(),
                Err(why) => why.as_bytes(),
            };
            let print = hex::encode(digest(&SHA256, file));
            bytes.extend_from_slice(format!("\n{path}={print}").as_bytes());
        }
        bytes
    }

    fn lay(
        &mut self,
        name: &str,
        keys: &[&str],
        value: String,
        objects: &mut usize,
    ) -> Result<(), Error> {
        let (first, rest) = keys.split_first().unwrap_or((&"", &[]));
        self.text.insert((*first).to_owned());
        let slot = self.values.entry(*first).or_insert(Value::Null);
        nest(slot, rest, value, objects).ok_or_else(|| {
            let many = format!("The form nests more than {MOST_OBJECTS} objects.");
            Error::invalid(shown(name), many)
        })
    }
}

/// What a name leads through.
fn keys(name: &str) -> Result<Vec<&str>, Error> {
    if name.len() > LONGEST_NAME {
        return Err(Error::invalid(shown(name), "has too long a name"));
    }
    let keys: Vec<&str> = name.split('[').map(|part| part.trim_end_matches(']')).collect();
    if keys.len() > DEEPEST_NAME {
        return Err(Error::invalid(shown(name), "is nested too deep"));
    }
    Ok(keys)
}

/// The start of a name, for the caller who sent it.
fn shown(name: &str) -> String {
    name.chars().take(NAME_SHOWN).collect()
}

/// Puts `value` where the bracketed keys lead. A name that comes again makes a list. Nothing where that
/// takes more new objects than are left.
fn nest(slot: &mut Value, keys: &[&str], value: String, objects: &mut usize) -> Option<()> {
    match keys.split_first() {
        None => match slot {
            Value::Null => *slot = Value::String(value),
            Value::Array(items) => items.push(Value::String(value)),
            other => *other = Value::Array(vec![other.take(), Value::String(value)]),
        },
        Some((&"", _)) => match slot {
            Value::Array(items) => items.push(Value::String(value)),
            other => *other = Value::Array(vec![Value::String(value)]),
        },
        Some((key, rest)) => {
            if !slot.is_object() {
                *objects = objects.checked_sub(1)?;
                *slot = Value::Object(Map::new());
            }
            if let Value::Object(map) = slot {
                let slot = map.entry(*key).or_insert(Value::Null);
                return nest(slot, rest, value, objects);
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn laid(name: String) -> Result<Fields, Error> {
        Fields::from_pairs([(name, "1".to_owned())])
    }

    #[test]
    fn names_are_short_and_shallow() {
        assert!(laid("a".repeat(LONGEST_NAME)).is_ok());
        assert!(laid("a".repeat(LONGEST_NAME + 1)).is_err());
        assert!(laid("a[b]".to_owned() + &"[b]".repeat(DEEPEST_NAME - 2)).is_ok());
        for bracket in ["[b]", "[b", "[", "[]"] {
            let deep = laid("a".to_owned() + &bracket.repeat(DEEPEST_NAME));
            assert!(deep.is_err(), "{bracket}");
        }
    }

    #[test]
    fn there_are_not_too_many_pairs() {
        let pairs = |count| (0..count).map(|_| ("ids[]".to_owned(), "1".to_owned()));
        assert!(Fields::from_pairs(pairs(MOST_PAIRS)).is_ok());
        assert!(Fields::from_pairs(pairs(MOST_PAIRS + 1)).is_err());
    }

    fn depth(value: &Value) -> usize {
        let below = match value {
            Value::Array(items) => items.iter().map(depth).max(),
            Value::Object(map) => map.values().map(depth).max(),
            _ => return 1,
        };
        1 + below.unwrap_or_default()
    }

    proptest! {
        /// The short version of the fuzz target `pairs`.
        #[test]
        fn whatever_the_names_are_what_they_build_is_bounded(
            pairs in prop::collection::vec(("[ab\\[\\]\u{e9}]{0,40}", "[a,1]{0,3}"), 0..40)
        ) {
            if let Ok(fields) = Fields::from_pairs(pairs) {
                let deepest = fields.values.values().map(depth).max();
                prop_assert!(deepest.unwrap_or_default() <= DEEPEST_NAME);
                prop_assert_eq!(fields.canonical(), fields.clone().canonical());
            }
        }
    }
}
