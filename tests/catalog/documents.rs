//! The OpenAPI documents: snapshots, internal consistency, and examples that work. (Every suite checks that
//! responses match the documents: `support/conforming.rs`.)

use std::collections::BTreeSet;

use nil_core::catalog::{Entry, Interface, Method, catalog, openapi};
use nil_core::operation::Fields;
use nil_tests::conforming::{document, documented, strict};
use serde_json::Value;

const EXAMPLE: &str = "/requestBody/content/application~1json/example";
const REQUEST: &str = "/requestBody/content/application~1json/schema";
const ANSWER: &str = "/responses/200/content/application~1json";

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn the_core_document() {
    insta::assert_json_snapshot!(document(Interface::Core));
}

#[test]
fn the_compliance_document() {
    insta::assert_json_snapshot!(document(Interface::Compliance));
}

#[test]
fn the_admin_document() {
    insta::assert_json_snapshot!(document(Interface::Admin));
}

fn leads_somewhere(what: &str, document: &Value) {
    let mut found = Vec::new();
    references(document, &mut found);
    for reference in &found {
        let path = reference.strip_prefix('#').expect("a reference within the document");
        assert!(document.pointer(path).is_some(), "{what}: {reference}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    for interface in Interface::ALL {
        leads_somewhere(&format!("{interface:?}"), document(interface));
    }
    for entry in catalog().iter() {
        leads_somewhere(entry.name, &openapi::excerpt(entry, "http://nil.example"));
    }
}

#[test]
fn every_operation_stands_once_in_its_document() {
    let mut seen = BTreeSet::new();
    for interface in Interface::ALL {
        for (path, methods) in document(interface)["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let id = text(operation, "operationId");
                assert!(seen.insert(id.to_owned()), "{id} twice");
                let entry = catalog().named(id).expect("an operation of the catalog");
                assert_eq!((path.as_str(), interface), (entry.path, entry.interface), "{id}");
                assert_eq!(method.to_uppercase(), entry.method.as_str(), "{id}");
            }
        }
    }
    assert_eq!(seen.len(), catalog().iter().count());
}

#[test]
fn every_operation_is_explained() {
    for entry in catalog().iter() {
        let (name, operation) = (entry.name, documented(entry));
        assert_eq!(text(operation, "summary"), entry.purpose, "{name}");
        assert!(text(operation, "description").contains("For: "), "{name}");
        for (status, response) in operation["responses"].as_object().unwrap() {
            let about = text(response, "description");
            assert!(!about.is_empty(), "{name}: {status}");
            if !["200", "302"].contains(&status.as_str()) {
                let lines: Vec<_> = about.lines().collect();
                assert!(lines.iter().all(|line| line.starts_with("- `")), "{name}: {about}");
                let codes: BTreeSet<_> = lines.iter().collect();
                assert_eq!(codes.len(), lines.len(), "{name} lists a code twice: {about}");
            }
        }
        let json = operation.pointer(ANSWER);
        if let Some(redirect) = operation.pointer("/responses/302") {
            assert!(redirect["headers"]["Location"].is_object(), "{name}");
            continue;
        }
        let content = operation.pointer("/responses/200/content");
        let kinds = content.and_then(Value::as_object).expect("content").len();
        // A record or, if the caller asks for it, the file.
        let either =
            ["core.content_library.download", "core.deal_folder.download"].contains(&entry.name);
        assert_eq!(kinds, if either { 2 } else { 1 }, "{name}: kinds of answers");
        if let Some(json) = json {
            assert!(!json["example"].is_null(), "{name} shows no answer");
        }
        for parameter in operation["parameters"].as_array().unwrap() {
            let known = parameter["schema"].as_object().is_some_and(|schema| !schema.is_empty());
            assert!(known, "{name}: nothing is known of {}", parameter["name"]);
        }
    }
}

#[test]
fn every_field_that_is_sent_is_explained() {
    for interface in Interface::ALL {
        let mut without = BTreeSet::new();
        explain(document(interface), "", &mut without);
        assert!(without.is_empty(), "{interface:?}: {without:#?}");
    }
}

/// Collects the fields without a description, in place or behind references.
fn explain(value: &Value, place: &str, without: &mut BTreeSet<String>) {
    let Value::Object(fields) = value else {
        if let Value::Array(items) = value {
            items.iter().for_each(|item| explain(item, place, without));
        }
        return;
    };
    let envelope = ["status", "message", "data", "pagination"];
    let properties = fields.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let said = property.get("description").is_some() || property.get("$ref").is_some();
        if property.is_object()
            && !said
            && !envelope.contains(&name.as_str())
            && name != "code"
            && name != "request_id"
        {
            without.insert(format!("{place}.{name}"));
        }
    }
    for (name, inner) in fields {
        if name != "example" && name != "examples" {
            explain(inner, name, without);
        }
    }
}

#[test]
fn every_example_is_what_its_schema_says() {
    let mut wrong = Vec::new();
    for entry in catalog().iter() {
        let (operation, document) = (documented(entry), document(entry.interface));
        let request = operation.pointer(REQUEST).zip(operation.pointer(EXAMPLE));
        let answer =
            operation.pointer(ANSWER).map(|answer| (&answer["schema"], &answer["example"]));
        for (schema, example) in request.into_iter().chain(answer) {
            let validator = strict(schema, document);
            wrong.extend(validator.iter_errors(example).map(|problem| {
                format!("{} at {}: {problem}", entry.name, problem.instance_path())
            }));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The example of the body, with the path's fields beside it.
fn example_input(entry: &Entry) -> Option<Fields> {
    let Value::Object(mut fields) = documented(entry).pointer(EXAMPLE)?.clone() else {
        panic!("{}: a body is an object", entry.name)
    };
    for (name, field) in entry.path_fields() {
        let parameters = documented(entry)["parameters"].as_array().expect("parameters");
        let found = parameters.iter().find(|one| one["name"] == name);
        let schema = &found.expect("the path's parameter")["schema"];
        let example = [&schema["enum"][0], &schema["examples"][0]]
            .into_iter()
            .find(|example| !example.is_null());
        fields.entry(field).or_insert_with(|| example.cloned().unwrap_or(1.into()));
    }
    Some(Fields::from_object(fields))
}

#[test]
fn every_example_of_a_body_is_taken() {
    let mut wrong = Vec::new();
    for entry in catalog().iter().filter(|entry| entry.method != Method::Get) {
        let Some(input) = example_input(entry) else {
            continue;
        };
        match entry.check(&input) {
            Ok(ignored) if ignored.is_empty() => {}
            Ok(ignored) => wrong.push(format!("{}: nobody asked for {ignored:?}", entry.name)),
            Err(error) => wrong.push(format!("{}: {error} {:?}", entry.name, error.fields())),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
