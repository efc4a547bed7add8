//! Writes a document as OpenAPI 3.0, for generators of clients that do not read 3.1 yet, such as
//! those of Rust.
//!
//! It says the same in the older words, with two exceptions: a body has one content type (JSON
//! where it is taken), and a header that repeats a query parameter is left out. Generators of that
//! age take one of each.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The fields of a schema that hold one schema.
const ONE: [&str; 3] = ["items", "additionalProperties", "not"];
/// The fields of a schema that hold a list of schemas.
const SEVERAL: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Rewrites a document of OpenAPI 3.1 in OpenAPI 3.0.
pub(super) fn rewritten(mut document: Value) -> Value {
    if let Some(document) = document.as_object_mut() {
        document.insert("openapi".into(), "3.0.3".into());
        // Webhooks are there since 3.1; some tools read them under this name.
        if let Some(webhooks) = document.remove("webhooks") {
            document.insert("x-webhooks".into(), webhooks);
        }
    }
    // A licence has an identifier since 3.1.
    if let Some(license) = document.pointer_mut("/info/license").and_then(Value::as_object_mut) {
        license.remove("identifier");
    }
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    schemas.into_iter().flat_map(Map::values_mut).for_each(schema);
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let methods = paths.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut);
    methods.flat_map(Map::values_mut).for_each(operation);
    let types = document.pointer("/components/schemas").and_then(Value::as_object).map(types);
    typed(&mut document, &types.unwrap_or_default());
    document
}

/// The type of each named schema that has one.
fn types(schemas: &Map<String, Value>) -> BTreeMap<String, String> {
    let mut types = BTreeMap::new();
    loop {
        let before = types.len();
        for (name, schema) in schemas {
            if let Some(kind) = kind(schema, &types) {
                types.insert(name.clone(), kind);
            }
        }
        // A schema may be a reference to another one.
        if types.len() == before {
            return types;
        }
    }
}

/// The one type of a schema's values.
fn kind(schema: &Value, types: &BTreeMap<String, String>) -> Option<String> {
    if let Some(kind) = schema["type"].as_str() {
        return Some(kind.to_owned());
    }
    if let Some(reference) = schema["$ref"].as_str() {
        return types.get(reference.rsplit('/').next()?).cloned();
    }
    let choices = SEVERAL.iter().find_map(|place| schema[place].as_array())?;
    let mut kinds = choices.iter().map(|choice| kind(choice, types));
    let first = kinds.next()??;
    kinds.all(|kind| kind.as_ref() == Some(&first)).then_some(first)
}

/// Names the type beside every `nullable`: without one it says nothing.
fn typed(value: &mut Value, types: &BTreeMap<String, String>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| typed(item, types)),
        Value::Object(fields) => {
            let inner =
                fields.iter_mut().filter(|(name, _)| *name != "example" && *name != "examples");
            inner.for_each(|(_, inner)| typed(inner, types));
            if fields.get("nullable") != Some(&Value::Bool(true)) || fields.contains_key("type") {
                return;
            }
            if let Some(kind) = kind(value, types) {
                value["type"] = kind.into();
                return;
            }
            let Some(fields) = value.as_object_mut() else { return };
            fields.remove("nullable");
            // One of the choices is null as well; a schema without choices is of any value.
            let choices = ["anyOf", "oneOf"].iter().find(|place| fields.contains_key(**place));
            let first = choices.and_then(|place| fields.get_mut(*place)?.get_mut(0));
            if let Some(first) = first {
                let kind = kind(first, types);
                if let (Some(kind), Some(reference)) = (kind, first.get("$ref").cloned()) {
                    *first = json!({ "allOf": [{ "$ref": reference }], "type": kind });
                }
                first["nullable"] = true.into();
            }
        }
        _ => {}
    }
}

fn operation(operation: &mut Value) {
    if let Some(parameters) = operation.get_mut("parameters").and_then(Value::as_array_mut) {
        let in_query = |parameter: &Value| parameter["in"] == "query";
        let queries: Vec<String> =
            parameters.iter().filter(|one| in_query(one)).map(name).collect();
        parameters.retain(|one| in_query(one) || !queries.contains(&name(one)));
        described(parameters.iter_mut());
    }
    if let Some(content) =
        operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut)
    {
        if let Some(json) = content.remove("application/json") {
            *content = Map::from_iter([("application/json".to_owned(), json)]);
        }
        described(content.values_mut());
    }
    let answers = operation.get_mut("responses").and_then(Value::as_object_mut);
    for answer in answers.into_iter().flat_map(Map::values_mut) {
        for place in ["content", "headers"] {
            let described_there = answer.get_mut(place).and_then(Value::as_object_mut);
            described(described_there.into_iter().flat_map(Map::values_mut));
        }
        // What a stream sends, beside the words of the standard.
        let events = answer.get_mut("x-events").and_then(Value::as_array_mut);
        events.into_iter().flatten().filter_map(|event| event.get_mut("data")).for_each(schema);
    }
}

