//! Sessions and the dashboard.

use crate::accounts::{operator_passwords, operators};
use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone, operator_session};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "admin.auth.csrf_token",
            Get,
            "/updateCsrfToken",
            "fresh CSRF token",
            operators::csrf_token,
        )
        .credentials(),
        anyone(
            "admin.auth.log_in",
            Post,
            "/check-login",
            "log in, establishes a session",
            operators::log_in,
        )
        .credentials()
        .throttled(Throttle::Login)
        .says("Welcome")
        .errors(&[
            codes::WRONG_CREDENTIALS,
            codes::ONE_TIME_PASSWORD_USED,
            codes::CSRF_INVALID,
        ]),
        operator_session(
            "admin.auth.log_out",
            Get,
            "/logout",
            "end the session",
            operators::log_out,
        )
        .mutates()
        .says("Logged out"),
        operator_session(
            "admin.auth.change_password",
            Post,
            "/change-password",
            "set a password of one's own",
            operator_passwords::change,
        )
        .extension()
        .credentials()
        .throttled(Throttle::Login)
        .says("Your password is changed"),
    ]
}
