//! The Core interface: `/api`. Rows stand in the order and wording of the specification's tables.

use super::row::Method::{Get, Post};
use super::row::{Entry, agent, anyone, athlete, partner, party, user};
use crate::auth::throttle::Throttle;
use crate::contracts::{confirming, downloading, requesting};
use crate::error::{Code, codes};
use crate::institutions;
use crate::jobs::{
    applying, browsing, closing, deals, delivering, hiring, inviting, managing, posting,
};

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [
        athlete_deals(),
        partner_jobs(),
        partner_hiring(),
        partner_deals(),
        agent_contracts(),
        jobs_and_deals(),
        public(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Why somebody cannot be hired.
const HIRING: &[Code] = &[
    codes::ILLEGAL_TRANSITION,
    codes::JOB_NOT_OPEN,
    codes::JOB_FULL,
    codes::ATHLETE_UNAVAILABLE,
    codes::NOT_ELIGIBLE,
    codes::ATHLETE_NOT_READY,
    codes::GUARDIAN_CONSENT_MISSING,
    codes::EXCLUSIVITY_CONFLICT,
    codes::CONTRACT_INCOMPLETE,
];

/// Athletes: work and requests in their deals.
fn athlete_deals() -> Vec<Entry> {
    vec![
        party(
            "core.deliverable.outstanding",
            Post,
            "/athleteDeliverablesV3",
            "list outstanding deliverables for a deal",
            delivering::outstanding,
        )
        .owned(),
        party(
            "core.deliverable.overdue",
            Post,
            "/athleteOverDueDeliverables",
            "list overdue deliverables",
            delivering::overdue,
        )
        .owned(),
        athlete(
            "core.contract.download_as_athlete",
            Get,
            "/athlete/jobs/{jobId}/download-contract",
            "download a job contract PDF",
            downloading::as_athlete,
        )
        .owned(),
        athlete(
            "core.contract.confirm_availability",
            Post,
            "/athlete/confirm-the-availability",
            "confirm availability for a hired job",
            confirming::confirm_availability,
        )
        .owned()
        .says("Availability confirmed")
        .errors(&[codes::NOT_HIRED, codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.contract.not_available",
            Post,
            "/athlete/not-available-for-deal",
            "decline a hired job, initiates contract cancellation",
            requesting::not_available,
        )
        .owned()
        .says("Cancellation requested")
        .errors(&[
            codes::NOT_HIRED,
            codes::REQUEST_PENDING,
            codes::ILLEGAL_TRANSITION,
        ]),
        athlete(
            "core.contract.request_new_due_date",
            Post,
            "/athlete/request-new-due-date-for-deal",
            "request a deadline extension on a deliverable",
            requesting::request_new_due_date,
        )
        .owned()
        .says("New due date requested")
        .errors(&[
            codes::NOT_HIRED,
            codes::REQUEST_PENDING,
            codes::EXTENSION_LIMIT,
            codes::ILLEGAL_TRANSITION,
        ]),
        athlete(
            "core.contract.withdraw_request",
            Post,
            "/athlete/withdraw-contract-request",
            "withdraw a pending contract request",
            requesting::withdraw,
        )
        .extension()
        .owned()
        .says("Request withdrawn")
        .errors(&[codes::NOT_HIRED, codes::NO_PENDING_REQUEST]),
        athlete(
            "core.job.request_manual_review_of_deal",
            Post,
            "/athlete/request-manual-review",
            "escalate a deal with a silent brand for manual platform review",
            managing::ask_review_of_deal,
        )
        .extension()
        .owned()
        .says("Review requested")
        .errors(&[codes::REQUEST_PENDING]),
        athlete(
            "core.application.respond_invitation",
            Post,
            "/athlete/respond-invitation",
            "accept or decline an invitation to a job",
            applying::respond_invitation,
        )
        .extension()
        .owned()
        .says("Invitation answered")
        .errors(&[
            codes::JOB_CLOSED,
            codes::NOT_ELIGIBLE,
            codes::ATHLETE_NOT_READY,
            codes::ATHLETE_UNAVAILABLE,
            codes::REJECTED_BEFORE,
            codes::ILLEGAL_TRANSITION,
        ]),
    ]
}

/// Partners: their jobs and who applies.
fn partner_jobs() -> Vec<Entry> {
    vec![
        partner(
            "core.job.posted",
            Post,
            "/partnerJobs",
            "list jobs posted by the partner",
            browsing::posted,
        ),
        partner(
            "core.application.list",
            Post,
            "/partnerGetJobApplicants",
            "list applicants of a job",
            browsing::applicants,
        )
        .owned(),
    ]
}

/// Partners: hiring several at once.
fn partner_hiring() -> Vec<Entry> {
    vec![
        partner(
            "core.application.hire_bulk",
            Post,
            "/partner/bulk-hiring",
            "hire several athletes for a job",
            hiring::hire_bulk,
        )
        .owned()
        .says("Athletes hired")
        .errors(HIRING),
    ]
}

/// Partners: decisions in their deals.
fn partner_deals() -> Vec<Entry> {
    vec![
        partner(
            "core.deliverable.deny",
            Post,
            "/partner/deny-athlete-deliverable/{milestonesAthleteRel}",
            "reject a submitted deliverable",
            delivering::deny,
        )
        .owned()
        .says("Deliverable denied")
        .errors(&[codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION]),
        partner(
            "core.job.request_manual_review",
            Post,
            "/partner/request-manual-review",
            "escalate a job or deal for manual platform review",
            managing::ask_review,
        )
        .owned()
        .says("Review requested")
        .errors(&[codes::REQUEST_PENDING]),
        partner(
            "core.contract.dismiss_request",
            Post,
            "/partner/dismiss-contract-request",
            "dismiss a pending contract request",
            requesting::dismiss,
        )
        .owned()
        .says("Contract request dismissed")
        .errors(&[codes::NO_PENDING_REQUEST]),
        partner(
            "core.contract.accept_request",
            Post,
            "/partner/accept-contract-request",
            "accept a pending contract request",
            requesting::accept,
        )
        .extension()
        .owned()
        .says("Contract request accepted")
        .errors(&[codes::NO_PENDING_REQUEST]),
    ]
}

/// Agents: the contracts of their athletes.
fn agent_contracts() -> Vec<Entry> {
    vec![
        agent(
            "core.contract.download_as_agent",
            Get,
            "/agent/athlete/{athleteId}/job/{jobId}/download-contract",
            "download a contract PDF",
            downloading::as_agent,
        )
        .owned(),
    ]
}

/// Jobs and deals.
fn jobs_and_deals() -> Vec<Entry> {
    vec![
        partner(
            "core.job.save",
            Post,
            "/add-job",
            "create or edit a job",
            posting::save,
        )
        .owned()
        .says("Job saved")
        .errors(&[codes::JOB_HAS_HIRES, codes::JOB_NOT_OPEN]),
        user(
            "core.job.search",
            Post,
            "/searchJobV2",
            "search and filter jobs",
            browsing::search,
        ),
        user(
            "core.job.detail",
            Post,
            "/getSelectedJob",
            "details of one job",
            browsing::detail,
        ),
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
        .errors(&[codes::ATHLETE_REQUIRED]),
        party(
            "core.deal.list",
            Post,
            "/myDealsV2",
            "list active deals of the authenticated user",
            deals::list,
        )
        .owned(),
        party(
            "core.deal.count",
            Post,
            "/myDealsCount",
            "status counts of deals",
            deals::count,
        ),
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
        partner(
            "core.job.reopen",
            Post,
            "/job/reopen",
            "open a closed job again",
            closing::reopen,
        )
        .extension()
        .owned()
        .says("Job reopened")
        .errors(&[
            codes::ILLEGAL_TRANSITION,
            codes::JOB_FULL,
            codes::JOB_CLOSED,
        ]),
        partner(
            "core.job.cancel",
            Post,
            "/job/cancel",
            "call a job off",
            closing::cancel,
        )
        .extension()
        .owned()
        .says("Job cancelled")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::JOB_HAS_CONTRACTS]),
    ]
}

/// No authentication.
fn public() -> Vec<Entry> {
    vec![
        anyone(
            "core.public.colleges",
            Post,
            "/listColleges",
            "list colleges and universities",
            institutions::browsing::list,
        )
        .throttled(Throttle::Public),
    ]
}
