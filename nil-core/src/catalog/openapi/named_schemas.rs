//! The named schemas of a document: each vocabulary has one of its own, so that generators of
//! clients make one type of it, and no schema is there that nothing uses.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::kernel::vocabulary::{ABOUT, NAME};

/// Where a document has its named schemas.
const PLACE: &str = "/components/schemas";

/// Moves every vocabulary of the document among its named schemas, where two that share a name are
/// numbered, and leaves out what nothing uses.
pub(super) fn in_order(document: Value) -> Value {
    used(named(document))
}

fn named(mut document: Value) -> Value {
    let named = document.pointer_mut(PLACE).and_then(Value::as_object_mut).map(std::mem::take);
    let Some(mut named) = named else { return document };
    let mut schemas: Vec<(String, Value)> = std::mem::take(&mut named).into_iter().collect();
    named.extend(schemas.iter().map(|(name, _)| (name.clone(), Value::Null)));
    for (_, schema) in &mut schemas {
        moved(schema, &mut named);
    }
    moved(&mut document, &mut named);
    named.extend(schemas);
    if let Some(empty) = document.pointer_mut(PLACE).and_then(Value::as_object_mut) {
        *empty = named;
    }
    document
}

fn used(mut document: Value) -> Value {
    loop {
        let mut names = BTreeSet::new();
        referenced(&document, &mut names);
        let Some(schemas) = document.pointer_mut(PLACE).and_then(Value::as_object_mut) else {
            break;
        };
        let before = schemas.len();
        schemas.retain(|name, _| names.contains(name));
        if schemas.len() == before {
            break;
        }
    }
    document
}

fn referenced(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| referenced(item, names)),
        Value::Object(fields) => {
            let reference = fields.get("$ref").and_then(Value::as_str);
            names.extend(reference.and_then(|it| it.rsplit('/').next()).map(str::to_owned));
            fields.values().for_each(|inner| referenced(inner, names));
        }
        _ => {}
    }
}

fn moved(value: &mut Value, named: &mut Map<String, Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| moved(item, named)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|inner| moved(inner, named));
            if let Some(Value::String(name)) = fields.remove(NAME) {
                let (words, nullable) = taken(fields);
                let reference = json!({ "$ref": format!("#/components/schemas/{}", placed(&name, words, named)) });
                if nullable {
                    fields.insert("anyOf".into(), json!([reference, { "type": "null" }]));
                } else if let Value::Object(reference) = reference {
                    fields.extend(reference);
                }
            }
        }
        _ => {}
    }
}

/// Takes what makes a schema a vocabulary, and says whether it may be null as well.
fn taken(fields: &mut Map<String, Value>) -> (Value, bool) {
    let nullable = fields.remove("type").is_some_and(|kind| kind.is_array());
    let mut words = fields.remove("enum").unwrap_or_default();
    if let Some(words) = words.as_array_mut() {
        words.retain(|word| !word.is_null());
    }
    let about = fields.remove(ABOUT).unwrap_or_default();
    (json!({ "type": "string", "enum": words, "description": about }), nullable)
}

/// The name under which the vocabulary stands among the named schemas.
fn placed(name: &str, words: Value, named: &mut Map<String, Value>) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut choices = std::iter::once(name.to_owned()).chain(numbered);
    let free = |choice: &String| named.get(choice).is_none_or(|there| *there == words);
    // There is always another number.
    let chosen = choices.find(free).unwrap_or_default();
    named.insert(chosen.clone(), words);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(words: &[&str]) -> Value {
        json!({ "type": "string", "enum": words, NAME: "Colour", ABOUT: "- `red`: Like blood." })
    }

    #[test]
    fn a_vocabulary_is_named_once_and_keeps_what_is_said_beside_it() {
        let mut own = colour(&["red"]);
        own["description"] = "Its colour.".into();
        let document = named(json!({
            "paths": { "schema": colour(&["red"]), "other": colour(&["green"]) },
            "components": { "schemas": { "Car": { "properties": { "colour": own } } } }
        }));
        let reference = json!("#/components/schemas/Colour");
        let described = |words: &[&str]| json!({ "type": "string", "enum": words, "description": "- `red`: Like blood." });
        assert_eq!(document["paths"]["schema"], json!({ "$ref": reference }));
        assert_eq!(document["paths"]["other"], json!({ "$ref": "#/components/schemas/Colour2" }));
        let schemas = &document["components"]["schemas"];
        assert_eq!(schemas["Colour"], described(&["red"]));
        assert_eq!(schemas["Colour2"], described(&["green"]));
        let own = json!({ "$ref": reference, "description": "Its colour." });
        assert_eq!(schemas["Car"]["properties"]["colour"], own);
    }

    #[test]
    fn one_that_may_be_null_is_a_choice_and_a_schema_keeps_its_name() {
        let mut nullable = colour(&["red"]);
        nullable["type"] = json!(["string", "null"]);
        nullable["enum"] = json!(["red", null]);
        let document = named(json!({
            "paths": { "schema": nullable },
            "components": { "schemas": { "Colour": { "type": "object" } } }
        }));
        let choice =
            json!({ "anyOf": [{ "$ref": "#/components/schemas/Colour2" }, { "type": "null" }] });
        assert_eq!(document["paths"]["schema"], choice);
        assert_eq!(document["components"]["schemas"]["Colour"], json!({ "type": "object" }));
        assert_eq!(document["components"]["schemas"]["Colour2"]["enum"], json!(["red"]));
    }

    #[test]
    fn what_nothing_uses_is_left_out() {
        let schemas = json!({ "A": { "items": { "$ref": "#/components/schemas/B" } }, "B": {}, "C": {
            "not": { "$ref": "#/components/schemas/D" }
        }, "D": {} });
        let schema = json!({ "$ref": "#/components/schemas/A" });
        let document = in_order(
            json!({ "paths": { "schema": schema }, "components": { "schemas": schemas } }),
        );
        let names: Vec<&String> =
            document["components"]["schemas"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["A", "B"]);
    }
}
