//! Deals made off the platform, and the clearinghouse.

use crate::auth::Permission;
use crate::catalog::table::portal::{officer, viewer};
use crate::catalog::table::{Entry, extensions};
use crate::disclosures::downloading::packet_for_college;
use crate::disclosures::preparing::answer_for_college;
use crate::disclosures::{browsing, clearing, deciding, showing};
use crate::error::codes;
use crate::figures::comparing;

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        viewer("compliance.disclosed_job.list", "GET /disclosed-jobs", browsing::for_college)
            .purpose("list disclosed jobs")
            .for_impersonators(Permission::Jobs),
        viewer(
            "compliance.disclosed_job.detail",
            "GET /disclosed-jobs/{id}",
            browsing::detail_for_college,
        )
        .purpose("read one disclosed job, with names beside its ids and the rules that apply to it")
        .for_impersonators(Permission::Jobs)
        .audited()
        .owned(),
        officer("compliance.disclosed_job.decide", "PUT /disclosed-jobs/{id}", deciding::decide)
            .purpose("decide on a disclosed job or record the clearinghouse's result")
            .says("Disclosed job updated")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        viewer("compliance.clearance.list", "GET /clearances", browsing::clearances)
            .purpose("list the clearinghouse status of deals")
            .for_impersonators(Permission::Jobs),
        viewer("compliance.clearance.detail", "GET /clearances/{id}", showing::detail_for_college)
            .purpose("see what the clearinghouse is told about a deal and what it answered")
            .for_impersonators(Permission::Jobs)
            .audited()
            .owned(),
        viewer(
            "compliance.clearance.download_packet",
            "GET /clearances/{id}/packet",
            packet_for_college,
        )
        .purpose("download what the clearinghouse is told about a deal as a PDF")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE])
        .owned(),
        officer("compliance.clearance.record", "PUT /clearances/{id}", clearing::record)
            .purpose("record the clearinghouse's result for a deal")
            .says("Clearance recorded")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        officer(
            "compliance.clearance.answer",
            "PUT /clearances/{id}/association",
            answer_for_college,
        )
        .purpose("answer questions about a payer's association with the institution")
        .says("Answers saved")
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
