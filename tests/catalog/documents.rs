//! The OpenAPI documents: snapshots, internal consistency, and examples that work. (Every suite
//! checks that responses match the documents: `support/conforming.rs`.)

use std::collections::BTreeSet;

use nil_core::catalog::{Entry, Interface, Method, Signer, Takes, catalog, openapi};
use nil_core::operation::Fields;
use nil_tests::conforming::{document, documented, strict};
use serde_json::{Value, json};

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

/// A schema whose name is taken gets a number, which another operation can change: clients that
/// were generated would mean something else by it.
#[test]
fn no_two_schemas_share_a_name() {
    for interface in Interface::ALL {
        let schemas = document(interface)["components"]["schemas"].as_object().unwrap();
        for name in schemas.keys() {
            let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let is_own = plain == name || !schemas.contains_key(plain);
            assert!(is_own, "{interface:?}: {name} is another {plain}");
        }
    }
}

#[test]
fn every_tag_is_described_and_used() {
    for interface in Interface::ALL {
        let document = document(interface);
        let mut described = BTreeSet::new();
        for tag in document["tags"].as_array().unwrap() {
            let (name, about) = (text(tag, "name"), text(tag, "description"));
            assert!(about.len() > 20 && about.ends_with('.'), "{interface:?} {name}: {about}");
            assert!(described.insert(name), "{interface:?}: {name} twice");
        }
        let entries = catalog().of(interface);
        let used: BTreeSet<_> = entries.map(|entry| entry.section.name).collect();
        assert_eq!(described, used, "{interface:?}");
        for entry in catalog().of(interface) {
            assert_eq!(documented(entry)["tags"], json!([entry.section.name]), "{}", entry.name);
        }
    }
}

/// The sections of the specification's tables, with one of the paths of each.
#[test]
fn tags_are_the_specifications_sections() {
    for (name, section) in [
        ("core.assistant.send_clarification", "AI assistant"),
        ("core.auth.me", "Authentication"),
        ("core.registration.fan_start", "Registration"),
        ("core.contract.confirm_availability", "Athletes"),
        ("core.application.hire_bulk", "Partners"),
        ("core.contract.download_as_agent", "Agents"),
        ("core.disclosed_job.save", "Jobs and deals"),
        ("core.payout_account.create", "Payments"),
        ("core.notification.set_all_sms", "Chat and notifications"),
        ("core.public.edit_privacy_policy", "Public endpoints"),
    ] {
        let entry = catalog().named(name).expect("an operation");
        assert_eq!(entry.section.name, section, "{name}");
    }
}

/// Each place in a description where an operation is named, such as `POST /login`, with the field
/// of its answer beside it.
#[test]
fn security_schemes_name_operations_that_exist() {
    let tokens = [
        ("POST /login", "core.auth.log_in", "/access_token"),
        ("", "core.registration.athlete_verify", "/data/access_token"),
        ("", "core.registration.partner_verify", "/data/access_token"),
        ("", "core.registration.agent_verify", "/data/access_token"),
        ("", "core.registration.fan_university", "/data/access_token"),
        ("POST /athlete/register", "core.registration.athlete_start", "/data/registration_token"),
        ("POST /partner/register", "core.registration.partner_start", "/data/registration_token"),
        ("POST /agent/register-new", "core.registration.agent_start", "/data/registration_token"),
        ("POST /fan/register", "core.registration.fan_start", "/data/registration_token"),
        ("POST /events/ticket", "core.events.ticket", "/data/ticket"),
        (
            "POST /athlete/ai-athlete-assistant/token",
            "core.assistant.hand_token",
            "/data/athlete_token",
        ),
        ("POST /login", "compliance.auth.log_in", "/token"),
        ("POST /set-password", "compliance.auth.set_password", "/data/token"),
        ("GET /updateCsrfToken", "admin.auth.csrf_token", "/data/csrf_token"),
        ("POST /check-login", "admin.auth.log_in", "/data/csrf_token"),
        ("POST /change-password", "admin.auth.change_password", "/data/csrf_token"),
    ];
    for (address, name, field) in tokens {
        let entry = catalog().named(name).expect("an operation");
        let answer = documented(entry).pointer(ANSWER).expect("an answer");
        assert!(answer["example"].pointer(field).is_some(), "{name} answers no {field}");
        let schemes = document(entry.interface)["components"]["securitySchemes"].to_string();
        assert!(schemes.contains(address), "{address} is not described");
        if !address.is_empty() {
            assert_eq!(address, format!("{} {}", entry.method.as_str(), entry.path));
        }
    }
    for interface in Interface::ALL {
        let schemes = &document(interface)["components"]["securitySchemes"];
        for (scheme, what) in schemes.as_object().expect("schemes") {
            assert!(text(what, "description").len() > 100, "{interface:?} {scheme}");
        }
    }
}

