//! What a new record needs: an operation that makes or changes one names every missing field at
//! once, and its document tells which they are.

use std::collections::{BTreeMap, BTreeSet};

use nil_core::auth::Principal;
use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, catalog};
use nil_tests::conforming::documented;
use nil_tests::{Answer, World, both};
use serde_json::{Map, Value, json};

use crate::examples::{callers, example};

const BODY: &str = "/requestBody/content/application~1json/schema";

/// Withdraws an announcement as well: what a new one needs depends on more than whether it has an
/// `id`.
const ALSO_WITHDRAWS: &str = "admin.announcement.save";

/// The rows that make a record without `id` and change one with it.
fn saving() -> Vec<&'static Entry> {
    let saves = |entry: &&'static Entry| {
        let mut generator = Generator::default();
        let schema = (entry.input)(&mut generator).to_value();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let in_path = entry.path_fields().into_iter().any(|(_, field)| field == "id");
        let names_one =
            schema["properties"].get("id").is_some() && !required.contains(&"id".into());
        entry.writes() && entry.method.has_body() && names_one && !in_path
    };
    catalog().iter().filter(saves).collect()
}

/// The fields that are missing, as a refusal names them.
fn missing(answer: &Answer) -> BTreeSet<String> {
    let errors = answer.body["errors"].as_object().cloned().unwrap_or_default();
    let required = errors.into_iter().filter(|(_, told)| {
        let told = told[0].as_str().unwrap_or_default();
        // A field may be needed because of what another one says.
        told == "is required" || told.starts_with("is required for a new")
    });
    required.map(|(field, _)| field).collect()
}

/// The fields that a call without `id` needs, as the document tells.
fn told(entry: &Entry) -> BTreeSet<String> {
    let schema = documented(entry).pointer(BODY).cloned().unwrap_or_default();
    let required = schema["required"].as_array().into_iter().flatten();
    let mut needed: BTreeSet<String> =
        required.filter_map(Value::as_str).map(str::to_owned).collect();
    let for_new = schema["x-required-for-new"].as_array().into_iter().flatten();
    needed.extend(for_new.filter_map(Value::as_str).map(str::to_owned));
    needed
}

async fn every_missing_field_of_a_new_record_is_named_at_once(world: World) {
    let callers: Vec<Principal> = callers(&world).await;
    let mut wrong = BTreeMap::new();
    let mut tried = 0;
    for entry in saving() {
        let who = callers.iter().find(|who| entry.admit(who).is_ok()).expect("a caller");
        let sample = example(entry).expect("an example");
        let in_path: BTreeSet<String> =
            entry.path_fields().into_iter().map(|(_, field)| field).collect();
        let mut input: Map<String, Value> = sample.as_object().unwrap().clone();
        input.retain(|field, _| in_path.contains(field));
        let first = world.call(entry.name, who, Value::Object(input.clone())).await;
        let named = missing(&first);
        let documented = entry.name != ALSO_WITHDRAWS;
        if first.status == 422 && documented && named != told(entry) {
            let what = format!("names {named:?}, but its document tells {:?}", told(entry));
            wrong.insert(entry.name, what);
            continue;
        }
        tried += usize::from(!named.is_empty());
        // What is wrong with a field that is given hides no field that is missing.
        if let Some(one) = named.first().filter(|_| named.len() > 1 && documented) {
            let mut spoilt = input.clone();
            spoilt.insert(one.clone(), json!({ "no": "value" }));
            let refused = world.call(entry.name, who, Value::Object(spoilt)).await;
            let mut others = named.clone();
            others.remove(one);
            if !missing(&refused).is_superset(&others) {
                wrong.insert(entry.name, format!("a wrong {one} hides: {}", refused.body));
                continue;
            }
        }
        // With these fields nothing else is missing.
        for field in &named {
            if let Some(value) = sample.get(field) {
                input.insert(field.clone(), value.clone());
            }
        }
        let second = world.call(entry.name, who, Value::Object(input)).await;
        let more: Vec<String> = missing(&second).difference(&named).cloned().collect();
        if !more.is_empty() {
            wrong.insert(entry.name, format!("names {more:?} only afterwards"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tried >= 20, "{tried} operations were tried");
}
both!(every_missing_field_of_a_new_record_is_named_at_once);
