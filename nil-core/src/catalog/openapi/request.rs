//! The request of an operation: parameters and bodies.

use serde_json::{Map, Value, json};

use super::{STORED, Schemas, example, is_required, properties, security};
use crate::catalog::{Entry, Interface, Method, RequiredWhen, Signer, Takes};
use crate::operation::Gives;

/// The field that holds the file, or the whole body.
const CONTENT: &str = "content";

/// Whether a field is passed in the query.
fn in_query(entry: &Entry, field: &str) -> bool {
    !entry.method.has_body() || (entry.takes_bytes() && field != CONTENT)
}

pub(super) fn parameters(
    entry: &Entry,
    input: &Value,
    in_path: &[(&str, String)],
    schemas: &Schemas,
) -> Vec<Value> {
    let properties = properties(input);
    let mut parameters: Vec<Value> = in_path
        .iter()
        .map(|(name, field)| {
            let schema = properties.get(field).cloned().unwrap_or_else(|| json!({}));
            let sample = example::of_field(field, &schema, schemas.definitions());
            json!({
                "name": name, "in": "path", "required": true, "schema": schema, "example": sample
            })
        })
        .collect();
    for field in (entry.order)().names {
        let Some(schema) = properties.get(field) else { continue };
        if in_query(entry, field) && !in_path.iter().any(|(_, taken)| taken == field) {
            let required = is_required(input, field);
            let mut parameter = json!({
                "name": field, "in": "query", "required": required, "schema": schema
            });
            if let Some(shown) = parameter.as_object_mut().filter(|_| required) {
                let sample = example::of_field(field, schema, schemas.definitions());
                shown.insert("example".into(), sample);
            }
            parameters.push(parameter);
        }
    }
    if entry.is_signed() {
        parameters.extend(security::signature_headers());
    }
    if let Takes::Raw(signer) = entry.takes {
        parameters.extend(security::event_signature(signer));
    }
    if entry.gives == STORED {
        parameters.push(json!({
            "name": "Range", "in": "header", "required": false,
            "description": "the part of the file to send, such as `bytes=0-1023`; anything but one range of bytes is ignored",
            "schema": { "type": "string", "maxLength": 100 }
        }));
    }
    if entry.gives == Gives::Events {
        parameters.push(json!({
            "name": "Last-Event-ID", "in": "header", "required": false,
            "description": "the id of the last event received; the stream resumes after it",
            "schema": { "type": "string", "maxLength": 100 }
        }));
    }
    if entry.writes() && entry.method != Method::Get {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "for 24 hours, a retry with this key, caller and body gets the first response",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 }
        }));
    }
    parameters
}

pub(super) fn body(
    entry: &Entry,
    mut input: Value,
    in_path: &[(&str, String)],
    schemas: &Schemas,
) -> Value {
    if entry.takes_bytes() {
        let bytes = json!({ "schema": { "type": "string", "format": "binary" } });
        return json!({ "required": true, "content": { "application/octet-stream": bytes } });
    }
    if let Takes::Raw(signer) = entry.takes {
        let event = json!({ "schema": {
            "type": "object", "description": "the event, byte for byte as its sender signed it"
        } });
        let form = signer == Signer::TextProvider;
        let kind = if form { "application/x-www-form-urlencoded" } else { "application/json" };
        return json!({ "required": true, "content": { kind: event } });
    }
    let taken = |name: &str| in_path.iter().any(|(_, field)| field == name);
    if let Some(properties) = input.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| !taken(name));
    }
    if let Some(required) = input.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !name.as_str().is_some_and(taken));
    }
    let required = input.get("required").and_then(Value::as_array).is_some_and(|r| !r.is_empty());
    // In OpenAPI 3.0 an empty list is no list of required fields.
    if let Some(fields) = input.as_object_mut().filter(|_| !required) {
        fields.remove("required");
    }
    let form = matches!(entry.takes, Takes::FileForm).then(|| form(&input));
    let sample = example::of(&input, schemas.definitions());
    if let Some(fields) = input.as_object_mut().filter(|_| !entry.new_needs.is_empty()) {
        // Not `anyOf`: generators of clients make a union of it, and one of them code that is no
        // code.
        let names: Vec<_> = entry.new_needs.iter().map(|name| format!("`{name}`")).collect();
        let told = format!("A new record (without `id`) needs: {}.", names.join(", "));
        let before = fields.get("description").and_then(Value::as_str).unwrap_or_default();
        let description = format!("{before}\n\n{told}").trim().to_owned();
        fields.insert("description".into(), description.into());
        fields.insert("x-required-for-new".into(), json!(entry.new_needs));
    }
    let rules: Vec<_> = entry.required_when.iter().map(required_when).collect();
    if let Some(fields) = input.as_object_mut().filter(|_| !rules.is_empty()) {
        fields.insert("x-required-when".into(), rules.into());
    }
    let order: Vec<_> = (entry.order)().names.into_iter().filter(|name| !taken(name)).collect();
    let media = json!({ "schema": input, "example": sample });
    let mut in_json = media.clone();
    let schema = in_json.get_mut("schema").and_then(Value::as_object_mut);
    if let Some(schema) = schema.filter(|_| order.len() > 1) {
        schema.insert("x-order".into(), json!(order));
    }
    let mut content = Map::from_iter([("application/json".to_owned(), in_json)]);
    // A form is for writes; the few reads by POST take one as well, which helps nobody.
    if entry.interface == Interface::Admin && entry.writes() {
        content.insert("application/x-www-form-urlencoded".into(), media.clone());
        content.insert("multipart/form-data".into(), media);
    } else if matches!(entry.takes, Takes::FieldsOrForm) {
        content.insert("application/x-www-form-urlencoded".into(), media);
    }
    if let Some(form) = form {
        content.insert("multipart/form-data".into(), json!({ "schema": form }));
    }
    json!({ "required": required, "content": content })
}

fn required_when(rule: &RequiredWhen) -> Value {
    json!({ "field": rule.field, "other": rule.other, "values": rule.values })
}

/// The schema of a form with the fields of this input and a file, which brings its own name.
fn form(input: &Value) -> Value {
    let mut properties = properties(input);
    properties.insert(
        CONTENT.into(),
        json!({ "type": "string", "format": "binary", "description": "the file" }),
    );
    let required: Vec<String> = properties
        .keys()
        .filter(|field| is_required(input, field) && *field != "name")
        .cloned()
        .collect();
    let mut form = json!({ "type": "object", "properties": properties });
    if let Some(fields) = form.as_object_mut().filter(|_| !required.is_empty()) {
        fields.insert("required".into(), required.into());
    }
    form
}
