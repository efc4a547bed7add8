//! What the catalog says of fields: their order.

use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, catalog};
use serde_json::Value;

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

fn input(entry: &Entry) -> Value {
    (entry.input)(&mut Generator::default()).to_value()
}

#[test]
fn the_order_of_the_fields_names_each_field_once() {
    for entry in catalog().iter() {
        let schema = input(entry);
        let fields: Vec<_> = properties(&schema).map(|(name, _)| name).collect();
        let mut order = (entry.order)();
        order.sort_unstable();
        assert_eq!(order, fields, "{}", entry.name);
    }
}

#[test]
fn own_fields_stand_as_they_are_declared_before_those_of_the_frame() {
    let order = |name| (catalog().named(name).expect("an operation").order)();
    let log_in = order("admin.auth.log_in");
    assert_eq!(log_in[..2], ["email", "password"]);
    let payments = order("admin.payment.list");
    assert_eq!(payments[..2], ["status", "id"]);
    assert_eq!(payments[payments.len() - 3..], ["page", "per_page", "after"]);
}
