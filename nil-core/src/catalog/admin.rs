//! The Admin interface: `/admin`. Rows stand in the order and wording of the specification's tables.

use super::row::Method::{Get, Post};
use super::row::{Entry, any_operator, anyone, operator};
use crate::accounts::{managing, operators, portal_managing};
use crate::auth::Permission::Accounts;
use crate::auth::throttle::Throttle;
use crate::error::codes;
use crate::institutions;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [
        authentication(),
        athletes(),
        university_admins(),
        colleges(),
    ]
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

/// Athletes.
fn athletes() -> Vec<Entry> {
    vec![
        operator(
            Accounts,
            "admin.athlete.send_verification",
            Get,
            "/athletes/send-email/{id}",
            "send verification email",
            managing::send_verification,
        )
        .mutates()
        .says("Verification sent")
        .errors(&[codes::ILLEGAL_TRANSITION]),
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
        operator(
            Accounts,
            "admin.university_admin.send_verification",
            Get,
            "/university-admin/send-email/{id}",
            "send verification email",
            portal_managing::send_invitation,
        )
        .mutates()
        .says("Invitation sent")
        .errors(&[codes::ILLEGAL_TRANSITION]),
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
