//! What the catalog says of fields: their order, the records that ids name, and which integers are
//! amounts and rates.

use std::collections::BTreeSet;

use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, Interface, RECORDS, RecordList, catalog};
use nil_core::operation::AnswerSchema;
use serde_json::{Map, Value};

use crate::tidy::complain;

pub(crate) const RECORD: &str = "x-record";

pub(crate) fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

/// Follows a reference.
fn resolve<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.map_or(schema, |name| &definitions[name])
}

pub(crate) fn input(entry: &Entry) -> Value {
    (entry.input)(&mut Generator::default()).to_value()
}

/// The schema of a list's rows; null if the answer is no list.
pub(crate) fn row(entry: &Entry) -> Value {
    let mut generator = Generator::default();
    let answer = (entry.output)(&mut generator);
    let definitions = generator.definitions();
    let item = match answer {
        AnswerSchema::Page(item, _) | AnswerSchema::Feed(item, _) => item.to_value(),
        AnswerSchema::Data(data) | AnswerSchema::Beside(data, _) => {
            resolve(&data.to_value(), definitions)["items"].clone()
        }
        _ => Value::Null,
    };
    resolve(&item, definitions).clone()
}

#[test]
fn the_order_of_the_fields_names_each_field_once() {
    for entry in catalog().iter() {
        let schema = input(entry);
        let fields: Vec<_> = properties(&schema).map(|(name, _)| name).collect();
        let mut order = (entry.order)().names;
        order.sort_unstable();
        assert_eq!(order, fields, "{}", entry.name);
    }
}

#[test]
fn own_fields_stand_as_they_are_declared_before_those_of_the_frame() {
    let order = |name| (catalog().named(name).expect("an operation").order)().names;
    let log_in = order("admin.auth.log_in");
    assert_eq!(log_in[..2], ["email", "password"]);
    let payments = order("admin.payment.list");
    assert_eq!(payments[..2], ["status", "id"]);
    assert_eq!(payments[payments.len() - 3..], ["page", "per_page", "after"]);
}

#[test]
fn every_list_of_records_is_one_and_its_rows_have_an_id_and_a_label() {
    for listed in RECORDS {
        let RecordList { kind, interface, list, .. } = *listed;
        let entry = catalog().named(list).unwrap_or_else(|| panic!("{list} is no operation"));
        assert_eq!(entry.interface, interface, "{list}");
        assert!(!entry.writes(), "{list} writes");
        let row = row(entry);
        let id = &row["properties"][listed.id];
        // The rows of several lists of choices are of one type, and their ids plain integers.
        let plain = list.starts_with("admin.category.") && id["type"] == "integer";
        assert!(plain || id[RECORD] == kind, "{list}: {id}");
        assert!(row["properties"][listed.label].is_object(), "{list}: no {}", listed.label);
        let schema = input(entry);
        let required = schema["required"].as_array().into_iter().flatten();
        let free = ["status", "kind", "id", "parent_id"];
        for field in required.filter_map(Value::as_str) {
            assert!(free.contains(&field), "{list} needs {field}");
        }
        if let Some(shows) = listed.shown_by {
            let entry = catalog().named(shows).unwrap_or_else(|| panic!("{shows}: no operation"));
            assert_eq!(entry.interface, interface, "{shows}");
            assert_eq!(input(entry)["properties"]["id"][RECORD], kind, "{shows}");
        }
    }
}

#[test]
fn lists_of_records_are_in_order_and_none_is_there_twice() {
    let places: Vec<_> = RECORDS.iter().map(|row| (row.interface as u8, row.kind)).collect();
    assert!(places.is_sorted(), "{places:?}");
    let once: BTreeSet<_> =
        RECORDS.iter().map(|row| (row.interface as u8, row.kind, row.list)).collect();
    assert_eq!(once.len(), RECORDS.len());
}

/// The kinds of record that an input asks for and that no list of the interface has: they are
/// reached through another record, or named by who is asked for them.
const UNLISTED: [(Interface, &[&str]); 2] = [
    (
        Interface::Compliance,
        &["agent", "contract", "deal_file", "deliverable", "file", "job", "webhook_delivery"],
    ),
    (
        Interface::Admin,
        &[
            "application",
            "contract",
            "deliverable",
            "file",
            "invoice",
            "message",
            "multipart_upload",
            "representation",
        ],
    ),
];

#[test]
fn ids_that_an_operation_takes_can_be_picked_from_a_list() {
    for (interface, unlisted) in UNLISTED {
        let mut missing = BTreeSet::new();
        for entry in catalog().of(interface) {
            for (_, schema) in properties(&input(entry)) {
                let kind = [&schema[RECORD], &schema["items"][RECORD]];
                missing.extend(kind.into_iter().filter_map(Value::as_str).map(str::to_owned));
            }
        }
        missing.retain(|kind| RecordList::of(interface, kind).next().is_none());
        assert_eq!(missing.iter().collect::<Vec<_>>(), unlisted, "{interface:?}");
    }
}

/// Integers by the name of amounts and rates without their format, anywhere in a schema.
fn unformatted(schema: &Value, place: &str, found: &mut BTreeSet<String>) {
    for (name, field) in properties(schema) {
        let format = match name.rsplit('_').next() {
            Some("cents") => "cents",
            Some("points") => "basis-points",
            _ => continue,
        };
        let is_integer = field["type"].to_string().contains("integer");
        if is_integer && field["format"] != format {
            found.insert(format!("{place}: {name}"));
        }
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|it| unformatted(it, place, found)),
        Value::Array(items) => items.iter().for_each(|it| unformatted(it, place, found)),
        _ => {}
    }
}

#[test]
fn amounts_and_rates_say_what_they_are() {
    let mut found = BTreeSet::new();
    for entry in catalog().iter() {
        let mut generator = Generator::default();
        unformatted(&(entry.input)(&mut generator).to_value(), entry.name, &mut found);
        let definitions = Value::Object(generator.take_definitions(true));
        unformatted(&definitions, "an input", &mut found);
        let mut generator = Generator::default();
        if let AnswerSchema::Data(data)
        | AnswerSchema::Page(data, _)
        | AnswerSchema::Beside(data, _)
        | AnswerSchema::Feed(data, _) = (entry.output)(&mut generator)
        {
            unformatted(&data.to_value(), entry.name, &mut found);
        }
        let definitions = Value::Object(generator.take_definitions(true));
        unformatted(&definitions, "an answer", &mut found);
    }
    complain(found.into_iter().collect());
}
