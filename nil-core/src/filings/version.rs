//! The versions of a filing: one per change, with the content before and after.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::filing_status::FilingStatus;
use super::particulars::Particulars;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, FileId, Time};

vocabulary! {
    /// The action that made a version of a filing.
    FilingAction {
        /// Entered.
        Created = "created",
        /// Changed.
        Changed = "changed",
        /// Submitted.
        Submitted = "submitted",
        /// Acknowledged.
        Acknowledged = "acknowledged",
        /// Returned.
        Returned = "returned",
        /// The contract has ended.
        Terminated = "terminated",
        /// Removed from the lists.
        Deleted = "deleted",
    }
}

/// One version of a filing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FilingVersion {
    /// The number, from 1.
    pub version: i64,
    /// The action.
    pub action: FilingAction,
    /// The acting user, in the audit trail's notation.
    pub by: String,
    /// The note.
    pub note: Option<String>,
    /// The time of the action.
    pub at: Time,
    /// The changed fields before; null for the first version.
    pub before: Option<Value>,
    /// The changed fields after; the whole filing for the first version.
    pub after: Value,
}

/// A filing's content in the form that a version stores.
pub(super) fn content(
    particulars: &Particulars,
    agent: Option<AgentId>,
    files: &[FileId],
    status: FilingStatus,
) -> serde_json::Result<Value> {
    let mut content = serde_json::to_value(particulars)?;
    if let Value::Object(fields) = &mut content {
        fields.insert("agent_id".into(), serde_json::to_value(agent)?);
        fields.insert("documents".into(), serde_json::to_value(files)?);
        fields.insert("status".into(), serde_json::to_value(status)?);
    }
    Ok(content)
}

/// The fields that differ between two contents, before and after; compares nested objects field by
/// field.
pub(super) fn difference(before: &Value, after: &Value) -> (Value, Value) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            let (mut was, mut is) = (Map::new(), Map::new());
            let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
            for name in names {
                let old = old.get(name).unwrap_or(&Value::Null);
                let new = new.get(name).unwrap_or(&Value::Null);
                if old != new {
                    let (old, new) = difference(old, new);
                    was.insert(name.clone(), old);
                    is.insert(name.clone(), new);
                }
            }
            (was.into(), is.into())
        }
        _ => (before.clone(), after.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_differs_is_told() {
        let before = json!({ "a": 1, "b": { "c": [1], "d": "x" }, "e": null });
        let after = json!({ "a": 1, "b": { "c": [1, 2], "d": "x" }, "f": true });
        let (was, is) = difference(&before, &after);
        assert_eq!(was, json!({ "b": { "c": [1] }, "f": null }));
        assert_eq!(is, json!({ "b": { "c": [1, 2] }, "f": true }));
        assert_eq!(difference(&after, &after), (json!({}), json!({})));
    }
}
