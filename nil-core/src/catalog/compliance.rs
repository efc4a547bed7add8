//! The Compliance interface: `/api/compliance`. Rows stand in the order and wording of the
//! specification's tables.

use super::row::Method::Get;
use super::row::{Entry, portal};
use crate::auth::Role;
use crate::contracts::downloading;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [contracts()].into_iter().flatten().collect()
}

/// Contracts of the institution's athletes.
fn contracts() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.contract.download",
            Get,
            "/athletes/{athleteId}/jobs/{jobId}/download-contract",
            "download executed contract",
            downloading::as_compliance,
        )
        .owned(),
    ]
}
