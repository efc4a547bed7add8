//! The unparsed input: path, query and body in one object.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use serde_json::{Map, Value};

use super::body::{self, BESIDE, Carried, LONGEST_UNKNOWN, UNKNOWN_NAMED};
use super::nesting::{MOST_OBJECTS, keys, nest, number, shown};
use super::shape::{Part, Shape};
use super::streamed::Streamed;
use crate::error::{Error, codes};
use crate::kernel::canonical;

/// The maximum number of pairs in a form or a query string, and of items of a list in one value.
pub(super) const MOST_PAIRS: usize = 4_096;

/// The input: the body's object, overridden by the fields of the path and the query.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    pub(super) values: Map<String, Value>,
    /// Names whose values came as text and are converted to the field's type.
    pub(super) text: HashSet<String>,
    /// The files, by their dotted path. Each has a placeholder among the values.
    pub(super) files: HashMap<String, Carried>,
    /// The fingerprint of unknown fields that are not among the values.
    beyond: Vec<u8>,
    /// The memory that the values took when they were read, in bytes.
    cost: usize,
    /// A resource released when these fields are dropped.
    held: Option<Arc<dyn Any + Send + Sync>>,
    /// The body, if it is handed on while it arrives.
    pub streamed: Option<Arc<Streamed>>,
}

impl Fields {
    /// From a body. Absent, empty and `null` are `{}`; anything but an object is refused with 422,
    /// and so is a body that takes more than a megabyte in memory.
    pub fn from_json(body: &[u8]) -> Result<Self, Error> {
        Self::from_json_of(&Shape::any(), body)
    }

