//! A numbered amendment as the parties see it.

use aws_lc_rs::digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ContractId, Date, DeliverableId, Time, canonical};
use crate::storage::FromRow;

vocabulary! {
    /// The kind of an amendment.
    AmendmentKind {
        /// A deliverable is due on another day.
        DueDate = "due_date",
    }
}

/// A change of a due date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DueDateChange {
    /// The deliverable.
    pub deliverable_id: DeliverableId,
    /// Its title.
    pub title: String,
    /// The previous due date.
    pub from: Date,
    /// The new due date.
    pub to: Date,
}

/// A change that both sides agreed to after signing. The signed terms stay unchanged.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Amendment {
    /// The contract.
    #[serde(skip)]
    pub contract_id: ContractId,
    /// Its number within the contract, from 1.
    pub number: i64,
    /// Its kind.
    pub kind: AmendmentKind,
    /// The change.
    #[row(json)]
    pub change: DueDateChange,
    /// Its own SHA-256, which covers that of the previous document: see [`chained`].
    pub document_sha256: String,
    /// When it was agreed.
    pub at: Time,
}

/// The SHA-256 of an amendment that follows the document with the hash `before`: of the JSON list
/// of that hash, the kind and the change, with keys sorted and no white space. With the terms and
/// the amendments, anyone can prove that none was left out, changed or reordered.
pub(crate) fn chained(before: &str, kind: AmendmentKind, change: &DueDateChange) -> Result<String> {
    let change = serde_json::to_value(change).map_err(Error::internal)?;
    let text = canonical(&json!([before, kind, change]));
    let hash = digest::digest(&digest::SHA256, text.as_bytes());
    Ok(hex::encode(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amendment_covers_what_it_follows_and_says() {
        let change = DueDateChange {
            deliverable_id: DeliverableId::new(7).unwrap(),
            title: "Reel".into(),
            from: "2026-12-10".parse().unwrap(),
            to: "2026-12-15".parse().unwrap(),
        };
        let hash = |before: &str, change: &DueDateChange| {
            chained(before, AmendmentKind::DueDate, change).unwrap()
        };
        let text = "[\"ab\",\"due_date\",{\"deliverable_id\":7,\"from\":\"2026-12-10\",\
                    \"title\":\"Reel\",\"to\":\"2026-12-15\"}]";
        let expected = digest::digest(&digest::SHA256, text.as_bytes());
        assert_eq!(hash("ab", &change), hex::encode(expected));
        assert_ne!(hash("ab", &change), hash("ac", &change));
        let later = DueDateChange { to: "2026-12-16".parse().unwrap(), ..change.clone() };
        assert_ne!(hash("ab", &change), hash("ab", &later));
    }
}
