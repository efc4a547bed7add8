//! What was done to a filing: one entry for each version, with what it was before and what it became.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::filing::FilingStatus;
use super::particulars::Particulars;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, FileId, Time};

vocabulary! {
    /// What made a version of a filing.
    FilingAction {
        /// It was entered.
        Created = "created",
        /// It was changed.
        Changed = "changed",
        /// It was submitted.
        Submitted = "submitted",
        /// It was accepted.
        Acknowledged = "acknowledged",
        /// It was sent back.
        Returned = "returned",
        /// The contract has ended.
        Terminated = "terminated",
        /// It was taken off the lists.
        Deleted = "deleted",
    }
}

/// One version of a filing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FilingVersion {
    /// Its number, from 1.
    pub version: i64,
    /// What made it.
    pub action: FilingAction,
    /// Who did, as the audit trail words it.
    pub by: String,
    /// What they said.
    pub note: Option<String>,
    /// When.
    pub at: Time,
    /// The fields that changed, as they were before; null for the first version.
    pub before: Option<Value>,
    /// The same fields as they became; the whole filing for the first version.
    pub after: Value,
}

/// A filing's content at one time, as a version keeps it.
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

/// What differs between two contents, on either side; objects are looked into.
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