    /// From a body, for an input of this shape. Absent, empty and `null` are `{}`; anything but an
    /// object is refused with 422. Unknown fields are kept as names and fingerprints only; 422 if
    /// the rest is larger than such an input can be.
    pub fn from_json_of(shape: &Shape, body: &[u8]) -> Result<Self, Error> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self::default());
        }
        let kept = body::keep(body, shape)?;
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

    /// From an object that is already JSON.
    #[must_use]
    pub fn from_object(values: Map<String, Value>) -> Self {
        Self { values, ..Self::default() }
    }

    /// From the pairs of a form or a query string; `ids[]=1&ids[]=2` and `a[b]=c` nest, and
    /// `a[0][b]=c` and `a[][b]=c` are lists of objects. Refused with 422 if there are too many, or
    /// if a name is too long or too deep: nested values are walked and dropped recursively.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Self, Error> {
        Self::from_pairs_of(&Shape::any(), pairs)
    }

    /// From the pairs of a form or a query string, for an input of this shape. They nest and are
    /// limited as in [`from_pairs`](Self::from_pairs). Unknown fields are kept as names and
    /// fingerprints only.
    pub fn from_pairs_of(
        shape: &Shape,
        pairs: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Error> {
        let mut fields = Self::default();
        let (mut objects, mut unknown) = (MOST_OBJECTS, HashSet::new());
        for (count, (name, value)) in pairs.into_iter().enumerate() {
            if count == MOST_PAIRS {
                let many = format!("The form contains more than {MOST_PAIRS} values.");
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
        fields.values.values_mut().for_each(number);
        for name in unknown {
            fields.values.insert(name, Value::Null);
        }
        Ok(fields)
    }

    /// The memory that the values took when they were read, in bytes; 0 if they were not JSON.
    #[must_use]
    pub fn cost(&self) -> usize {
        self.cost
    }

    /// Keeps this resource as long as these fields exist.
    pub fn hold(&mut self, held: impl Any + Send + Sync) {
        self.held = Some(Arc::new(held));
    }

    /// From values that came as text, such as flags; what is not given is left out.
    #[must_use]
    pub fn from_texts<'n>(values: impl IntoIterator<Item = (&'n str, Option<String>)>) -> Self {
        let mut fields = Self::default();
        for (name, value) in values {
            if let Some(value) = value {
                fields.put(name, value);
            }
        }
        fields
    }

    /// Adds the fields of `others` that are not here.
    pub fn complete(&mut self, others: Self) {
        for (name, value) in others.values {
            if !self.values.contains_key(&name) {
                if others.text.contains(&name) {
                    self.text.insert(name.clone());
                }
                self.values.insert(name, value);
            }
        }
        self.beyond.extend(others.beyond);
    }

    /// Sets a text value, replacing any value of that name.
    pub fn put(&mut self, name: &str, value: String) {
        self.files.remove(name);
        self.text.insert(name.to_owned());
        self.values.insert(name.to_owned(), Value::String(value));
    }

    /// Sets a file, replacing any value of that name.
    pub fn put_file(&mut self, name: &str, bytes: impl Into<Bytes>) {
        // A placeholder that is never read as text or a number, nor in error explanations.
        let place = Value::Object(Map::new());
        self.values.insert(name.to_owned(), place);
        self.text.insert(name.to_owned());
        self.files.insert(name.to_owned(), Ok(bytes.into()));
    }

    /// Whether there is a field with that name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether there is a field with that name that is neither null nor, in a form, left empty.
    #[must_use]
    pub fn has_value(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|value| match value {
            Value::Null => false,
            Value::String(text) => !(text.is_empty() && self.text.contains(name)),
            _ => true,
        })
    }

    /// Replaces fields by those of `over`.
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

    /// The text of that name, if it is text.
    #[must_use]
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_str()
    }

    /// The ids among the values, as they were sent.
    pub fn ids(&self) -> impl Iterator<Item = (&str, String)> {
        let ids = self.values.iter().filter(|(name, _)| *name == "id" || name.ends_with("_id"));
        ids.filter_map(|(name, value)| {
            let value = match value {
                Value::Number(number) => number.to_string(),
                Value::String(text) => text.clone(),
                _ => return None,
            };
            Some((name.as_str(), value))
        })
    }

    /// Takes a text field out, such as a token sent along with the input.
    pub fn take_text(&mut self, name: &str) -> Option<String> {
        match self.values.get(name)? {
            Value::String(_) => match self.values.remove(name) {
                Some(Value::String(text)) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Removes a field of any type.
    pub fn remove(&mut self, name: &str) {
        self.files.remove(name);
        self.values.remove(name);
    }

    /// The bytes for an idempotency key's fingerprint: independent of the order of fields.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let mut bytes = canonical(&Value::Object(self.values.clone())).into_bytes();
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::operation::nesting::DEEPEST_NAME;

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

    #[test]
    fn the_order_of_fields_does_not_change_the_fingerprint() {
        let of = |text: &str| Fields::from_json(text.as_bytes()).unwrap().canonical();
        let one = of(r#"{ "zeta": { "b": 1, "a": [{ "d": 1, "c": 2 }] }, "alpha": 2 }"#);
        assert_eq!(one, of(r#"{ "alpha": 2, "zeta": { "a": [{ "c": 2, "d": 1 }], "b": 1 } }"#));
        assert_ne!(one, of(r#"{ "alpha": 2, "zeta": { "a": [{ "c": 1, "d": 2 }], "b": 1 } }"#));
    }

    proptest! {
        /// The short version of the fuzz target `pairs`.
        #[test]
        fn whatever_the_names_are_what_they_build_is_bounded(
            pairs in prop::collection::vec(("[ab\\[\\]\u{e9}]{0,40}", "[a,1]{0,3}"), 0..40)
        ) {
            if let Ok(fields) = Fields::from_pairs(pairs) {
                let deepest = fields.values.values().map(depth).max();
                // A repeated name makes a list at the bottom.
                prop_assert!(deepest.unwrap_or_default() <= DEEPEST_NAME + 1);
                prop_assert_eq!(fields.canonical(), fields.clone().canonical());
            }
        }
    }
}
