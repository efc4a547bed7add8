//! The Compliance interface: `/api/compliance`. Rows stand in the order and wording of the
//! specification's tables.

use super::row::Method::{Get, Post};
use super::row::{Entry, anyone, portal};
use crate::accounts::portal_signing_in;
use crate::auth::Role;
use crate::auth::throttle::Throttle;
use crate::contracts::downloading;
use crate::error::codes;
use crate::institutions;
use crate::payments;

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [authentication(), transactions(), contracts(), colleges()]
        .into_iter()
        .flatten()
        .collect()
}

/// Authentication.
fn authentication() -> Vec<Entry> {
    vec![
        anyone(
            "compliance.auth.log_in",
            Post,
            "/login",
            "log in with email and password; response has a `token` field",
            portal_signing_in::log_in,
        )
        .bare()
        .throttled(Throttle::Login)
        .errors(&[
            codes::WRONG_CREDENTIALS,
            codes::APPROVAL_PENDING,
            codes::ACCOUNT_SUSPENDED,
        ]),
        anyone(
            "compliance.auth.register",
            Post,
            "/register",
            "register a compliance user",
            portal_signing_in::register,
        )
        .throttled(Throttle::Registration)
        .says("Somebody has to approve this registration")
        .errors(&[codes::EMAIL_TAKEN]),
        anyone(
            "compliance.auth.set_password",
            Post,
            "/set-password",
            "set password for an invited user",
            portal_signing_in::set_password,
        )
        .throttled(Throttle::Recovery)
        .says("Welcome")
        .errors(&[codes::TOKEN_INVALID, codes::ILLEGAL_TRANSITION]),
        anyone(
            "compliance.auth.change_password",
            Post,
            "/change-password",
            "change password with a reset token",
            portal_signing_in::change_password,
        )
        .throttled(Throttle::Recovery)
        .says("Password changed")
        .errors(&[codes::TOKEN_INVALID]),
        portal(
            Role::Viewer,
            "compliance.auth.log_out",
            Post,
            "/logout",
            "invalidate the session",
            portal_signing_in::log_out,
        )
        .says("Logged out"),
        anyone(
            "compliance.auth.forgot_password",
            Post,
            "/forgot-password",
            "mail a password reset token",
            portal_signing_in::forgot_password,
        )
        .extension()
        .throttled(Throttle::Recovery)
        .says("If the account exists, a link is on its way"),
    ]
}

/// Contracts of the institution's athletes.
fn contracts() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.contract.download",
            Get,
            "/athletes/{athleteId}/jobs/{jobId}/download-contract",
            "download executed contract",
            downloading::as_compliance,
        )
        .owned(),
    ]
}

/// What the institution's athletes are paid.
fn transactions() -> Vec<Entry> {
    vec![portal(
        Role::Viewer,
        "compliance.transaction.list",
        Get,
        "/transactions",
        "list transactions with filters",
        payments::reviewing::list,
    )]
}

/// Colleges and their settings.
fn colleges() -> Vec<Entry> {
    vec![
        anyone(
            "compliance.college.list",
            Get,
            "/colleges",
            "list colleges (no authentication)",
            institutions::browsing::list,
        )
        .throttled(Throttle::Public),
    ]
}
