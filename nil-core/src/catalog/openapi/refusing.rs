//! What refusals look like, and examples of them: one for each code, to which the operations that
//! refuse with it refer.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::error::{Code, Kind, codes};

/// The schema of every refusal.
pub(super) fn schema() -> Value {
    json!({
        "type": "object", "description": "a refusal",
        "properties": {
            "status": { "const": "error" },
            "code": { "type": "string", "enum": codes::ALL.iter().map(|c| c.name).collect::<Vec<_>>() },
            "message": { "type": "string", "description": "a sentence for users" },
            "errors": {
                "type": "object", "description": "messages per field; only with 422",
                "additionalProperties": { "type": "array", "items": { "type": "string" } }
            },
            "data": { "description": "the failed payment; only with 402" },
            "request_id": { "type": "string" }
        },
        "required": ["status", "code", "message", "request_id"]
    })
}

/// The examples of these codes, by reference.
pub(super) fn references(codes: &[Code]) -> Value {
    let reference = |code: &Code| {
        (code.name.to_owned(), json!({ "$ref": format!("#/components/examples/{}", code.name) }))
    };
    Value::Object(codes.iter().map(reference).collect())
}

/// The examples that the operations at these paths refer to.
pub(super) fn examples(paths: &Map<String, Value>) -> Value {
    let operations = paths.values().filter_map(Value::as_object).flat_map(Map::values);
    let answers = operations.filter_map(|one| one["responses"].as_object()).flat_map(Map::values);
    let content =
        answers.filter_map(|answer| answer.pointer("/content/application~1json/examples"));
    let named: BTreeSet<&String> =
        content.filter_map(Value::as_object).flat_map(Map::keys).collect();
    let known = codes::ALL.iter().filter(|code| named.iter().any(|name| *name == code.name));
    Value::Object(known.map(|code| (code.name.to_owned(), example(code))).collect())
}

fn example(code: &Code) -> Value {
    let mut refusal = json!({
        "status": "error", "code": code.name, "message": code.sentence,
        "request_id": "019aa2f4-7b1c-7c3e-9d2a-5f0c1b8e6d47",
    });
    if let Some(refusal) = refusal.as_object_mut() {
        let fields = match code.name {
            name if name == codes::UNKNOWN_FIELD.name => {
                json!({ "stauts": ["is not a field of this operation"] })
            }
            _ if code.kind == Kind::Invalid => json!({ "name": ["is required"] }),
            _ => Value::Null,
        };
        if !fields.is_null() {
            refusal.insert("errors".into(), fields);
        }
    }
    json!({ "summary": code.sentence, "value": refusal })
}
