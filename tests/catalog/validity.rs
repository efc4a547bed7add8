//! The OpenAPI documents are valid in both versions, and every refusal in them has its examples.

use std::collections::BTreeSet;

use nil_core::catalog::{Interface, catalog, openapi};
use nil_tests::conforming::{document, documented, strict};
use serde_json::{Map, Value, json};

/// Every schema of a document, and every value within it that could be one, with its place.
fn walk<'a>(value: &'a Value, place: &str, found: &mut Vec<(String, &'a Map<String, Value>)>) {
    match value {
        Value::Object(fields) => {
            found.push((place.to_owned(), fields));
            for (name, inner) in fields.iter().filter(|(name, _)| *name != "example") {
                walk(inner, &format!("{place}/{name}"), found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, place, found)),
        _ => {}
    }
}

/// What strangers' validators refuse; `tests/validators/run` asks them.
#[test]
fn no_schema_says_what_its_version_does_not_know() {
    for interface in Interface::ALL {
        for version in [openapi::Version::Newest, openapi::Version::V3_0] {
            let document = version.of(document(interface).clone());
            let mut found = Vec::new();
            walk(&document, "", &mut found);
            for (place, fields) in found {
                assert_ne!(fields.get("required"), Some(&json!([])), "{place}");
                let nullable = fields.get("nullable").is_some();
                assert!(!nullable || fields.get("type").is_some_and(Value::is_string), "{place}");
                assert!(!nullable || version == openapi::Version::V3_0, "{place}");
            }
        }
    }
}

#[test]
fn every_refusal_has_an_example_for_each_of_its_codes() {
    for interface in Interface::ALL {
        let document = document(interface);
        let validator = strict(&json!({ "$ref": "#/components/schemas/Error" }), document);
        let mut shown = BTreeSet::new();
        for entry in catalog().of(interface) {
            for (status, answer) in documented(entry)["responses"].as_object().unwrap() {
                if ["200", "206", "302"].contains(&status.as_str()) {
                    continue;
                }
                let lines = answer["description"].as_str().unwrap().lines();
                let named: BTreeSet<_> =
                    lines.map(|line| line.split('`').nth(1).expect("a code")).collect();
                let examples = answer.pointer("/content/application~1json/examples").unwrap();
                let codes: BTreeSet<_> =
                    examples.as_object().unwrap().keys().map(String::as_str).collect();
                assert_eq!(codes, named, "{} {status}", entry.name);
                shown.extend(codes);
            }
        }
        let examples = document["components"]["examples"].as_object().unwrap();
        assert_eq!(examples.keys().map(String::as_str).collect::<BTreeSet<_>>(), shown);
        for (code, example) in examples {
            let refusal = &example["value"];
            assert_eq!(refusal["code"], code.as_str());
            assert!(validator.is_valid(refusal), "{refusal}");
            let by_field = ["validation_failed", "unknown_field"].contains(&code.as_str());
            assert!(!by_field || refusal["errors"].is_object(), "{refusal}");
        }
    }
}
