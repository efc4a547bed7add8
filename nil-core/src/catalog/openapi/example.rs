//! Builds examples from schemas, from the examples of their leaves.

use serde_json::{Value, json};

use super::{Definitions, is_required};

/// The maximum depth; no input or answer nests deeper.
const DEPTH: usize = 12;

/// The times at which a filing's papers were signed and its notices given, which lie in the past.
const SIGNED: &[&str] =
    &["acknowledgement_signed_at", "guardian_signed_at", "agent_at", "athlete_at"];

/// A schema with its `$ref` followed.
pub(super) fn resolve<'a>(schema: &'a Value, definitions: Definitions<'a>) -> &'a Value {
    schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next())
        .and_then(|name| definitions.get(name))
        .unwrap_or(schema)
}

/// An example that the schema accepts.
pub(super) fn of(schema: &Value, definitions: Definitions<'_>) -> Value {
    make("", schema, definitions, DEPTH)
}

/// An example that the schema accepts, for the field with this name. The name helps to choose a
/// fitting value.
pub(super) fn of_field(name: &str, schema: &Value, definitions: Definitions<'_>) -> Value {
    make(name, schema, definitions, DEPTH)
}

fn make(name: &str, schema: &Value, definitions: Definitions<'_>, depth: usize) -> Value {
    let schema = resolve(schema, definitions);
    if let Some(example) = schema.pointer("/examples/0").or_else(|| schema.get("const")) {
        return example.clone();
    }
    if let Some(default) = schema.get("default").filter(|default| !default.is_null()) {
        return default.clone();
    }
    if let Some(word) = schema.pointer("/enum/0") {
        return word.clone();
    }
    for group in ["anyOf", "oneOf", "allOf"] {
        if let Some(first) = schema.get(group).and_then(|group| group.get(0)) {
            return make(name, first, definitions, depth);
        }
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().find(|kind| *kind != "null").cloned(),
        Some(kind) => Some(kind.clone()),
        None => None,
    };
    match kind.as_ref().and_then(Value::as_str) {
        Some("object") if depth > 0 => object(schema, definitions, depth - 1),
        Some("array") if depth > 0 => match schema.get("items") {
            Some(items) => json!([make(name, items, definitions, depth - 1)]),
            None => json!([]),
        },
        Some("object") => json!({}),
        Some("array") => json!([]),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        Some("boolean") => json!(true),
        Some("string") => text(name, schema),
        _ => Value::Null,
    }
}

fn object(schema: &Value, definitions: Definitions<'_>, depth: usize) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let fields = properties
        .into_iter()
        .flatten()
        .map(|(name, field)| (name.clone(), make(name, field, definitions, depth)))
        // A field whose example is null is left out where it may be: it does not go together with
        // the others.
        .filter(|(name, value)| !value.is_null() || is_required(schema, name));
    Value::Object(fields.collect())
}

/// Text that fits the field's format, name or length. What has to lie in the future is in the
/// spring of 2027.
fn text(name: &str, schema: &Value) -> Value {
    let sample = match (schema.get("format").and_then(Value::as_str), name) {
        (Some("date-time"), "application_deadline" | "next_event_at" | "starts_at") => {
            "2027-03-01T18:00:00Z"
        }
        (Some("date-time"), "ends_at") => "2027-06-30T18:00:00Z",
        (Some("date-time"), "signed_at") => "2026-11-19T12:00:00Z",
        (Some("date-time"), name) if SIGNED.contains(&name) => "2026-11-19T18:00:00Z",
        (Some("date-time"), _) => "2026-11-20T19:03:00Z",
        (Some("date"), "date_of_birth") => "2005-03-14",
        (Some("date"), "from" | "effective_on" | "starts_on") => "2027-03-01",
        (Some("date"), "due_on") => "2027-04-15",
        (Some("date"), "proposed_due_on") => "2027-05-15",
        (Some("date"), "until" | "to" | "ends_on") => "2027-06-30",
        (Some("date"), _) => "2026-11-20",
        (_, "state" | "states" | "hometown_state" | "hq_state") => "IL",
        (_, "other_states") => "IN",
        (_, "time_zone") => "America/Chicago",
        (_, "currency") => "usd",
        (_, "first_name") => "Jordan",
        (_, "last_name") => "Rivera",
        (_, "title" | "name") => "Spring campaign",
        (_, "slug" | "share_slug") => "lakeshore-state",
        (_, "categories" | "category") => "alcohol",
        (_, name) if name.ends_with("token") => "4f6c1d0e9b",
        (_, name) if name.ends_with("url") => "https://example.com/page",
        _ => "text",
    };
    let most = schema.get("maxLength").and_then(Value::as_u64).unwrap_or(u64::MAX);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0);
    let mut sample: String = sample.chars().take(most).collect();
    while u64::try_from(sample.len()).is_ok_and(|length| length < least) {
        sample.push('x');
    }
    sample.into()
}
