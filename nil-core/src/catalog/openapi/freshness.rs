//! The header that says how old the data of an answer are.

use serde_json::{Value, json};

use crate::catalog::Entry;

/// The answer with the header, if a replica of the database may give it.
pub(super) fn of(entry: &Entry, mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut().filter(|_| entry.reads_behind()) {
        fields.insert("headers".into(), data_age());
    }
    answer
}

fn data_age() -> Value {
    json!({ "Nil-Data-Age": {
        "description": "The answer was read from a replica of the database. Its data are at most so many seconds old, and \
            hold every change that the caller has made at this server. Absent if the answer is of the moment.",
        "schema": { "type": "integer", "minimum": 0 }, "example": 1
    } })
}
