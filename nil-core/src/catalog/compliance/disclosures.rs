//! Deals made off the platform, and the clearinghouse.

use crate::auth::Permission;
use crate::catalog::forms::RequiredWhen;
use crate::catalog::table::portal::{officer, viewer};
use crate::catalog::table::{Entry, extensions};
use crate::disclosures::downloading::packet_for_college;
use crate::disclosures::preparing::answer_for_college;
use crate::disclosures::{ClearanceEvent, ClearanceStatus};
use crate::disclosures::{browsing, clearing, deciding, showing};
use crate::error::codes;
use crate::figures::comparing;

/// The columns of disclosed deals.
const DEALS: &[&str] = &[
    "title",
    "status",
    "athlete_name",
    "payer_name",
    "amount_cents",
    "due_at",
    "late",
    "category_name",
    "compensation",
    "submitted_at",
    "signed_on",
];

/// The columns of clearances.
const CLEARANCES: &[&str] = &[
    "title",
    "status",
    "athlete_name",
    "payor",
    "amount_cents",
    "due_at",
    "late",
    "signed_on",
    "submitted_at",
    "decided_at",
];

/// The results that the clearinghouse can give.
const RESULTS: &[ClearanceEvent] = &[
    ClearanceEvent::Submit,
    ClearanceEvent::Flag,
    ClearanceEvent::Clear,
    ClearanceEvent::Refuse,
    ClearanceEvent::Arbitrate,
];

/// The athlete reads why a deal is not cleared.
const A_NOTE: &[RequiredWhen] = &[RequiredWhen::new("note", "status", &["flagged", "not_cleared"])];

/// The athlete reads why a deal is not approved or not cleared.
const A_REASON: &[RequiredWhen] = &[
    RequiredWhen::new("note", "decision", &["reject", "ask"]),
    RequiredWhen::new("note", "clearinghouse", &["flagged", "not_cleared"]),
];

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        viewer("compliance.disclosed_job.list", "GET /disclosed-jobs", browsing::for_college)
            .purpose("list disclosed jobs")
            .title("Disclosed deals")
            .columns(DEALS)
            .for_impersonators(Permission::Jobs),
        viewer(
            "compliance.disclosed_job.detail",
            "GET /disclosed-jobs/{id}",
            browsing::detail_for_college,
        )
        .purpose("read one disclosed job, with names beside its ids and the rules that apply to it")
        .title("Disclosed deal")
        .for_impersonators(Permission::Jobs)
        .audited()
        .owned(),
        officer("compliance.disclosed_job.decide", "PUT /disclosed-jobs/{id}", deciding::decide)
            .purpose("decide on a disclosed job or record the clearinghouse's result")
            .required_when(A_REASON)
            .title("Decide on a disclosed deal")
            .acts_on("disclosed_job", "id")
            .verb("Decide")
            .says("Disclosed job updated")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        viewer("compliance.clearance.list", "GET /clearances", browsing::clearances)
            .purpose("list the clearinghouse status of deals")
            .title("Clearances")
            .columns(CLEARANCES)
            .for_impersonators(Permission::Jobs),
        viewer("compliance.clearance.detail", "GET /clearances/{id}", showing::detail_for_college)
            .purpose("see what the clearinghouse is told about a deal and what it answered")
            .title("Clearance of a deal")
            .for_impersonators(Permission::Jobs)
            .audited()
            .owned(),
        viewer(
            "compliance.clearance.download_packet",
            "GET /clearances/{id}/packet",
            packet_for_college,
        )
        .purpose("download what the clearinghouse is told about a deal as a PDF")
        .title("Download the packet for the clearinghouse")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE])
        .owned(),
        officer("compliance.clearance.record", "PUT /clearances/{id}", clearing::record)
            .purpose("record the clearinghouse's result for a deal")
            .required_when(A_NOTE)
            .title("Record the clearinghouse's result")
            .acts_on("clearance", "id")
            .when::<ClearanceStatus>(RESULTS)
            .verb("Record")
            .says("Clearance recorded")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        officer(
            "compliance.clearance.answer",
            "PUT /clearances/{id}/association",
            answer_for_college,
        )
        .purpose("answer questions about a payer's association with the institution")
        .title("Answer questions about a payer's association")
        .acts_on("clearance", "id")
        .when::<ClearanceStatus>(&[ClearanceEvent::Submit])
        .verb("Save the answers")
        .says("Answers saved")
        .errors(&[codes::ILLEGAL_TRANSITION])
        .owned(),
        officer(
            "compliance.compensation.of_contract",
            "GET /contracts/{contractId}/compensation-range",
            comparing::of_contract,
        )
        .purpose("what deals comparable to a contract paid")
        .title("Pay of deals comparable to a contract")
        .owned(),
        officer(
            "compliance.compensation.of_disclosed_job",
            "GET /disclosed-jobs/{id}/compensation-range",
            comparing::of_disclosed_job,
        )
        .purpose("what deals comparable to a disclosed job paid")
        .title("Pay of deals comparable to a disclosed deal")
        .owned(),
    ])
}
