//! The institution's athletes and their contracts.

use crate::auth::Role;
use crate::catalog::row::Method::Get;
use crate::catalog::row::{Entry, portal};
use crate::content::reading;
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
        .owned(),
        portal(
            Role::Viewer,
            "compliance.file.download",
            Get,
            "/files/{id}",
            "download a file that is part of an athlete's record",
            reading::download_as_compliance,
        )
        .extension()
        .owned(),
    ]
}
