//! Jobs and their contracts.

use crate::auth::Permission::Finance;
use crate::auth::Permission::Jobs;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, operator};
use crate::contracts::ending;
use crate::error::codes;
use crate::jobs::managing;
use crate::jobs::reviewing;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        operator(
            Jobs,
            "admin.job.list",
            Get,
            "/job/{status}/{id}",
            "list jobs by status",
            managing::list,
        ),
        operator(Jobs, "admin.job.view", Get, "/job/view/{id}", "job details", managing::view),
        operator(
            Jobs,
            "admin.job.applicants",
            Post,
            "/job/jobApplicantPagination/{id}",
            "paginate applicants",
            managing::applicants,
        ),
        operator(
            Jobs,
            "admin.job.hired",
            Post,
            "/job/jobApplicantHiredPagination/{id}",
            "paginate hired applicants",
            managing::hired,
        ),
        operator(
            Jobs,
            "admin.job.remove_athlete",
            Post,
            "/job/remove-athlete",
            "remove an athlete from a job",
            managing::remove_athlete,
        )
        .says("Athlete removed")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        operator(
            Jobs,
            "admin.job.cancel_contract",
            Post,
            "/job/cancel-contract",
            "cancel a job contract",
            ending::cancel,
        )
        .says("Contract cancelled")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        operator(
            Finance,
            "admin.job.update_fee",
            Post,
            "/job/update-partner-fee/{job_id}",
            "update or waive the partner fee",
            managing::update_fee,
        )
        .says("Fee updated"),
        operator(
            Jobs,
            "admin.job.decide_pending",
            Post,
            "/job/updateJobStatusFromPending",
            "move a job out of pending",
            managing::decide_pending,
        )
        .says("Job decided")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        operator(
            Jobs,
            "admin.job.resolve_manual_review",
            Post,
            "/job/resolve-manual-review",
            "resolve a manual review",
            reviewing::resolve_review,
        )
        .extension()
        .says("Review resolved")
        .errors(&[
            codes::NO_PENDING_REQUEST,
            codes::CONTRACT_NOT_ACTIVE,
            codes::ILLEGAL_TRANSITION,
        ]),
    ]
}