#[test]
fn forms_stand_where_they_are_taken() {
    for entry in catalog().iter().filter(|entry| entry.method.has_body()) {
        let content = &documented(entry)["requestBody"]["content"];
        let takes = |media: &str| content[media].is_object();
        let admin = entry.interface == Interface::Admin && entry.writes();
        let file = matches!(entry.takes, Takes::FileForm);
        let form = matches!(entry.takes, Takes::Raw(Signer::TextProvider));
        let either = matches!(entry.takes, Takes::FieldsOrForm);
        let urlencoded = takes("application/x-www-form-urlencoded");
        assert_eq!(urlencoded, admin || form || either, "{}", entry.name);
        assert_eq!(takes("multipart/form-data"), admin || file, "{}", entry.name);
        assert_eq!(takes("application/octet-stream"), entry.takes_bytes(), "{}", entry.name);
        let json = !entry.takes_bytes() && !form;
        assert_eq!(takes("application/json"), json, "{}", entry.name);
        if file {
            let field = &content["multipart/form-data"]["schema"]["properties"]["content"];
            assert_eq!(text(field, "format"), "binary", "{}", entry.name);
        }
    }
}

#[test]
fn the_stream_says_what_it_sends() {
    let entry = catalog().named("core.events.follow").expect("the stream");
    let answer = &documented(entry)["responses"]["200"];
    let example = text(&answer["content"]["text/event-stream"], "example");
    let names = ["ready", "notification", "message"];
    for (event, name) in answer["x-events"].as_array().expect("events").iter().zip(names) {
        assert_eq!(text(event, "name"), name);
        assert!(text(answer, "description").contains(&format!("- `{name}`: ")), "{name}");
        let block = example.split("\n\n").find(|block| block.contains(&format!("event: {name}\n")));
        let data = block.and_then(|block| block.split_once("\ndata: ")).expect("data").1;
        let data: Value = serde_json::from_str(data).expect("an object");
        let validator = strict(&event["data"], document(entry.interface));
        assert!(validator.is_valid(&data), "{name}: {data}");
    }
    assert!(example.ends_with(":\n\n"), "a heartbeat");
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

/// The dialects of patterns differ: RE2, Go and Rust know no look-around, and Go no `\u`.
#[test]
fn every_pattern_can_be_read_by_every_dialect() {
    fn patterns<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("pattern").and_then(Value::as_str));
                fields.values().for_each(|value| patterns(value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| patterns(item, found)),
            _ => {}
        }
    }
    for interface in [Interface::Core, Interface::Compliance, Interface::Admin] {
        let document = document(interface);
        let mut found = Vec::new();
        patterns(document, &mut found);
        assert!(found.len() >= 5, "{interface:?}: {}", found.len());
        for pattern in found {
            for unknown in ["(?", "\\u", "\\p", "\\k", "\\1", "*+", "++"] {
                assert!(!pattern.contains(unknown), "{interface:?}: {pattern}");
            }
        }
    }
}

/// What 3.0 has no words for.
fn newer(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            fields.contains_key("const")
                || fields.get("type").is_some_and(|kind| kind.is_array() || kind == "null")
                || fields.get("exclusiveMinimum").is_some_and(Value::is_number)
                || (fields.len() > 1 && fields.contains_key("$ref"))
                || fields.values().any(newer)
        }
        Value::Array(items) => items.iter().any(newer),
        _ => false,
    }
}

#[test]
fn the_documents_can_be_had_in_the_older_version() {
    for interface in Interface::ALL {
        let document = document(interface);
        let older = openapi::Version::V3_0.of(document.clone());
        leads_somewhere("3.0", &older);
        for part in ["paths", "components"] {
            assert!(newer(&document[part]) && !newer(&older[part]), "{interface:?}: {part}");
            let operations = |of: &Value| of[part].as_object().unwrap().keys().cloned().collect();
            let (all, again): (Vec<String>, Vec<String>) =
                (operations(document), operations(&older));
            assert_eq!(all, again);
        }
        let read: openapiv3::OpenAPI = serde_json::from_value(older).expect("a document in 3.0");
        let of = catalog().of(interface).count();
        assert_eq!((read.operations().count(), read.openapi.as_str()), (of, "3.0.3"));
    }
}

/// Words without underscores, each with a capital letter.
fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').filter(|word| !word.is_empty()).map(capital).collect()
}

/// Whether a value needs no variable on its way from JSON: a number, a truth value or a text
/// without a format.
fn is_plain(schema: &Value) -> bool {
    let plain =
        matches!(schema["type"].as_str(), Some("integer" | "number" | "boolean" | "string"));
    plain && (schema["type"] != "string" || schema["format"].is_null())
}

/// A generator names a type after its field when the document does not name it (`Roster` and
/// `owner` are `RosterOwner`), and variables after types (`Invited` is `invited`).
#[test]
fn no_name_is_one_that_generators_of_clients_take() {
    for interface in Interface::ALL {
        let schemas = document(interface)["components"]["schemas"].as_object().unwrap();
        for (name, schema) in schemas {
            for (field, content) in schema["properties"].as_object().into_iter().flatten() {
                let mut inner = Vec::new();
                references(content, &mut inner);
                assert!(is_plain(content) || &pascal(field) != name, "{name}.{field}");
                let made = pascal(&format!("{name}_{field}"));
                let taken = schemas.get(&made).is_some_and(|other| other["enum"].is_null());
                let named = inner.is_empty() || content.get("$ref").is_some();
                assert!(named || !taken, "{name}.{field} and {made}");
            }
        }
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
            if !["200", "206", "302"].contains(&status.as_str()) {
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
        let either = [
            "core.content_library.download",
            "core.deal_folder.download",
            "compliance.deal_folder.download",
        ]
        .contains(&entry.name);
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
        let example = &found.expect("the path's parameter")["example"];
        fields.entry(field).or_insert_with(|| example.clone());
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
