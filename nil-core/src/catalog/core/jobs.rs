//! Jobs and deals.

use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, athlete, partner, party, payee, user};
use crate::contracts::downloading;
use crate::disclosures;
use crate::error::Code;
use crate::error::codes;
use crate::jobs::applying;
use crate::jobs::browsing;
use crate::jobs::closing;
use crate::jobs::deals;
use crate::jobs::delivering;
use crate::jobs::hiring;
use crate::jobs::inviting;
use crate::jobs::posting;

/// Why somebody cannot be hired.
const HIRING: &[Code] = &[
    codes::ILLEGAL_TRANSITION,
    codes::JOB_NOT_OPEN,
    codes::JOB_FULL,
    codes::DUE_DATE_PASSED,
    codes::ATHLETE_UNAVAILABLE,
    codes::NOT_ELIGIBLE,
    codes::ATHLETE_NOT_READY,
    codes::GUARDIAN_CONSENT_MISSING,
    codes::CATEGORY_PROHIBITED,
    codes::CATEGORY_RESTRICTED,
    codes::SPONSOR_CONFLICT,
    codes::BLACKOUT,
    codes::VISA_STATUS,
    codes::EXCLUSIVITY_CONFLICT,
    codes::CONTRACT_INCOMPLETE,
];

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        partner("core.job.save", Post, "/add-job", "create or edit a job", posting::save)
            .owned()
            .says("Job saved")
            .errors(&[codes::JOB_HAS_HIRES, codes::JOB_NOT_OPEN]),
        user("core.job.search", Post, "/searchJobV2", "search and filter jobs", browsing::search),
        user("core.job.detail", Post, "/getSelectedJob", "details of one job", browsing::detail),
        athlete(
            "core.application.apply",
            Post,
            "/applyJob",
            "apply to a job as an athlete",
            applying::apply,
        )
        .says("Application sent")
        .errors(&[
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
        ]),
        partner(
            "core.application.invite_bulk",
            Post,
            "/inviteAthleteJobBulk",
            "bulk invite athletes",
            inviting::invite_bulk,
        )
        .owned()
        .says("Athletes invited")
        .errors(&[codes::JOB_NOT_OPEN]),
        partner(
            "core.application.hire",
            Post,
            "/athleteHire",
            "hire an athlete (applicant to hired, generates the contract)",
            hiring::hire,
        )
        .owned()
        .says("Athlete hired")
        .errors(HIRING),
        partner(
            "core.application.reject",
            Post,
            "/rejectAthletefromJob",
            "reject an applicant",
            inviting::reject,
        )
        .owned()
        .says("Applicant rejected")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        partner(
            "core.deliverable.change_status",
            Post,
            "/jobStatusChange",
            "update the status of a deliverable",
            delivering::change_status,
        )
        .owned()
        .says("Deliverable updated")
        .errors(&[codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.deliverable.submit",
            Post,
            "/submitMediaPost",
            "submit a media post as a deliverable",
            delivering::submit,
        )
        .owned()
        .says("Deliverable submitted")
        .errors(&[codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION]),
        party(
            "core.contract.download",
            Get,
            "/jobs/{jobId}/download-contract",
            "download the job contract PDF",
            downloading::as_party,
        )
        .owned()
        .sends("application/pdf")
        .errors(&[codes::ATHLETE_REQUIRED]),
        payee(
            "core.disclosed_job.save",
            Post,
            "/add-disclosed-job",
            "create or edit a disclosed job",
            disclosures::disclosing::save,
        )
        .owned()
        .says("Disclosed job saved")
        .errors(&[codes::ATHLETE_NOT_READY, codes::ILLEGAL_TRANSITION]),
        party(
            "core.deal.list",
            Post,
            "/myDealsV2",
            "list active deals of the authenticated user",
            deals::list,
        )
        .owned(),
        party("core.deal.count", Post, "/myDealsCount", "status counts of deals", deals::count),
        party(
            "core.contract.download_amendments",
            Get,
            "/jobs/{jobId}/contract-amendments",
            "download the amendments to the job contract as a PDF",
            downloading::amendments_as_party,
        )
        .sends("application/pdf")
        .extension()
        .owned()
        .errors(&[codes::ATHLETE_REQUIRED, codes::NO_AMENDMENTS]),
        athlete(
            "core.application.withdraw",
            Post,
            "/withdrawApplication",
            "withdraw an application",
            applying::withdraw,
        )
        .extension()
        .owned()
        .says("Application withdrawn")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        partner(
            "core.job.close",
            Post,
            "/job/close",
            "close a job to applications",
            closing::close,
        )
        .extension()
        .owned()
        .says("Job closed")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        partner("core.job.reopen", Post, "/job/reopen", "open a closed job again", closing::reopen)
            .extension()
            .owned()
            .says("Job reopened")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::JOB_FULL, codes::JOB_CLOSED]),
        partner("core.job.cancel", Post, "/job/cancel", "call a job off", closing::cancel)
            .extension()
            .owned()
            .says("Job cancelled")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::JOB_HAS_CONTRACTS]),
        payee(
            "core.disclosed_job.list",
            Post,
            "/disclosedJobs",
            "list disclosed jobs",
            disclosures::browsing::own,
        )
        .extension(),
        athlete(
            "core.disclosed_job.withdraw",
            Post,
            "/withdrawDisclosedJob",
            "take a disclosed job back",
            disclosures::disclosing::withdraw,
        )
        .extension()
        .owned()
        .says("Disclosed job withdrawn")
        .errors(&[codes::ILLEGAL_TRANSITION]),
    ]
}
