//! Another owner's id gets the same response as an unknown one: every operation with owned ids,
//! each of those ids, on both databases.
//!
//! Two equal worlds exist side by side in one database, ours and theirs. Each operation is called
//! by one of our callers with everything right but one id: once theirs, once unknown. The responses
//! must be the same, and nothing may have been written.

mod agents;
mod at_random;
mod folder;
mod inputs;
mod side;
mod talks;

use std::collections::BTreeSet;

use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, Owned, catalog};
use nil_tests::{Answer, World, both, trust};
use serde_json::{Map, Value, json};

use self::inputs::{FREE, inputs};
use self::side::Side;

/// After how many operations the database is looked through.
const AT_ONCE: usize = 10;
/// An id that does not exist.
const NOBODYS: i64 = 999_999;

/// The names of all ids in an operation's input, found through its schema.
fn id_fields(entry: &Entry) -> BTreeSet<String> {
    let mut generator = Generator::default();
    let schema = (entry.input)(&mut generator).to_value();
    let mut found = BTreeSet::new();
    collect(&schema, generator.definitions(), &mut found);
    found
}

fn collect(schema: &Value, definitions: &Map<String, Value>, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            let reference = fields.get("$ref").and_then(Value::as_str);
            if let Some(name) = reference.and_then(|path| path.rsplit('/').next()) {
                collect(&definitions[name], definitions, found);
            }
            for (name, property) in
                fields.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                let is_id = name == "id" || name.ends_with("_id") || name.ends_with("_ids");
                if is_id || name.ends_with("_rel") {
                    found.insert(name.clone());
                }
                collect(property, definitions, found);
            }
            for (name, inner) in fields {
                if name != "properties" {
                    collect(inner, definitions, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, definitions, found)),
        _ => {}
    }
}

/// The input with what `leaf` makes of the name and the value of each text, number and the like.
fn replaced(name: &str, input: &Value, leaf: &dyn Fn(&str, &Value) -> Value) -> Value {
    match input {
        Value::Array(items) => items.iter().map(|item| replaced(name, item, leaf)).collect(),
        Value::Object(fields) => {
            let fields =
                fields.iter().map(|(name, value)| (name.clone(), replaced(name, value, leaf)));
            Value::Object(fields.collect())
        }
        other => leaf(name, other),
    }
}

/// The input with the ids that `id` returns for a field and a kind; `=` marks plain text.
fn filled(name: &str, input: &Value, id: &dyn Fn(&str, &str) -> i64) -> Value {
    replaced(name, input, &|name, value| match value.as_str() {
        Some(text) => match text.strip_prefix('=') {
            Some(text) => json!(text),
            None => json!(id(name, text)),
        },
        None => value.clone(),
    })
}

/// The kind of ids that a field of an input takes.
fn kind_of(input: &Value, field: &str) -> Option<String> {
    let kind = std::cell::RefCell::new(None);
    filled("", input, &|name, text| {
        if name == field {
            kind.replace(Some(text.to_owned()));
        }
        0
    });
    kind.into_inner()
}

/// A response with the tried id masked, in case it is repeated.
fn seen(answer: &Answer, field: &str, id: i64) -> (u16, Value) {
    let field = field.strip_suffix('s').unwrap_or(field);
    let body = without(&answer.masked(field, id), field, id);
    (answer.status, body)
}

