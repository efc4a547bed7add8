//! Checks responses against the documents: in every suite, each response must match its OpenAPI
//! document, with no field missing and none extra.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::UNIX_EPOCH;

use jsonschema::Validator;
use nil_core::catalog::{Entry, Interface, openapi};
use nil_core::operation::Download;
use serde_json::{Map, Value, json};

use crate::database::scratch_base;

static CORE: LazyLock<Value> = LazyLock::new(|| made(Interface::Core));
static COMPLIANCE: LazyLock<Value> = LazyLock::new(|| made(Interface::Compliance));
static ADMIN: LazyLock<Value> = LazyLock::new(|| made(Interface::Admin));

const URL: &str = "http://nil.example";

fn made(interface: Interface) -> Value {
    openapi::document(interface, URL)
}

type Known = HashMap<&'static str, Option<Arc<Validator>>>;
static VALIDATORS: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// Panics if a successful response does not match the document.
#[track_caller]
pub(crate) fn check(entry: &Entry, answer: &Value) {
    let mut known = VALIDATORS.lock().unwrap_or_else(|broken| broken.into_inner());
    let validator = known.entry(entry.name).or_insert_with(|| validator(entry)).clone();
    drop(known);
    let problems: Vec<String> = validator
        .iter()
        .flat_map(|validator| validator.iter_errors(answer))
        .map(|problem| format!("at {}: {problem}", problem.instance_path()))
        .collect();
    let name = entry.name;
    assert!(problems.is_empty(), "{name} is not as documented:\n{problems:#?}\n{answer:#}");
}

/// Panics if a file's media type differs from the document's.
#[track_caller]
pub(crate) fn check_file(entry: &Entry, file: &Download) {
    let document = openapi::excerpt(entry, URL);
    let content = operation(entry, &document).pointer("/responses/200/content");
    let content = content.and_then(Value::as_object).expect("content");
    let known = |media: &str| content.contains_key(media);
    let name = entry.name;
    let media = file.content_type;
    assert!(known(media) || known("*/*"), "{name} sends {media}, which is not documented");
}

/// The operation in its document.
pub fn documented(entry: &Entry) -> &'static Value {
    operation(entry, document(entry.interface))
}

fn operation<'a>(entry: &Entry, document: &'a Value) -> &'a Value {
    let method = entry.method.as_str().to_ascii_lowercase();
    &document["paths"][entry.path][method]
}

/// The document of an interface.
pub fn document(interface: Interface) -> &'static Value {
    match interface {
        Interface::Core => &CORE,
        Interface::Compliance => &COMPLIANCE,
        Interface::Admin => &ADMIN,
    }
}

fn validator(entry: &Entry) -> Option<Arc<Validator>> {
    let schema = kept(entry.name, || {
        // Most tests call a few operations of hundreds.
        let document = openapi::excerpt(entry, URL);
        let answer = "/responses/200/content/application~1json/schema";
        operation(entry, &document).pointer(answer).map(|schema| closed(schema, &document))
    });
    schema.map(|schema| Arc::new(compiled(&schema)))
}

/// What this program's tests have kept under a name, or what is made now: a test is a process, and
/// each would make the same schemas again.
fn kept(name: &str, make: impl FnOnce() -> Option<Value>) -> Option<Value> {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let program = std::env::current_exe().and_then(std::fs::metadata).expect("this program");
        let made = program.modified().expect("its time").duration_since(UNIX_EPOCH);
        let name = format!("nil-template-schemas-{}", made.expect("a time").as_nanos());
        let folder = scratch_base().join(name);
        std::fs::create_dir_all(&folder).expect("a folder of schemas");
        folder
    });
    let file = FOLDER.join(name);
    if let Ok(text) = std::fs::read(&file) {
        return serde_json::from_slice(&text).expect("a schema");
    }
    let made = make();
    // Renamed in one step: other processes find all of it or nothing.
    let new = tempfile::NamedTempFile::new_in(&*FOLDER).expect("a file");
    serde_json::to_writer(&new, &made).expect("a schema that is written");
    new.persist(&file).expect("a schema that is kept");
    made
}

/// A validator that accepts no field the schema does not name.
pub fn strict(schema: &Value, document: &Value) -> Validator {
    compiled(&closed(schema, document))
}

fn compiled(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).unwrap_or_else(|error| panic!("{error}: {schema:#}"))
}

/// The schema with those that it refers to, without room for other fields.
fn closed(schema: &Value, document: &Value) -> Value {
    let mut root = schema.clone();
    let mut named = Map::new();
    name_all(schema, document, &mut named);
    root["components"] = json!({ "schemas": named });
    close(&mut root);
    root
}

/// Collects the named schemas that this one refers to, a few of the document's.
fn name_all(schema: &Value, document: &Value, named: &mut Map<String, Value>) {
    match schema {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(Value::as_str);
            let name = name.and_then(|path| path.strip_prefix("#/components/schemas/"));
            if let Some(name) = name
                && !named.contains_key(name)
            {
                let found = &document["components"]["schemas"][name];
                named.insert(name.to_owned(), found.clone());
                name_all(found, document, named);
            }
            fields.values().for_each(|value| name_all(value, document, named));
        }
        Value::Array(items) => items.iter().for_each(|item| name_all(item, document, named)),
        _ => {}
    }
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            let open = !fields.contains_key("additionalProperties");
            if open && fields.get("properties").is_some_and(is_properties) {
                fields.insert("additionalProperties".into(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Whether this is the schema's keyword, and not a field called `properties`.
fn is_properties(value: &Value) -> bool {
    value.as_object().is_some_and(|fields: &Map<String, Value>| {
        !fields.contains_key("type") && !fields.contains_key("$ref")
    })
}
