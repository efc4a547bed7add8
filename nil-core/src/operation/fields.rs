//! What came in, before anybody has read it: path, query and body in one object.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use serde_json::{Map, Value};

use crate::error::{Error, codes};

/// What came in: the body's object with the path's and the query's fields laid over it.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    pub(super) values: Map<String, Value>,
    /// Names whose values came as text and are coerced to what the field wants.
    pub(super) text: HashSet<String>,
    /// Names whose values came as files. A place is kept for each among the values.
    pub(super) files: HashMap<String, Arc<[u8]>>,
}

impl Fields {
    /// From a body. Absent, empty and `null` are `{}`; anything but an object is refused with 422.
    pub fn from_json(body: &[u8]) -> Result<Self, Error> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self::default());
        }
        match serde_json::from_slice(body) {
            Ok(Value::Object(values)) => Ok(Self {
                values,
                ..Self::default()
            }),
            Ok(Value::Null) => Ok(Self::default()),
            Ok(_) => Err(codes::VALIDATION_FAILED.saying("The body must be a JSON object.")),
            Err(error) => {
                Err(codes::MALFORMED_JSON.saying(format!("The body is not valid JSON: {error}.")))
            }
        }
    }

    /// From an object that is JSON already.
    #[must_use]
    pub fn from_object(values: Map<String, Value>) -> Self {
        Self {
            values,
            ..Self::default()
        }
    }

    /// From the pairs of a form or a query string; `ids[]=1&ids[]=2` and `a[b]=c` nest.
    #[must_use]
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut fields = Self::default();
        for (name, value) in pairs {
            fields.lay(&name, value);
        }
        fields
    }

    /// Lays a text value over whatever has that name.
    pub fn put(&mut self, name: &str, value: String) {
        self.files.remove(name);
        self.text.insert(name.to_owned());
        self.values.insert(name.to_owned(), Value::String(value));
    }

    /// Lays a file over whatever has that name.
    pub fn put_file(&mut self, name: &str, bytes: Vec<u8>) {
        // Nothing reads this object as text or a number, nor an explanation of what is wrong with it.
        let place = Value::Object(Map::new());
        self.values.insert(name.to_owned(), place);
        self.text.insert(name.to_owned());
        self.files.insert(name.to_owned(), bytes.into());
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
        let bytes = |values| serde_json::to_vec(values).unwrap_or_default();
        if self.files.is_empty() {
            return bytes(&self.values);
        }
        let mut values = self.values.clone();
        for (name, file) in &self.files {
            values.insert(name.clone(), hex::encode(digest(&SHA256, file)).into());
        }
        bytes(&values)
    }

    fn lay(&mut self, name: &str, value: String) {
        let mut keys = name.split('[').map(|part| part.trim_end_matches(']'));
        let first = keys.next().unwrap_or_default().to_owned();
        self.text.insert(first.clone());
        let slot = self.values.entry(first).or_insert(Value::Null);
        nest(slot, &keys.collect::<Vec<_>>(), value);
    }
}

/// Puts `value` where the bracketed keys lead. A name that comes again makes a list.
fn nest(slot: &mut Value, keys: &[&str], value: String) {
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
                *slot = Value::Object(Map::new());
            }
            if let Value::Object(map) = slot {
                nest(map.entry(*key).or_insert(Value::Null), rest, value);
            }
        }
    }
}
