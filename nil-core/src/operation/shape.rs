//! The shape of an input, derived from its schema: its fields, and the maximum size of a body with
//! all of them. Bodies are read according to it, so that unknown fields are never kept.

use std::collections::BTreeMap;

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

/// A character written as two escapes, `\uD83C\uDFC8`; no character takes more.
const BYTES_OF_A_CHARACTER: usize = 12;
/// A character of a name written as an escape.
const BYTES_IN_A_NAME: usize = 6;
/// The longest text of a format: a time with all its digits, an address.
const LONGEST_OF_A_FORMAT: usize = 320;
/// A number, `true` or `null`, with the white space before it in a formatted body.
const BYTES_OF_A_VALUE: usize = 64;
/// The head of a part of a multipart form, or the syntax around a value in a form.
const BYTES_OF_A_PART: usize = 256;
/// Bytes allowed beside the input in a body: unknown fields, tokens, white space.
const BYTES_BESIDE: usize = 16 * 1024;

/// A value in memory.
pub(super) const COST_OF_A_VALUE: usize = 64;
/// An empty object in memory.
pub(super) const COST_OF_AN_OBJECT: usize = 640;
/// Memory allowed beside the input.
const COST_BESIDE: usize = 64 * 1024;
/// The memory limit of a body that the schema does not limit.
const COST_UNBOUNDED: usize = 1024 * 1024;
/// Schemas nested deeper than this are not followed.
const DEEPEST: usize = 16;

/// The shape of an input.
#[derive(Debug)]
pub struct Shape {
    pub(super) root: Part,
    /// The fields that are passwords: they stand in no address.
    passwords: Vec<String>,
    /// The maximum number of bytes of its body, if the row's schema limits it.
    bytes: Option<usize>,
    /// The maximum memory of its values, without the texts in them, in bytes.
    cost: usize,
}

/// The shape of one value.
#[derive(Debug)]
pub(super) enum Part {
    /// Any value, kept as it is.
    Any,
    /// A file in base64.
    File,
    /// A list of such values.
    List(Box<Part>),
    /// An object with these fields only.
    Object(BTreeMap<String, Part>),
}

impl Shape {
    /// Any input within the general limit.
    pub fn any() -> Self {
        Self { root: Part::Any, passwords: Vec::new(), bytes: None, cost: COST_UNBOUNDED }
    }

    /// Reads the schema of an input.
    pub fn of(input: fn(&mut SchemaGenerator) -> Schema) -> Self {
        let mut generator = SchemaGenerator::default();
        let schema = input(&mut generator).to_value();
        let reader = Reader { definitions: generator.definitions() };
        let most = reader.most(&schema, 0);
        Self {
            root: reader.part(&schema, 0),
            passwords: reader.passwords(&schema),
            bytes: most.map(|most| most.bytes.saturating_add(BYTES_BESIDE)),
            cost: most.map_or(COST_UNBOUNDED, |most| {
                most.cost.saturating_mul(2).saturating_add(COST_BESIDE)
            }),
        }
    }

    /// The fields that are passwords, or codes that stand for one. Tokens of mailed links are none:
    /// mail programs send such a link without a body.
    pub fn passwords(&self) -> &[String] {
        &self.passwords
    }

    /// The maximum number of bytes of a body of this shape; none if the schema does not limit it.
    pub fn bytes(&self) -> Option<usize> {
        self.bytes
    }

    /// The maximum memory of the values of a body of this shape, without the texts in them, which
    /// are no longer than the body.
    pub fn cost(&self) -> usize {
        self.cost
    }
}

/// The maximum size of a value.
#[derive(Clone, Copy, Debug)]
struct Most {
    bytes: usize,
    cost: usize,
}

impl Most {
    fn text(characters: usize) -> Self {
        Self {
            bytes: characters.saturating_mul(BYTES_OF_A_CHARACTER).saturating_add(BYTES_OF_A_VALUE),
            cost: COST_OF_A_VALUE,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            cost: self.cost.saturating_add(other.cost),
        }
    }

    fn or(self, other: Self) -> Self {
        Self { bytes: self.bytes.max(other.bytes), cost: self.cost.max(other.cost) }
    }

    fn times(self, count: usize) -> Self {
        Self { bytes: self.bytes.saturating_mul(count), cost: self.cost.saturating_mul(count) }
    }
}

struct Reader<'a> {
    definitions: &'a Map<String, Value>,
}

