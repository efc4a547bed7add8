//! Sessions and the dashboard.

use crate::accounts::operators;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, any_operator, anyone};
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
