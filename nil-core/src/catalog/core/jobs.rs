//! Jobs and deals.

use crate::auth::Permission;
use crate::catalog::refusals::{DELIVERING, HIRING};
use crate::catalog::table::{Entry, athlete, extensions, partner, party, payee, user};
use crate::compensation::asking;
use crate::contracts::downloading;
use crate::contracts::downloading::as_party;
use crate::deals::delivering::change_status;
use crate::deals::{browsing as deals, delivering, hiring, watch_history};
use crate::disclosures;
use crate::disclosures::{disclosing, preparing, showing};
use crate::error::{Code, codes};
use crate::jobs::inviting::invite_bulk;
use crate::jobs::{applying, browsing, closing, inviting, posting};
use crate::kernel::Feature;

/// The refusals of an application.
const APPLYING: &[Code] = &[
    codes::ALREADY_APPLIED,
    codes::JOB_CLOSED,
    codes::REJECTED_BEFORE,
    codes::NOT_ELIGIBLE,
    codes::ATHLETE_NOT_READY,
    codes::ATHLETE_UNAVAILABLE,
    codes::CATEGORY_PROHIBITED,
    codes::SPONSOR_CONFLICT,
    codes::BLACKOUT,
    codes::VISA_STATUS,
];

const A_JOB: &[&str] = &[
    "title",
    "description",
    "category_id",
    "compensation",
    "slots",
    "business_purpose",
    "milestones",
];

const A_DISCLOSED_JOB: &[&str] = &[
    "payer_name",
    "payer_kind",
    "title",
    "category_id",
    "amount_cents",
    "compensation",
    "signed_on",
    "description",
];

pub(super) fn specified() -> Vec<Entry> {
    vec![
        partner("core.job.save", "POST /add-job", posting::save)
            .purpose("create or edit a job")
            .says("Job saved")
            .for_impersonators(Permission::Jobs)
            .errors(&[codes::JOB_HAS_HIRES, codes::JOB_NOT_OPEN])
            .part_of(Feature::AffiliateLinks)
            .stops_with("compensation", "commission")
            .new_needs(A_JOB)
            .owned(),
        user("core.job.search", "POST /searchJobV2", browsing::search)
            .may_be_behind()
            .purpose("search and filter jobs")
            .for_impersonators(Permission::Accounts),
        user("core.job.detail", "POST /getSelectedJob", browsing::detail)
            .purpose("details of one job")
            .for_impersonators(Permission::Accounts),
        athlete("core.application.apply", "POST /applyJob", applying::apply)
            .purpose("apply to a job as an athlete")
            .says("Application sent")
            .errors(APPLYING),
        partner("core.application.invite_bulk", "POST /inviteAthleteJobBulk", invite_bulk)
            .purpose("bulk invite athletes")
            .says("Athletes invited")
            .errors(&[codes::JOB_NOT_OPEN])
            .owned(),
        partner("core.application.hire", "POST /athleteHire", hiring::hire)
            .purpose("hire an athlete (applicant to hired, generates the contract)")
            .says("Athlete hired")
            .errors(HIRING)
            .owned(),
        partner("core.application.reject", "POST /rejectAthletefromJob", inviting::reject)
            .purpose("reject an applicant")
            .says("Applicant rejected")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        partner("core.deliverable.change_status", "POST /jobStatusChange", change_status)
            .purpose("update the status of a deliverable")
            .says("Deliverable updated")
            .errors(DELIVERING)
            .owned(),
        athlete("core.deliverable.submit", "POST /submitMediaPost", delivering::submit)
            .purpose("submit a media post as a deliverable")
            .says("Deliverable submitted")
            .errors(DELIVERING)
            .owned(),
        party("core.contract.download", "GET /jobs/{jobId}/download-contract", as_party)
            .purpose("download the job contract PDF")
            .for_impersonators(Permission::Jobs)
            .audited()
            .sends("application/pdf")
            .errors(&[codes::CONTRACT_INCOMPLETE, codes::ATHLETE_REQUIRED])
            .owned(),
        payee("core.disclosed_job.save", "POST /add-disclosed-job", disclosing::save)
            .purpose("create or edit a disclosed job")
            .says("Disclosed job saved")
            .errors(&[codes::ATHLETE_NOT_READY, codes::ILLEGAL_TRANSITION])
            .new_needs(A_DISCLOSED_JOB)
            .owned(),
        party("core.deal.list", "POST /myDealsV2", deals::list)
            .purpose("list active deals of the authenticated user")
            .for_impersonators(Permission::Accounts)
            .audited()
            .owned(),
        party("core.deal.count", "POST /myDealsCount", deals::count)
            .purpose("status counts of deals")
            .for_impersonators(Permission::Accounts),
    ]
}

