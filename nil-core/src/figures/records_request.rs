//! Requests for public records, and what was handed out for them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{Date, PortalUserId, RecordsDisclosureId, RecordsRequestId, Time};
use crate::storage::FromRow;

/// A file that was handed out.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct RecordsDisclosure {
    /// Its id.
    pub id: RecordsDisclosureId,
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) request_id: RecordsRequestId,
    /// The file's name.
    pub file_name: String,
    /// The fewest athletes that a sport or category in it stands for.
    pub smallest_group: i64,
    /// The portal user who downloaded it.
    pub handed_out_by: PortalUserId,
    /// When the download began.
    pub created_at: Time,
    /// When the whole file had been made; null if the download was broken off.
    pub completed_at: Option<Time>,
    /// The number of contracts in it.
    pub contracts: Option<i64>,
    /// The number of transactions in it.
    pub transactions: Option<i64>,
    /// Its length.
    pub bytes: Option<i64>,
    /// Its SHA-256.
    pub sha256: Option<String>,
}

/// A request for public records, and what was handed out for it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct RecordsRequest {
    /// Its id.
    pub id: RecordsRequestId,
    /// Who asked.
    pub requester: String,
    /// The law under which they asked.
    pub legal_basis: String,
    /// The day on which the request was received.
    pub received_on: Date,
    /// The first day that is asked about; null for all time.
    #[row(rename = "from_on")]
    pub from: Option<Date>,
    /// The last day.
    #[row(rename = "to_on")]
    pub to: Option<Date>,
    /// The portal user who noted it.
    pub noted_by: PortalUserId,
    /// When it was noted.
    pub created_at: Time,
    /// The files handed out for it, newest first; of a page of requests the newest 1,000.
    #[row(skip)]
    pub disclosures: Vec<RecordsDisclosure>,
}