fn without(body: &Value, field: &str, id: i64) -> Value {
    match body {
        Value::Array(items) => items.iter().map(|item| without(item, field, id)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let named = name == "id" || name.strip_suffix('s').unwrap_or(name) == field;
                let same = named && (*value == json!(id) || *value == json!([id]));
                (name.clone(), if same { json!("[id]") } else { without(value, field, id) })
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// Tries one id of one operation, as one caller; returns the differences.
async fn try_field(
    world: &World,
    (entry, input, field): (&Entry, &Value, &str),
    caller: &str,
    ours: &Side,
    theirs: &Side,
) -> Vec<String> {
    let who = &ours.callers[caller];
    let kind = kind_of(input, field).expect("a line names all ids");
    let with = |id: i64| {
        filled("", input, &|name, kind| {
            if name == field { id } else { ours.own(caller, kind) }
        })
    };
    let nobodys = world.call(entry.name, who, with(NOBODYS)).await;
    let mut wrong = Vec::new();
    // 403: fans cannot write to any user.
    if !(nobodys.status < 300 || matches!(nobodys.status, 403 | 404 | 409 | 422)) {
        wrong.push(format!("{} {field}: {} {}", entry.name, nobodys.status, nobodys.body));
    }
    for id in &theirs.ids[kind.as_str()] {
        let answer = world.call(entry.name, who, with(*id)).await;
        let (theirs, nobodys) = (seen(&answer, field, *id), seen(&nobodys, field, NOBODYS));
        if theirs != nobodys {
            wrong.push(format!(
                "{} tells {field} {id} of somebody else from one that does not exist:\n  {} {}\n  {} {}",
                entry.name, theirs.0, theirs.1, nobodys.0, nobodys.1,
            ));
        }
    }
    wrong
}

#[test]
fn every_operation_with_owned_ids_is_tried() {
    let inputs = inputs();
    for entry in catalog().iter().filter(|entry| entry.owned == Owned::Caller) {
        let lines = inputs.iter().filter(|(name, _)| *name == entry.name);
        let lines: Vec<_> = lines.map(|(_, input)| input).collect();
        assert!(!lines.is_empty(), "{} needs a line in inputs()", entry.name);
        for field in id_fields(entry) {
            let free = FREE.contains(&(entry.name, field.as_str()));
            let tried = lines.iter().any(|input| kind_of(input, &field).is_some());
            assert!(free || tried, "{}: no line has {field}", entry.name);
        }
    }
    for (name, _) in inputs {
        let entry = catalog().named(name).unwrap_or_else(|| panic!("there is no {name}"));
        assert_eq!(entry.owned, Owned::Caller, "{name} has no owned ids");
    }
}

async fn a_strangers_id_is_an_id_that_does_not_exist(world: World) {
    let ours = Side::new(&world, "Cedar Coffee").await;
    let theirs = Side::new(&world, "Harbor Books").await;
    let mut before = world.contents().await;
    let (mut tried, mut wrong) = (0, Vec::<String>::new());
    let mut recent = Vec::new();
    let inputs = inputs();
    for (number, (name, input)) in (1..).zip(&inputs) {
        let entry = catalog().named(name).expect("an operation");
        for field in id_fields(entry) {
            if FREE.contains(&(*name, field.as_str())) || kind_of(input, &field).is_none() {
                continue;
            }
            for caller in entry.callers {
                let asked = (entry, input, field.as_str());
                wrong.extend(try_field(&world, asked, caller, &ours, &theirs).await);
                tried += 1;
            }
            recent.push(format!("{name} with a foreign {field}"));
        }
        // Not after each: this reads the whole database.
        if number % AT_ONCE == 0 || number == inputs.len() {
            let now = world.contents().await;
            for (table, rows) in &now {
                if before[table] != *rows {
                    wrong.push(format!("one of {recent:?} wrote to {table}"));
                }
            }
            before = now;
            recent.clear();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The refusals had no other cause: with the caller's own ids the calls succeed.
    for (name, input) in &inputs {
        let entry = catalog().named(name).expect("an operation");
        for caller in entry.callers {
            let own = filled("", input, &|_, kind| ours.own(caller, kind));
            let answer = world.call(name, &ours.callers[caller], own).await;
            if answer.status == 422 || answer.body["code"] == "not_found" {
                wrong.push(format!("{name} as {caller}: {}", answer.body));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    trust::tried("A1", "identifiers", tried);
}
both!(a_strangers_id_is_an_id_that_does_not_exist);
