//! The body of an operation's request, and the checks of its input before the operation runs.

use super::{Entry, Takes};
use crate::error::{Result, codes};
use crate::operation::{Fields, Shape};

impl Entry {
    /// The shape of its input.
    pub fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| Shape::of(self.input))
    }

    /// Parses the fields of a JSON body: 400 for invalid JSON, 422 for more data than this input
    /// can hold. Unknown fields are kept by name.
    pub fn fields(&self, body: &[u8]) -> Result<Fields> {
        Fields::from_json_of(self.shape(), body)
    }

    /// The maximum size of a body in bytes: the size of the largest possible input, but at most
    /// `allowed`.
    #[must_use]
    pub fn body_limit(&self, allowed: usize) -> usize {
        let raw = matches!(self.takes, Takes::Raw(_));
        let most = if raw { None } else { self.shape().bytes() };
        most.map_or(allowed, |most| most.min(allowed))
    }

    /// Validates an input as a call would: returns the names of unknown fields, or the 422 that a
    /// call would give before any look-up.
    pub fn check(&self, fields: &Fields) -> Result<Vec<String>> {
        let lacking = self.lacking(fields);
        let read = (self.reads)(fields);
        if lacking.is_empty() {
            return read;
        }
        let error = read.err().unwrap_or_else(|| codes::VALIDATION_FAILED.into());
        Err(lacking.into_iter().fold(error, |error, field| {
            let known = error.fields().contains_key(field);
            if known { error } else { error.at(field, "is required for a new record") }
        }))
    }

    /// The fields that the record lacks, if it is a new one.
    pub(crate) fn lacking(&self, fields: &Fields) -> Vec<&'static str> {
        if fields.has_value("id") {
            return Vec::new();
        }
        self.new_needs.iter().copied().filter(|field| !fields.has_value(field)).collect()
    }
}

#[cfg(test)]
mod tests {
    use schemars::SchemaGenerator;
    use serde_json::{Map, Value};

    use super::*;
    use crate::catalog::catalog;

    /// Lists and texts longer than this are cut here, to keep the test short.
    const LONGEST: u64 = 20_000;

    fn is(schema: &Value, kind: &str) -> bool {
        match schema.get("type") {
            Some(Value::String(said)) => said == kind,
            Some(Value::Array(said)) => said.iter().any(|said| said == kind),
            _ => false,
        }
    }

    fn resolve<'s>(definitions: &'s Map<String, Value>, schema: &'s Value) -> &'s Value {
        let name = schema.get("$ref").and_then(Value::as_str);
        let name = name.and_then(|name| name.rsplit('/').next());
        name.and_then(|name| definitions.get(name)).unwrap_or(schema)
    }

    /// The largest value that the schema allows.
    fn largest(definitions: &Map<String, Value>, schema: &Value) -> Value {
        let schema = resolve(definitions, schema);
        let limit = |word: &str| schema.get(word).and_then(Value::as_u64).map(|n| n.min(LONGEST));
        let count = |limit: Option<u64>, usual| usize::try_from(limit.unwrap_or(usual)).unwrap();
        let options = ["anyOf", "oneOf"].iter().filter_map(|word| schema.get(word)?.as_array());
        let mut given = options.flatten().map(|option| resolve(definitions, option));
        if let Some(option) = given.rfind(|option| !is(option, "null")) {
            return largest(definitions, option);
        }
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return words[0].clone();
        }
        if schema.get("contentEncoding").is_some() {
            // Reads as three bytes and stands for them.
            return "file".into();
        }
        if is(schema, "string") {
            return "🏈".repeat(count(limit("maxLength"), 20)).into();
        }
        if is(schema, "array") {
            let item = largest(definitions, &schema["items"]);
            return vec![item; count(limit("maxItems"), 3).min(1_000)].into();
        }
        if is(schema, "object") {
            let fields = schema.get("properties").and_then(Value::as_object);
            let fields = fields.into_iter().flatten();
            let fields = fields.map(|(name, schema)| (name.clone(), largest(definitions, schema)));
            return Value::Object(fields.collect());
        }
        i64::MAX.into()
    }

    /// As JSON in which every character beyond ASCII is escaped.
    fn escaped(value: &Value) -> String {
        let mut text = String::new();
        for unit in serde_json::to_string(value).unwrap().encode_utf16() {
            match u8::try_from(unit) {
                Ok(byte) if byte.is_ascii() => text.push(char::from(byte)),
                _ => text.extend(["\\u".to_owned(), format!("{unit:04x}")]),
            }
        }
        text
    }

    #[test]
    fn every_operation_takes_the_largest_input_its_schema_allows() {
        let mut bounded = 0;
        for entry in catalog()
            .iter()
            .filter(|entry| entry.method.has_body() && !matches!(entry.takes, Takes::Raw(_)))
        {
            let mut generator = SchemaGenerator::default();
            let schema = (entry.input)(&mut generator).to_value();
            let value = largest(generator.definitions(), &schema);
            let body = escaped(&value);
            if body.len() > 16 * 1024 * 1024 {
                continue;
            }
            let shape = entry.shape();
            if let Some(most) = shape.bytes() {
                assert!(body.len() <= most, "{}: {} > {most}", entry.name, body.len());
                bounded += 1;
            }
            let fields = Fields::from_json_of(shape, body.as_bytes());
            let fields = fields.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            let Value::Object(value) = value else { panic!("{value}") };
            let whole = Fields::from_object(value).canonical();
            assert!(fields.canonical().starts_with(&whole), "{}", entry.name);
        }
        assert!(bounded > 150, "{bounded}");
    }

    #[test]
    fn most_operations_take_kilobytes() {
        let entry = catalog().iter().find(|entry| entry.name == "core.auth.log_in");
        let most = entry.expect("log-in").body_limit(1024 * 1024);
        assert!(most < 64 * 1024, "{most}");
    }
}
