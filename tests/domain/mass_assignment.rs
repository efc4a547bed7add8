//! A write changes only what its input names: every operation is sent its documented example with
//! every column of the database beside it, at the top and in every object within. Each of them is
//! ignored, and none of their values is stored.

use std::collections::{BTreeMap, BTreeSet};

use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, catalog};
use nil_tests::{World, both, trust};
use serde_json::{Map, Value, json};

use crate::examples::{admitted, callers, example};

/// What whoever tries this tries first.
const WANTED: [&str; 14] = [
    "role",
    "status",
    "fee",
    "balance",
    "verified",
    "user_id",
    "college_id",
    "permissions",
    "is_admin",
    "fee_cents",
    "balance_cents",
    "fee_rate",
    "email_verified_at",
    "password_hash",
];
/// A value that nothing else has.
const NUMBER: i64 = 987_654_321;
const TEXT: &str = "planted by mass assignment";

/// After how many operations the database is looked through.
const AT_ONCE: usize = 20;

/// Every name that a field of the input has, at any depth.
fn known(entry: &Entry) -> BTreeSet<String> {
    fn collect(schema: &Value, found: &mut BTreeSet<String>) {
        match schema {
            Value::Object(fields) => {
                for (name, inner) in fields {
                    if name == "properties" {
                        found.extend(
                            inner.as_object().into_iter().flatten().map(|(n, _)| n.clone()),
                        );
                    }
                    collect(inner, found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut generator = Generator::default();
    let schema = (entry.input)(&mut generator).to_value();
    let mut found = BTreeSet::new();
    collect(&schema, &mut found);
    generator.definitions().values().for_each(|schema| collect(schema, &mut found));
    found
}

/// The input with these fields beside its own, in each of its objects.
fn laden(input: &Value, load: &Map<String, Value>) -> Value {
    match input {
        Value::Object(fields) => {
            let mut all: Map<_, _> =
                fields.iter().map(|(name, value)| (name.clone(), laden(value, load))).collect();
            all.extend(load.clone());
            Value::Object(all)
        }
        Value::Array(items) => items.iter().map(|item| laden(item, load)).collect(),
        other => other.clone(),
    }
}

/// How often the planted values stand in each table.
async fn planted(world: &World) -> BTreeMap<String, usize> {
    let found = world.contents().await.into_iter().map(|(table, rows)| {
        let count = rows.matches(TEXT).count() + rows.matches(&NUMBER.to_string()).count();
        (table, count)
    });
    found.filter(|(_, count)| *count > 0).collect()
}

async fn no_write_changes_what_its_input_does_not_name(world: World) {
    let callers = callers(&world).await;
    let columns = world.columns().await;
    let names: BTreeSet<&str> =
        columns.iter().map(|column| column.name.as_str()).chain(WANTED).collect();
    let (mut sent, mut wrong, mut recent) = (0, Vec::new(), Vec::new());
    for entry in catalog().iter().filter(|entry| entry.writes()) {
        let Some(input) = example(entry) else { continue };
        let caller = admitted(entry, &callers);
        let known = known(entry);
        for value in [json!(NUMBER), json!(TEXT)] {
            let load: Map<_, _> = names
                .iter()
                .filter(|name| !known.contains(**name))
                .map(|name| ((*name).to_owned(), value.clone()))
                .collect();
            let answer = world.call(entry.name, caller, laden(&input, &load)).await;
            let ignored: BTreeSet<&str> = answer.ignored.iter().map(String::as_str).collect();
            let taken: Vec<_> =
                load.keys().filter(|name| !ignored.contains(name.as_str())).collect();
            if answer.status == 200 && !taken.is_empty() {
                wrong.push(format!("{} takes {taken:?}", entry.name));
            }
        }
        sent += 1;
        // Not after each: this reads the whole database.
        recent.push(entry.name);
        if recent.len() == AT_ONCE {
            let kept = planted(&world).await;
            assert!(kept.is_empty(), "one of {recent:?} has kept what is not its: {kept:?}");
            recent.clear();
        }
    }
    let kept = planted(&world).await;
    assert!(kept.is_empty(), "one of {recent:?} has kept what is not its: {kept:?}");
    assert!(sent > 150, "only {sent}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    trust::tried("A2", "operations", sent);
}
both!(no_write_changes_what_its_input_does_not_name);
