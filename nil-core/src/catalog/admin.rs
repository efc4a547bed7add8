//! The Admin interface: `/admin`. Rows stand in the order and wording of the specification's tables.

use super::row::Method::{Get, Post};
use super::row::{Entry, any_operator, anyone, operator};
use crate::accounts::{operators, portal_managing};
use crate::auth::Permission::{Accounts, Finance, Jobs};
use crate::auth::throttle::Throttle;
use crate::contracts::ending;
use crate::error::codes;
use crate::institutions;
use crate::jobs::managing;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [authentication(), jobs(), university_admins(), colleges()]
        .into_iter()
        .flatten()
        .collect()
}

/// Authentication.
fn authentication() -> Vec<Entry> {
    vec![
        anyone(
            "admin.auth.csrf_token",
            Get,
            "/updateCsrfToken",
            "fresh CSRF token",
            operators::csrf_token,
        ),
        anyone(
            "admin.auth.log_in",
            Post,
            "/check-login",
            "log in, establishes a session",
            operators::log_in,
        )
        .throttled(Throttle::Login)
        .says("Welcome")
        .errors(&[codes::WRONG_CREDENTIALS, codes::CSRF_INVALID]),
        any_operator(
            "admin.auth.log_out",
            Get,
            "/logout",
            "end the session",
            operators::log_out,
        )
        .mutates()
        .says("Logged out"),
    ]
}

/// University admins: the portal users of institutions.
fn university_admins() -> Vec<Entry> {
    vec![
        operator(
            Accounts,
            "admin.university_admin.save",
            Post,
            "/university-admin/save",
            "create or update",
            portal_managing::save,
        )
        .says("Saved")
        .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION]),
    ]
}

/// Jobs.
fn jobs() -> Vec<Entry> {
    vec![
        operator(
            Jobs,
            "admin.job.list",
            Get,
            "/job/{status}/{id}",
            "list jobs by status",
            managing::list,
        ),
        operator(
            Jobs,
            "admin.job.view",
            Get,
            "/job/view/{id}",
            "job details",
            managing::view,
        ),
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
            managing::resolve_review,
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

/// Colleges (extension: the specification lists them but lets nobody make one).
fn colleges() -> Vec<Entry> {
    vec![
        operator(
            Accounts,
            "admin.college.save",
            Post,
            "/college/save",
            "create or update a college",
            institutions::managing::save,
        )
        .extension()
        .says("College saved")
        .errors(&[codes::DUPLICATE]),
    ]
}
