//! Deals made off the platform, and the clearinghouse.

use crate::catalog::table::portal::{officer, viewer};
use crate::catalog::table::{Entry, extensions};
use crate::disclosures::{browsing, clearing, deciding};
use crate::error::codes;
use crate::figures::comparing;

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        viewer("compliance.disclosed_job.list", "GET /disclosed-jobs", browsing::for_college)
            .purpose("list disclosed jobs"),
        officer("compliance.disclosed_job.decide", "PUT /disclosed-jobs/{id}", deciding::decide)
            .purpose("decide on a disclosed job or record the clearinghouse's result")
            .says("Disclosed job updated")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        viewer("compliance.clearance.list", "GET /clearances", browsing::clearances)
            .purpose("list the clearinghouse status of deals"),
        officer("compliance.clearance.record", "PUT /clearances/{id}", clearing::record)
            .purpose("record the clearinghouse's result for a deal")
            .says("Clearance recorded")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        officer(
            "compliance.compensation.of_contract",
            "GET /contracts/{contractId}/compensation-range",
            comparing::of_contract,
        )
        .purpose("what deals comparable to a contract paid")
        .owned(),
        officer(
            "compliance.compensation.of_disclosed_job",
            "GET /disclosed-jobs/{id}/compensation-range",
            comparing::of_disclosed_job,
        )
        .purpose("what deals comparable to a disclosed job paid")
        .owned(),
    ])
}