/// A parameter's name as programs write it.
fn name(parameter: &Value) -> String {
    parameter["name"].as_str().unwrap_or_default().to_ascii_lowercase().replace('-', "_")
}

/// Rewrites the schemas of parameters, headers or contents.
fn described<'a>(all: impl Iterator<Item = &'a mut Value>) {
    all.filter_map(|one| one.get_mut("schema")).for_each(schema);
}

/// Rewrites a schema and those within it.
fn schema(schema: &mut Value) {
    if *schema == true {
        *schema = json!({});
    }
    let Some(fields) = schema.as_object_mut() else { return };
    let properties = fields.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(Map::values_mut).for_each(self::schema);
    for place in ONE {
        // `additionalProperties` may be a truth value in 3.0 too.
        if let Some(inner) =
            fields.get_mut(place).filter(|inner| inner.is_object() || place == "items")
        {
            self::schema(inner);
        }
    }
    for place in SEVERAL {
        let inner = fields.get_mut(place).and_then(Value::as_array_mut);
        inner.into_iter().flatten().for_each(self::schema);
    }
    null(fields);
    values(fields);
    limits(fields);
    // Beside a reference nothing else counts.
    if fields.len() > 1
        && let Some(reference) = fields.remove("$ref")
    {
        fields.insert("allOf".into(), json!([{ "$ref": reference }]));
    }
}

/// Null is a property of a schema and not a type.
fn null(fields: &mut Map<String, Value>) {
    let mut nullable = false;
    match fields.remove("type") {
        Some(Value::Array(mut types)) => {
            nullable = types.iter().any(|one| one == "null");
            types.retain(|one| one != "null");
            // Several types are any type.
            if types.len() == 1 {
                fields.extend(types.pop().map(|one| ("type".to_owned(), one)));
            }
        }
        Some(only) if only == "null" => nullable = true,
        Some(only) => {
            fields.insert("type".into(), only);
        }
        None => {}
    }
    for place in ["anyOf", "oneOf"] {
        let Some(choices) = fields.get_mut(place).and_then(Value::as_array_mut) else { continue };
        // A schema of nothing but null is this one by now.
        let only_null = |choice: &Value| *choice == json!({ "nullable": true });
        if choices.iter().any(only_null) {
            nullable = true;
            choices.retain(|choice| !only_null(choice));
        }
        if choices.len() == 1 {
            let choices = fields.remove(place);
            fields.extend(choices.map(|choices| ("allOf".to_owned(), choices)));
        }
    }
    if nullable {
        fields.insert("nullable".into(), true.into());
    }
}

/// One value is a list of one, and an example stands alone.
fn values(fields: &mut Map<String, Value>) {
    if let Some(only) = fields.remove("const") {
        if only.is_string() {
            fields.insert("type".into(), "string".into());
        }
        fields.insert("enum".into(), json!([only]));
    }
    if let Some(Value::Array(examples)) = fields.remove("examples") {
        // Null shows nothing, and a reference beside it does not admit it.
        let first = examples.into_iter().next().filter(|first| !first.is_null());
        fields.extend(first.map(|first| ("example".to_owned(), first)));
    }
    // A vocabulary: each of its words has a description, for which an `enum` has no place.
    let words = fields.get("oneOf").and_then(Value::as_array).and_then(|words| {
        let word =
            |word: &Value| word["enum"].as_array().filter(|_| word["type"] == "string").cloned();
        words.iter().map(word).collect::<Option<Vec<_>>>()
    });
    if let Some(words) = words {
        fields.remove("oneOf");
        fields.insert("type".into(), "string".into());
        fields.insert("enum".into(), words.concat().into());
    }
}