impl Reader<'_> {
    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let name = schema.get("$ref").and_then(Value::as_str);
        let name = name.and_then(|name| name.rsplit('/').next());
        name.and_then(|name| self.definitions.get(name)).unwrap_or(schema)
    }

    /// The alternative schemas of a value, except for `null`.
    fn options<'s>(&'s self, schema: &'s Value) -> Vec<&'s Value> {
        ["anyOf", "oneOf"]
            .iter()
            .filter_map(|word| schema.get(word)?.as_array())
            .flatten()
            .map(|option| self.resolve(option))
            .filter(|option| option.get("type") != Some(&"null".into()))
            .collect()
    }

    /// The fields of an input that are passwords.
    fn passwords(&self, schema: &Value) -> Vec<String> {
        let fields = self.resolve(schema).get("properties").and_then(Value::as_object);
        let is_one = |schema: &Value| schema.get("format") == Some(&"password".into());
        fields
            .into_iter()
            .flatten()
            .filter(|(_, schema)| {
                let schema = self.resolve(schema);
                is_one(schema) || self.options(schema).into_iter().any(is_one)
            })
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn part(&self, schema: &Value, depth: usize) -> Part {
        let schema = self.resolve(schema);
        if depth == DEEPEST || schema.get("allOf").is_some() {
            return Part::Any;
        }
        if schema.get("contentEncoding") == Some(&"base64".into()) {
            return Part::File;
        }
        let options = self.options(schema);
        if !options.is_empty() {
            let mut parts = options.into_iter().filter(|option| !is_plain(option));
            return match (parts.next(), parts.next()) {
                (Some(option), None) => self.part(option, depth + 1),
                _ => Part::Any,
            };
        }
        if let Some(items) = schema.get("items") {
            return Part::List(Box::new(self.part(items, depth + 1)));
        }
        let more = schema.get("additionalProperties");
        let closed = more.is_none_or(|more| *more == Value::Bool(false));
        match schema.get("properties").and_then(Value::as_object) {
            Some(fields) if closed => Part::Object(
                fields
                    .iter()
                    .map(|(name, schema)| (name.clone(), self.part(schema, depth + 1)))
                    .collect(),
            ),
            // An input without fields has no properties at all.
            None if depth == 0 && closed && is(schema, "object") => Part::Object(BTreeMap::new()),
            _ => Part::Any,
        }
    }

    /// The maximum size of a value of this schema; none if it is unlimited.
    fn most(&self, schema: &Value, depth: usize) -> Option<Most> {
        let schema = self.resolve(schema);
        if depth == DEEPEST || schema.get("allOf").is_some() {
            return None;
        }
        let options = self.options(schema);
        let mut most = Most::text(0);
        if !options.is_empty() {
            for option in options {
                most = most.or(self.most(option, depth + 1)?);
            }
            return Some(most);
        }
        let limit = |word: &str| {
            let limit = schema.get(word)?.as_u64()?;
            usize::try_from(limit).ok()
        };
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            let longest = words.iter().filter_map(Value::as_str).map(str::len).max();
            return Some(Most::text(longest.unwrap_or_default()));
        }
        if let Some(word) = schema.get("const") {
            return Some(Most::text(word.as_str().map_or(0, str::len)));
        }
        if is(schema, "string") {
            let format = schema.get("format").map(|_| LONGEST_OF_A_FORMAT);
            return limit("maxLength").or(format).map(Most::text);
        }
        if is(schema, "array") {
            let item = self.most(schema.get("items")?, depth + 1)?;
            return Some(most.and(item.times(limit("maxItems")?)));
        }
        if is(schema, "object") {
            if schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false)) {
                return None;
            }
            most.cost = most.cost.saturating_add(COST_OF_AN_OBJECT);
            let fields = schema.get("properties").and_then(Value::as_object);
            for (name, schema) in fields.into_iter().flatten() {
                let name = Most {
                    bytes: name.len() * BYTES_IN_A_NAME + BYTES_OF_A_PART,
                    cost: name.len() + 2 * COST_OF_A_VALUE,
                };
                most = most.and(name).and(self.most(schema, depth + 1)?);
            }
            return Some(most);
        }
        let plain = ["integer", "number", "boolean", "null"];
        plain.iter().any(|kind| is(schema, kind)).then_some(most)
    }
}

/// Whether a value of this schema is kept as it is, regardless of the alternatives.
fn is_plain(schema: &Value) -> bool {
    let plain = ["string", "integer", "number", "boolean"];
    let kind = schema.get("type").and_then(Value::as_str);
    let word = schema.get("enum").or_else(|| schema.get("const")).is_some();
    word || (kind.is_some_and(|kind| plain.contains(&kind))
        && schema.get("contentEncoding").is_none())
}

fn is(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(said)) => said == kind,
        Some(Value::Array(said)) => said.iter().any(|said| said == kind),
        _ => false,
    }
}
