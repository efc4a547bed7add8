//! JSON with one form for equal values, to be hashed or compared.

use std::collections::BTreeMap;

use serde_json::Value;

/// A value as JSON with its keys sorted and without white space.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut json = String::new();
    write_sorted(value, &mut json);
    json
}

/// Writes a value with its keys sorted, regardless of the map order of `serde_json`.
fn write_sorted(value: &Value, json: &mut String) {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, &Value> = fields.iter().collect();
            json.push('{');
            for (index, (key, value)) in sorted.into_iter().enumerate() {
                separate(index, json);
                json.push_str(&Value::from(key.as_str()).to_string());
                json.push(':');
                write_sorted(value, json);
            }
            json.push('}');
        }
        Value::Array(items) => {
            json.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(index, json);
                write_sorted(item, json);
            }
            json.push(']');
        }
        scalar => json.push_str(&scalar.to_string()),
    }
}

fn separate(index: usize, json: &mut String) {
    if index > 0 {
        json.push(',');
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_values_have_one_form_whatever_the_order_of_their_keys() {
        let one = json!({ "b": [1, { "z": null, "a": "\u{e9}\n" }], "a": true });
        let other = json!({ "a": true, "b": [1, { "a": "\u{e9}\n", "z": null }] });
        assert_eq!(canonical(&one), canonical(&other));
        let form = "{\"a\":true,\"b\":[1,{\"a\":\"\u{e9}\\n\",\"z\":null}]}";
        assert_eq!(canonical(&one), form);
    }
}
