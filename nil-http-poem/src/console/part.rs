//! Parts of answers.

use chrono::NaiveDate;
use nil_core::kernel::Time;
use serde_json::Value;

/// What stands where there is no such part.
static NONE: Value = Value::Null;

/// A part of a JSON value by its name; null if there is none.
pub(super) trait Part {
    fn part(&self, name: &str) -> &Value;

    /// The text there; empty if there is none.
    fn text(&self, name: &str) -> &str {
        self.part(name).as_str().unwrap_or_default()
    }

    /// The whole number there; 0 if there is none.
    fn number(&self, name: &str) -> i64 {
        self.part(name).as_i64().unwrap_or_default()
    }

    fn is_true(&self, name: &str) -> bool {
        self.part(name).as_bool().unwrap_or_default()
    }

    fn moment(&self, name: &str) -> Option<Time> {
        self.text(name).parse().ok()
    }

    fn day(&self, name: &str) -> Option<NaiveDate> {
        self.text(name).parse().ok()
    }

    /// The items of the list there.
    fn list(&self, name: &str) -> &[Value] {
        self.part(name).as_array().map_or(&[], Vec::as_slice)
    }
}

impl Part for Value {
    fn part(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&NONE)
    }
}
