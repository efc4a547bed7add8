//! What the audit trail keeps of an edited record.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::operation::{Subject, Work};

/// The fields of profiles whose values the audit trail keeps. Of all others it says only that they
/// were changed: the trail outlives the person's other data (decision 29).
const TOLD: &[&str] = &[
    "agent_id",
    "available",
    "business_category_id",
    "listed",
    "sport_id",
    "status",
    "university_id",
    "universities",
];

/// Adds an audit row with the names of the changed fields, and the values of those that say nothing
/// about a person.
pub(crate) fn note_edit<T: Serialize>(
    work: &mut Work,
    subject: impl Into<Subject>,
    before: &T,
    after: &T,
) {
    let fields = |record: &T| match json!(record) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let (mut was, mut is) = (fields(before), fields(after));
    let same: Vec<String> = was
        .iter()
        .filter(|(name, value)| *name == "updated_at" || is.get(*name) == Some(value))
        .map(|(name, _)| name.clone())
        .collect();
    for name in same {
        was.remove(&name);
        is.remove(&name);
    }
    let changed: Vec<String> = is.keys().cloned().collect();
    for fields in [&mut was, &mut is] {
        fields.retain(|name, _| TOLD.contains(&name.as_str()));
    }
    is.insert("changed".into(), json!(changed));
    work.note_change(subject, "edited", Value::Object(was), Value::Object(is));
}
