//! Values that came as text, from a form, a query string or a command line, as their types read
//! them.

use serde_json::Value;

use super::fields::MOST_PAIRS;

/// The truth value of a text, in letters of either case, if it is one.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Some(true),
        "false" | "0" | "off" | "no" | "" => Some(false),
        _ => None,
    }
}

/// The whole number of a text, if it is one.
pub(super) fn whole(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

/// The items of a list in one text, such as `1,2` in a query string; one more than are allowed at
/// most.
pub(super) fn items(text: &str) -> Vec<Value> {
    let parts = text.split(',').filter(|part| !part.is_empty()).take(MOST_PAIRS + 1);
    parts.map(|part| Value::String(part.to_owned())).collect()
}
