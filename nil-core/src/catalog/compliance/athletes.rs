//! The institution's athletes and their contracts.

use crate::auth::Role;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, portal};
use crate::content::reading;
use crate::contracts::downloading;
use crate::disclosures;
use crate::error::codes;
use crate::figures::athletes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.athlete.list",
            Get,
            "/athletes/getAthlete",
            "list athletes of the institution",
            athletes::list,
        ),
        portal(
            Role::Viewer,
            "compliance.athlete.job_detail",
            Post,
            "/athletes/jobDetail",
            "job details for an athlete",
            athletes::job_detail,
        )
        .owned(),
        portal(
            Role::Finance,
            "compliance.athlete.export",
            Get,
            "/athletes/export",
            "export athlete records",
            athletes::export,
        )
        .sends("text/csv; charset=utf-8"),
        portal(
            Role::Viewer,
            "compliance.contract.download",
            Get,
            "/athletes/{athleteId}/jobs/{jobId}/download-contract",
            "download executed contract",
            downloading::as_compliance,
        )
        .owned()
        .errors(&[codes::CONTRACT_NOT_ACTIVE])
        .sends("application/pdf"),
        portal(
            Role::Viewer,
            "compliance.contract.download_disclosed",
            Get,
            "/athletes/{athleteId}/disclosed-jobs/{disclosedJobId}/download-contract",
            "download contract of a disclosed job",
            disclosures::downloading::contract,
        )
        .owned()
        .sends("*/*"),
        portal(
            Role::Viewer,
            "compliance.contract.download_amendments",
            Get,
            "/athletes/{athleteId}/jobs/{jobId}/contract-amendments",
            "download the amendments to an executed contract",
            downloading::amendments_as_compliance,
        )
        .extension()
        .owned()
        .sends("application/pdf")
        .errors(&[codes::NO_AMENDMENTS]),
        portal(
            Role::Viewer,
            "compliance.file.download",
            Get,
            "/files/{id}",
            "download a file that is part of an athlete's record",
            reading::download_as_compliance,
        )
        .extension()
        .owned()
        .sends("*/*"),
    ]
}