/// Exclusive limits are a truth value beside the limit, and bytes a format.
fn limits(fields: &mut Map<String, Value>) {
    for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if let Some(value) = fields.get(exclusive).filter(|value| value.is_number()).cloned() {
            fields.insert(exclusive.into(), true.into());
            fields.insert(limit.into(), value);
        }
    }
    if fields.remove("contentEncoding").is_some_and(|encoding| encoding == "base64") {
        fields.insert("format".into(), "byte".into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn becomes([mut newer, older]: [Value; 2]) {
        schema(&mut newer);
        assert_eq!(newer, older);
    }

    #[test]
    fn null_is_no_type() {
        becomes([
            json!({ "type": ["integer", "null"], "examples": [7, 8] }),
            json!({ "type": "integer", "nullable": true, "example": 7 }),
        ]);
        becomes([json!({ "type": "null" }), json!({ "nullable": true })]);
        becomes([
            json!({ "anyOf": [{ "$ref": "#/a" }, { "type": "null" }], "description": "d" }),
            json!({ "allOf": [{ "$ref": "#/a" }], "description": "d", "nullable": true }),
        ]);
        becomes([
            json!({ "anyOf": [{ "$ref": "#/a" }, { "$ref": "#/b" }, { "type": "null" }] }),
            json!({ "anyOf": [{ "$ref": "#/a" }, { "$ref": "#/b" }], "nullable": true }),
        ]);
        becomes([json!({ "type": ["string", "number"] }), json!({})]);
    }

    #[test]
    fn a_type_stands_beside_every_nullable() {
        let schemas = json!({
            "Word": { "type": "string", "enum": ["a"] }, "Other": { "$ref": "#/components/schemas/Word" },
            "Record": { "type": "object" },
        });
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let older = |schema: Value| {
            let mut all = schemas.clone();
            all["It"] = schema;
            let document = json!({ "openapi": "3.1.0", "components": { "schemas": all } });
            rewritten(document)["components"]["schemas"]["It"].clone()
        };
        let nothing = || json!({ "type": "null" });
        assert_eq!(
            older(json!({ "anyOf": [reference("Other"), nothing()], "examples": [null] })),
            json!({ "allOf": [reference("Other")], "nullable": true, "type": "string" })
        );
        assert_eq!(
            older(json!({ "anyOf": [reference("Record"), reference("Word"), nothing()] })),
            json!({ "anyOf": [
                { "allOf": [reference("Record")], "type": "object", "nullable": true }, reference("Word")
            ] })
        );
        assert_eq!(
            older(json!({ "anyOf": [{ "type": "integer" }, reference("Word"), nothing()] })),
            json!({ "anyOf": [{ "type": "integer", "nullable": true }, reference("Word")] })
        );
        assert_eq!(older(nothing()), json!({}));
        assert_eq!(older(json!({ "type": ["string", "integer", "null"] })), json!({}));
    }

    #[test]
    fn words_are_an_enum() {
        becomes([
            json!({ "oneOf": [{ "const": "a", "description": "A." }, { "enum": ["b", "c"], "type": "string" }] }),
            json!({ "type": "string", "enum": ["a", "b", "c"] }),
        ]);
        becomes([
            json!({ "oneOf": [{ "const": "a" }, { "type": "integer" }] }),
            json!({ "oneOf": [{ "type": "string", "enum": ["a"] }, { "type": "integer" }] }),
        ]);
    }

    #[test]
    fn schemas_are_rewritten_at_every_depth() {
        becomes([
            json!({ "type": "object", "additionalProperties": false, "properties": {
                "many": { "type": "array", "items": { "exclusiveMinimum": 0, "type": "integer" } },
                "any": true, "file": { "type": "string", "contentEncoding": "base64" },
                "one": { "$ref": "#/a", "description": "d" }, "plain": { "$ref": "#/a" }
            } }),
            json!({ "type": "object", "additionalProperties": false, "properties": {
                "many": { "type": "array", "items": {
                    "minimum": 0, "exclusiveMinimum": true, "type": "integer"
                } },
                "any": {}, "file": { "type": "string", "format": "byte" },
                "one": { "allOf": [{ "$ref": "#/a" }], "description": "d" }, "plain": { "$ref": "#/a" }
            } }),
        ]);
    }

    #[test]
    fn an_operation_has_one_body_and_each_parameter_once() {
        let parameter =
            |name: &str, place: &str| json!({ "name": name, "in": place, "schema": {} });
        let document = json!({ "openapi": "3.1.0", "paths": { "/a": { "post": {
            "parameters": [parameter("last_id", "query"), parameter("Last-ID", "header"), parameter("Key", "header")],
            "requestBody": { "content": { "multipart/form-data": {}, "application/json": { "schema": { "const": 1 } } } },
            "responses": { "200": { "content": { "application/json": { "schema": true } } } }
        } } } });
        let older = rewritten(document);
        let operation = &older["paths"]["/a"]["post"];
        assert_eq!(older["openapi"], "3.0.3");
        assert_eq!(
            operation["parameters"],
            json!([parameter("last_id", "query"), parameter("Key", "header")])
        );
        let json = json!({ "application/json": { "schema": { "enum": [1] } } });
        assert_eq!(operation["requestBody"]["content"], json);
        assert_eq!(
            operation["responses"]["200"]["content"]["application/json"]["schema"],
            json!({})
        );
    }
}
