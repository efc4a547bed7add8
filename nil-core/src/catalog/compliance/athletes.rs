//! The institution's athletes and their contracts.

use crate::auth::Role;
use crate::catalog::row::Method::Get;
use crate::catalog::row::{Entry, portal};
use crate::contracts::downloading;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.contract.download",
            Get,
            "/athletes/{athleteId}/jobs/{jobId}/download-contract",
            "download executed contract",
            downloading::as_compliance,
        )
        .owned()
        .sends("application/pdf"),
    ]
}