pub(super) fn beyond() -> Vec<Entry> {
    extensions(vec![
        party(
            "core.contract.download_amendments",
            "GET /jobs/{jobId}/contract-amendments",
            downloading::amendments_as_party,
        )
        .purpose("download the amendments to the job contract as a PDF")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE, codes::ATHLETE_REQUIRED, codes::NO_AMENDMENTS])
        .owned(),
        party(
            "core.deliverable.post_checks",
            "GET /deliverables/{deliverableId}/post-checks",
            watch_history::list,
        )
        .purpose("list the daily checks of a deliverable's posts")
        .for_impersonators(Permission::Jobs)
        .audited()
        .owned(),
        athlete("core.application.withdraw", "POST /withdrawApplication", applying::withdraw)
            .purpose("withdraw an application")
            .says("Application withdrawn")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        partner("core.job.close", "POST /job/close", closing::close)
            .purpose("close a job to applications")
            .says("Job closed")
            .for_impersonators(Permission::Jobs)
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        partner("core.job.reopen", "POST /job/reopen", closing::reopen)
            .purpose("reopen a closed job")
            .says("Job reopened")
            .for_impersonators(Permission::Jobs)
            .errors(&[codes::ILLEGAL_TRANSITION, codes::JOB_FULL, codes::JOB_CLOSED])
            .owned(),
        partner("core.job.cancel", "POST /job/cancel", closing::cancel)
            .purpose("cancel a job")
            .says("Job cancelled")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::JOB_HAS_CONTRACTS])
            .owned(),
        payee("core.compensation.for_athlete", "POST /compensationRange", asking::for_athlete)
            .purpose("what comparable deals of other athletes paid")
            .owned(),
        partner("core.compensation.for_brand", "POST /plannedCompensation", asking::for_brand)
            .purpose("what comparable deals of other brands paid"),
        payee("core.disclosed_job.list", "POST /disclosedJobs", disclosures::browsing::own)
            .purpose("list disclosed jobs")
            .for_impersonators(Permission::Jobs),
        athlete("core.disclosed_job.withdraw", "POST /withdrawDisclosedJob", disclosing::withdraw)
            .purpose("withdraw a disclosed job")
            .says("Disclosed job withdrawn")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        payee("core.clearance.list", "GET /clearances", showing::own)
            .purpose("list the clearinghouse status of the caller's deals")
            .for_impersonators(Permission::Jobs)
            .audited(),
        payee("core.clearance.detail", "GET /clearances/{id}", showing::detail)
            .purpose("see what the clearinghouse is told about a deal and what is missing")
            .for_impersonators(Permission::Jobs)
            .audited()
            .owned(),
        payee(
            "core.clearance.download_packet",
            "GET /clearances/{id}/packet",
            disclosures::downloading::packet,
        )
        .purpose("download what the clearinghouse is told about a deal as a PDF")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE])
        .owned(),
        payee("core.clearance.save_packet", "PUT /clearances/{id}/packet", preparing::save)
            .purpose("complete or revise what the clearinghouse is told about a deal")
            .says("Packet saved")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        athlete("core.clearance.submit", "POST /clearances/{id}/submit", preparing::submit)
            .purpose("submit a deal to the clearinghouse")
            .says("Submitted to the clearinghouse")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
    ])
}
