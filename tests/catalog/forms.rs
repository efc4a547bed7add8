//! What forms are told beside the schemas: groups, conditions and labels.

use std::collections::BTreeSet;

use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{LABELS, catalog, label};
use serde_json::Value;

fn input(entry: &nil_core::catalog::Entry) -> Value {
    (entry.input)(&mut Generator::default()).to_value()
}

#[test]
fn each_field_of_a_divided_form_is_in_one_group() {
    let mut divided = 0;
    for entry in catalog().iter().filter(|entry| !entry.groups.is_empty()) {
        let mut grouped: Vec<_> = entry.groups.iter().flat_map(|group| group.fields).collect();
        grouped.sort_unstable();
        let schema = input(entry);
        let fields = schema["properties"].as_object().expect("fields").keys();
        // Neither is shown: which record it is, and what it was like.
        let is_shown = |name: &&String| !["id", "revision"].contains(&name.as_str());
        let fields: Vec<_> = fields.filter(is_shown).collect();
        assert_eq!(grouped, fields, "{}", entry.name);
        let titles: BTreeSet<_> = entry.groups.iter().map(|group| group.title).collect();
        assert_eq!(titles.len(), entry.groups.len(), "{}", entry.name);
        divided += 1;
    }
    assert!(divided >= 7, "{divided}");
}

/// Whether a field can have a value that stands so in JSON.
fn can_be(schema: &Value, value: &str) -> bool {
    let is_truth = schema["type"].to_string().contains("boolean");
    let words = schema["enum"].as_array().into_iter().flatten();
    if is_truth { value == "true" } else { words.into_iter().any(|word| word == value) }
}

#[test]
fn conditions_name_fields_and_their_values() {
    for entry in catalog().iter() {
        let schema = input(entry);
        let required = schema["required"].as_array().into_iter().flatten();
        let required: BTreeSet<_> = required.filter_map(Value::as_str).collect();
        for rule in entry.required_when {
            let (field, other) = (&schema["properties"][rule.field], rule.other);
            assert!(field.is_object(), "{}: {}", entry.name, rule.field);
            assert!(!required.contains(rule.field), "{}: {} always is", entry.name, rule.field);
            let other_field = &schema["properties"][other];
            assert!(other_field.is_object(), "{}: {other}", entry.name);
            for value in rule.values {
                assert!(can_be(other_field, value), "{}: {other} is never {value}", entry.name);
            }
            assert!(!rule.values.is_empty() || !required.contains(other), "{}", entry.name);
        }
    }
}

/// The names of fields anywhere in a schema.
fn names(schema: &Value, found: &mut BTreeSet<String>) {
    let properties = schema["properties"].as_object().into_iter().flatten();
    found.extend(properties.map(|(name, _)| name.clone()));
    match schema {
        Value::Object(fields) => fields.values().for_each(|inner| names(inner, found)),
        Value::Array(items) => items.iter().for_each(|inner| names(inner, found)),
        _ => {}
    }
}

#[test]
fn labels_are_of_fields_that_exist() {
    let mut found = BTreeSet::new();
    for entry in catalog().iter() {
        let mut generator = Generator::default();
        names(&(entry.input)(&mut generator).to_value(), &mut found);
        let _ = (entry.output)(&mut generator);
        names(&Value::Object(generator.take_definitions(true)), &mut found);
    }
    assert!(LABELS.is_sorted_by_key(|(name, _)| *name));
    for (name, words) in LABELS {
        assert!(found.contains(*name), "there is no field {name}");
        assert!(words.starts_with(|letter: char| letter.is_uppercase() || letter.is_numeric()));
        assert_eq!(label(name), Some(*words));
    }
    assert_eq!(label("title"), None);
}
