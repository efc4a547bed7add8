//! What rows say of the records that they act on.

use std::collections::BTreeSet;

use nil_core::catalog::{ActsOn, Entry, Interface, MACHINES, RECORDS, catalog};
use serde_json::Value;

use crate::fields::{RECORD, input, properties};

/// The writing rows that need the id of a record and do nothing with that record.
const NO_ACTS: [(&str, &str); 3] = [
    ("compliance.athlete.job_detail", "shows a deal, and writes that it was seen"),
    ("compliance.auth.register", "names the institution of a new portal user"),
    ("admin.content.multipart_create", "begins an upload; its end makes the new version"),
];

/// The records whose table has another name than their ids.
const TABLES: [(&str, &str); 5] = [
    ("agent", "app_user"),
    ("athlete", "app_user"),
    ("athlete_agent_disclosure", "athlete_agent_filing"),
    ("partner", "app_user"),
    ("user", "app_user"),
];

fn with_pages() -> impl Iterator<Item = &'static Entry> {
    [Interface::Compliance, Interface::Admin].into_iter().flat_map(|it| catalog().of(it))
}

/// The kind of record that a field takes an id of, or several ids.
fn record(schema: &Value) -> Option<&str> {
    let plain = |schema: &'_ Value| schema[RECORD].is_string();
    let choices = schema["anyOf"].as_array().into_iter().flatten();
    let mut all = [schema, &schema["items"]].into_iter().chain(choices);
    all.find(|schema| plain(schema)).and_then(|schema| schema[RECORD].as_str())
}

fn all() -> impl Iterator<Item = (&'static Entry, &'static ActsOn)> {
    catalog().iter().flat_map(|entry| entry.acts.iter().map(move |on| (entry, on)))
}

#[test]
fn whatever_writes_to_a_record_says_which() {
    let mut needless: BTreeSet<_> = NO_ACTS.iter().map(|(name, _)| *name).collect();
    for entry in with_pages().filter(|entry| entry.writes()) {
        let schema = input(entry);
        let required: Vec<_> = schema["required"].as_array().into_iter().flatten().collect();
        let named = properties(&schema).filter(|(name, schema)| {
            let own = *name == "id" || required.contains(&&Value::from(name.as_str()));
            own && record(schema).is_some()
        });
        if named.count() > 0 && entry.acts.is_empty() {
            assert!(
                needless.remove(entry.name),
                "{} acts on a record and says not which",
                entry.name
            );
        }
    }
    assert!(needless.is_empty(), "needlessly listed: {needless:?}");
}

#[test]
fn the_fields_take_ids_of_the_records() {
    for (entry, on) in all() {
        let schema = input(entry);
        let field = &schema["properties"][on.field];
        assert_eq!(record(field), Some(on.record), "{}: {}", entry.name, on.field);
        assert!(entry.writes(), "{} acts without writing", entry.name);
    }
}

#[test]
fn the_states_are_those_of_the_records_machine() {
    let mut with_states = 0;
    for (entry, on) in all() {
        let Some(when) = &on.when else { continue };
        let name = entry.name;
        let other = TABLES.iter().find(|(record, _)| *record == on.record);
        let table = other.map_or(on.record, |(_, table)| *table);
        let machine = MACHINES.iter().find(|machine| machine.tables.contains(&table));
        let machine = machine.unwrap_or_else(|| panic!("{name}: {table} has no machine"));
        assert_eq!(machine.name, when.machine, "{name}");
        let words = (machine.words)();
        assert!(!when.states.is_empty(), "{name} is never possible");
        assert!(when.states.iter().all(|state| words.contains(state)), "{name}");
        assert!(when.states.len() < words.len(), "{name} is always possible");
        with_states += 1;
    }
    assert!(with_states > 15, "{with_states}");
}

#[test]
fn a_list_named_by_a_row_has_such_records() {
    for (entry, on) in all() {
        let Some(list) = on.list else { continue };
        let has = RECORDS.iter().any(|row| row.list == list && row.kind == on.record);
        assert!(has, "{}: {list} has no {}", entry.name, on.record);
    }
}

#[test]
fn these_are_possible_in_these_states() {
    let states = |name: &str| {
        let entry = catalog().named(name).expect("an operation");
        entry.acts[0].when.as_ref().expect("states").states.clone()
    };
    assert_eq!(states("admin.payout.retry"), ["failed"]);
    assert_eq!(states("admin.payout.cancel"), ["on_hold"]);
    assert_eq!(states("admin.payment.refund"), ["succeeded", "partially_refunded"]);
    assert_eq!(states("admin.job.decide_pending"), ["pending"]);
    assert_eq!(states("admin.athlete.save"), ["active", "suspended"]);
    assert_eq!(states("compliance.clearance.answer"), ["due", "flagged", "not_cleared"]);
}
