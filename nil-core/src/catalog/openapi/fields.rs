//! What is said of fields beside their types: their order inside objects and whose day a date is;
//! and what a row says of the records that it acts on, of the columns of its list and of what was
//! done.

use serde_json::{Map, Value, json};

use crate::catalog::{ActsOn, Entry};
use crate::operation::Order;

/// What a row says of records, columns and its entry in the audit trail, as extensions of the
/// operation.
pub(super) fn told(entry: &Entry) -> Map<String, Value> {
    let mut told = Map::new();
    if !entry.acts.is_empty() {
        told.insert("x-acts-on".into(), entry.acts.iter().map(act).collect());
    }
    if let Some(deed) = entry.deed() {
        told.insert("x-deed".into(), deed.into());
    }
    if !entry.columns.is_empty() {
        told.insert("x-columns".into(), json!(entry.columns));
    }
    told
}

fn act(on: &ActsOn) -> Value {
    let mut told = Map::new();
    told.insert("record".into(), on.record.into());
    told.insert("field".into(), on.field.into());
    if let Some(when) = &on.when {
        told.insert("states".into(), json!(when.states));
    }
    if let Some(list) = on.list {
        told.insert("list".into(), list.into());
    }
    Value::Object(told)
}

/// Marks the fields of an input: nested objects with `x-order`, dates with `x-zone`.
pub(super) fn mark(input: &mut Value, entry: &Entry, definitions: &mut Map<String, Value>) {
    Marker { entry, definitions }.inside(input, &(entry.order)());
}

struct Marker<'m> {
    entry: &'m Entry,
    definitions: &'m mut Map<String, Value>,
}

impl Marker<'_> {
    /// Marks the fields of an object.
    fn inside(&mut self, object: &mut Value, order: &Order) {
        let fields = object.get_mut("properties").and_then(Value::as_object_mut);
        for (name, schema) in fields.into_iter().flatten() {
            if let Some(zone) = self.entry.zone(name) {
                dated(schema, zone.as_str());
            }
            if let Some(order) = order.of(name) {
                self.value(schema, order);
            }
        }
    }

    /// Marks the objects that a field holds, whether it is one, a list or a choice of them.
    fn value(&mut self, schema: &mut Value, order: &Order) {
        let named = schema.get("$ref").and_then(Value::as_str);
        let named = named.and_then(|it| it.rsplit('/').next()).map(str::to_owned);
        // Taken out while it is marked, so that one that holds itself ends.
        if let Some((name, mut found)) = named.and_then(|it| self.definitions.remove_entry(&it)) {
            self.value(&mut found, order);
            self.definitions.insert(name, found);
        }
        for choices in ["anyOf", "oneOf", "allOf"] {
            let choices = schema.get_mut(choices).and_then(Value::as_array_mut);
            choices.into_iter().flatten().for_each(|choice| self.value(choice, order));
        }
        if let Some(items) = schema.get_mut("items") {
            self.value(items, order);
        }
        self.inside(schema, order);
        if let Some(object) = schema.as_object_mut()
            && object.contains_key("properties")
            && order.names.len() > 1
        {
            object.insert("x-order".into(), json!(order.names));
        }
    }
}

/// Marks a date, required or optional.
fn dated(schema: &mut Value, zone: &str) {
    let choices = schema.get_mut("anyOf").and_then(Value::as_array_mut);
    choices.into_iter().flatten().for_each(|choice| dated(choice, zone));
    let is_date = schema.get("format").is_some_and(|format| format == "date");
    if let Some(schema) = schema.as_object_mut().filter(|_| is_date) {
        schema.insert("x-zone".into(), zone.into());
    }
}
