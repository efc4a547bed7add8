//! Parts of answers.

use serde_json::Value;

/// What stands where there is no such part.
static NONE: Value = Value::Null;

/// A part of a JSON value by its name; null if there is none.
pub(super) trait Part {
    fn part(&self, name: &str) -> &Value;
}

impl Part for Value {
    fn part(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&NONE)
    }
}
