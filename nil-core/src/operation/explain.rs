//! Finds all errors of an input: serde stops at the first one, but users want to see all of them.
//!
//! Runs only after an input was refused, so it does not slow down valid requests. The schema is
//! that of the types, so nothing is defined twice; formats that only code can check (a slug, a
//! phone number) are reported one at a time.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::as_text::{items, truth, whole};
use crate::error::Error;
use crate::kernel::{Date, Email, Time, YEARS, is_out_of_range};

/// The maximum number of problems in one answer.
const MOST_TOLD: usize = 1_000;

/// The error for the input: the problem that reading it stopped at, and a message for every other
/// field that violates the schema.
pub(super) fn complete(
    (path, message): (String, String),
    schema: &Value,
    definitions: &Map<String, Value>,
    input: &Map<String, Value>,
    text: &dyn Fn(&str) -> bool,
) -> Error {
    let mut problems = Vec::new();
    let walk = Walk { definitions };
    walk.object(schema, input, "", text, &mut problems);
    // The parser of dates speaks of characters; the form that is wanted helps more.
    let better =
        |(place, told): &&(String, String)| *place == path && FORMS.contains(&told.as_str());
    let message = problems.iter().find(better).map_or(message, |(_, told)| told.clone());
    let mut error = Error::invalid(path, message);
    for (path, message) in problems {
        if !error.fields().contains_key(&path) {
            error = error.at(path, message);
        }
    }
    error
}

const A_DATE: &str = "must be a date such as 2026-11-21";
const A_TIME: &str = "must be a time such as 2026-11-21T18:00:00Z";
/// The messages that replace those of the parsers.
const FORMS: [&str; 2] = [A_DATE, A_TIME];

/// A value that came as text, as the schema's type reads it; any other value and text of another
/// form as it is.
fn read_as<'v>(kind: &str, value: &'v Value) -> Cow<'v, Value> {
    let Value::String(text) = value else { return Cow::Borrowed(value) };
    let read = match kind {
        "integer" => whole(text).map(Value::from),
        "boolean" => truth(text).map(Value::from),
        "array" => Some(Value::Array(items(text))),
        _ => None,
    };
    read.map_or(Cow::Borrowed(value), Cow::Owned)
}

struct Walk<'a> {
    definitions: &'a Map<String, Value>,
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
        text: &dyn Fn(&str) -> bool,
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
            if let Some(schema) = fields.get(name) {
                self.value(self.resolve(schema), value, &join(path, name), text(name), problems);
            }
        }
    }

    /// The problems of one value, which came as `text` or as JSON.
    fn value(
        &self,
        schema: &Value,
        value: &Value,
        path: &str,
        text: bool,
        problems: &mut Problems,
    ) {
        if problems.len() >= MOST_TOLD {
            return;
        }
        // A form sends an empty field if nothing was entered.
        let is_null = value.is_null() || (text && value == "");
        if let Some(options) = schema.get("anyOf").and_then(Value::as_array) {
            if !is_null
                && let Some(option) = options.iter().find(|s| s.get("type") != Some(&"null".into()))
            {
                self.value(self.resolve(option), value, path, text, problems);
            }
            return;
        }
        let kinds: Vec<&str> = match schema.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => return,
        };
        if is_null && kinds.contains(&"null") {
            return;
        }
        let kind = kinds.into_iter().find(|kind| *kind != "null").unwrap_or_default();
        // The place of a file in a form.
        if text && value.is_object() && kind != "object" {
            return;
        }
        let value = if text { read_as(kind, value) } else { Cow::Borrowed(value) };
        let value = value.as_ref();
        if let Some(message) = wrong(kind, schema, value) {
            problems.push((path.to_owned(), message));
        } else if let Some(given) = value.as_object() {
            self.object(schema, given, path, &|_| text, problems);
        } else if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
            for (index, item) in items.iter().enumerate() {
                let path = join(path, &index.to_string());
                self.value(self.resolve(schema), item, &path, text, problems);
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
            _ => malformed(schema, text)
                .or_else(|| length(text.chars().count(), "characters", "minLength", "maxLength")),
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

/// The error of a text in a format that the platform reads, if any.
fn malformed(schema: &Value, text: &str) -> Option<String> {
    let form = match schema.get("format").and_then(Value::as_str)? {
        "date" if text.parse::<Date>().is_err() => A_DATE,
        "date-time" if text.parse::<Time>().is_err() => A_TIME,
        "date" | "date-time" if is_out_of_range(text) => YEARS,
        "email" => return Email::new(text).err(),
        _ => return None,
    };
    Some(form.to_owned())
}
