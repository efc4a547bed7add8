//! Finds all errors of an input: serde stops at the first one, but users want to see all of them.
//!
//! Runs only after an input was refused, so it does not slow down valid requests. The schema is that of the types, so
//! nothing is defined twice; formats that only code can check (an e-mail, a slug) are reported one at a time.

use serde_json::{Map, Value};

use crate::error::Error;

/// The maximum number of problems in one answer.
const MOST_TOLD: usize = 1_000;

/// Adds a message for every field that violates the schema and has no message yet.
pub(super) fn complete(
    mut error: Error,
    schema: &Value,
    definitions: &Map<String, Value>,
    input: &Map<String, Value>,
    text: &dyn Fn(&str) -> bool,
) -> Error {
    let mut problems = Vec::new();
    let walk = Walk { definitions, text };
    walk.object(schema, input, "", &mut problems);
    for (path, message) in problems {
        if !error.fields().contains_key(&path) {
            error = error.at(path, message);
        }
    }
    error
}

struct Walk<'a> {
    definitions: &'a Map<String, Value>,
    text: &'a dyn Fn(&str) -> bool,
}

type Problems = Vec<(String, String)>;

impl Walk<'_> {
    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|r| r.rsplit('/').next());
        name.and_then(|name| self.definitions.get(name)).unwrap_or(schema)
    }

    fn object(
        &self,
        schema: &Value,
        given: &Map<String, Value>,
        path: &str,
        problems: &mut Problems,
    ) {
        let Some(fields) = schema.get("properties").and_then(Value::as_object) else {
            return;
        };
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !given.contains_key(name) {
                problems.push((join(path, name), "is required".into()));
            }
        }
        for (name, value) in given {
            // Values that came as text are read by the field's type, not as JSON.
            if path.is_empty() && (self.text)(name) {
                continue;
            }
            if let Some(schema) = fields.get(name) {
                self.value(self.resolve(schema), value, &join(path, name), problems);
            }
        }
    }

    fn value(&self, schema: &Value, value: &Value, path: &str, problems: &mut Problems) {
        if problems.len() >= MOST_TOLD {
            return;
        }
        if let Some(options) = schema.get("anyOf").and_then(Value::as_array) {
            if !value.is_null()
                && let Some(option) = options.iter().find(|s| s.get("type") != Some(&"null".into()))
            {
                self.value(self.resolve(option), value, path, problems);
            }
            return;
        }
        let kinds: Vec<&str> = match schema.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => return,
        };
        if value.is_null() && kinds.contains(&"null") {
            return;
        }
        let kind = kinds.into_iter().find(|kind| *kind != "null").unwrap_or_default();
        if let Some(message) = wrong(kind, schema, value) {
            problems.push((path.to_owned(), message));
        } else if let Some(given) = value.as_object() {
            self.object(schema, given, path, problems);
        } else if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
            for (index, item) in items.iter().enumerate() {
                self.value(self.resolve(schema), item, &join(path, &index.to_string()), problems);
            }
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The error of one value, if any.
fn wrong(kind: &str, schema: &Value, value: &Value) -> Option<String> {
    let limit = |name: &str| schema.get(name).and_then(Value::as_i64);
    let length = |length: usize, unit: &str, least: &str, most: &str| {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        match (limit(least), limit(most)) {
            (_, Some(most)) if length > most => Some(format!("must be at most {most} {unit} long")),
            (Some(least), _) if length < least => {
                Some(format!("must be at least {least} {unit} long"))
            }
            _ => None,
        }
    };
    match (kind, value) {
        ("integer", Value::Number(number)) => match number.as_i64() {
            None => Some("must be an integer".into()),
            Some(number) => match (limit("minimum"), limit("maximum")) {
                (Some(least), _) if number < least => Some(format!("must be {least} or more")),
                (_, Some(most)) if number > most => Some(format!("must be {most} or less")),
                _ => None,
            },
        },
        ("integer", _) => Some("must be an integer".into()),
        ("string", Value::String(text)) => match schema.get("enum").and_then(Value::as_array) {
            Some(words) if !words.contains(value) => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                Some(format!("must be one of: {}", words.join(", ")))
            }
            _ => length(text.chars().count(), "characters", "minLength", "maxLength"),
        },
        ("string", _) => Some("must be text".into()),
        ("boolean", Value::Bool(_)) | ("object", Value::Object(_)) => None,
        ("boolean", _) => Some("must be true or false".into()),
        ("object", _) => Some("must be an object".into()),
        ("array", Value::Array(items)) => length(items.len(), "items", "minItems", "maxItems"),
        ("array", _) => Some("must be a list".into()),
        _ => None,
    }
}
