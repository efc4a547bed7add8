//! Deals made off the platform, and the clearinghouse.

use crate::auth::Role;
use crate::catalog::Method::{Get, Put};
use crate::catalog::row::{Entry, portal};
use crate::disclosures::{browsing, clearing, deciding};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.disclosed_job.list",
            Get,
            "/disclosed-jobs",
            "list disclosed jobs",
            browsing::for_college,
        )
        .extension(),
        portal(
            Role::Officer,
            "compliance.disclosed_job.decide",
            Put,
            "/disclosed-jobs/{id}",
            "decide on a disclosed job or record the clearinghouse",
            deciding::decide,
        )
        .extension()
        .owned()
        .says("Disclosed job updated")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        portal(
            Role::Viewer,
            "compliance.clearance.list",
            Get,
            "/clearances",
            "list where deals stand with the clearinghouse",
            browsing::clearances,
        )
        .extension(),
        portal(
            Role::Officer,
            "compliance.clearance.record",
            Put,
            "/clearances/{id}",
            "record what the clearinghouse says of a deal",
            clearing::record,
        )
        .extension()
        .owned()
        .says("Clearance recorded")
        .errors(&[codes::ILLEGAL_TRANSITION]),
    ]
}
