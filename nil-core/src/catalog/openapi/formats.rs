//! The formats of amounts and rates in the documents. Generators of clients know neither, and take
//! an integer of an unknown format for one of 32 bits: an amount is `int64` there, and its own
//! format stands beside it.

use serde_json::Value;

use crate::kernel::{AMOUNT_FORMAT, RATE_FORMAT};

/// The key that a format of our own has in a document.
const FORMAT: &str = "x-format";

/// Gives amounts and rates of the document a format that generators know.
pub(super) fn known(mut document: Value) -> Value {
    moved(&mut document);
    document
}

fn moved(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(moved),
        Value::Object(fields) => {
            fields.values_mut().for_each(moved);
            match fields.get("format").and_then(Value::as_str) {
                Some(AMOUNT_FORMAT) => {
                    fields.insert("format".into(), "int64".into());
                    fields.insert(FORMAT.into(), AMOUNT_FORMAT.into());
                }
                Some(RATE_FORMAT) => {
                    fields.remove("format");
                    fields.insert(FORMAT.into(), RATE_FORMAT.into());
                }
                _ => {}
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_keep_their_size_and_texts_their_format() {
        let known = known(json!({ "properties": {
            "fee_cents": { "type": ["integer", "null"], "format": "cents" },
            "fee_basis_points": { "type": "integer", "format": "basis-points", "maximum": 10_000 },
            "format": { "type": "string", "format": "date" },
        } }));
        assert_eq!(
            known["properties"],
            json!({
                "fee_cents": {
                    "type": ["integer", "null"], "format": "int64", "x-format": "cents"
                },
                "fee_basis_points": {
                    "type": "integer", "maximum": 10_000, "x-format": "basis-points"
                },
                "format": { "type": "string", "format": "date" },
            })
        );
    }
}
