//! Logging in and out, recovering a password.

use crate::accounts::profiles;
use crate::accounts::recovering;
use crate::accounts::signing_in;
use crate::accounts::tutorial;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone, partner, user};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("core.auth.log_in", Post, "/login", "log in, receive a JWT", signing_in::log_in)
            .credentials()
            .bare()
            .throttled(Throttle::Login)
            .errors(&[
                codes::WRONG_CREDENTIALS,
                codes::REGISTRATION_INCOMPLETE,
                codes::ACCOUNT_SUSPENDED,
            ]),
        user(
            "core.auth.log_out",
            Post,
            "/logout",
            "invalidate the current token",
            signing_in::log_out,
        )
        .says("Logged out"),
        user("core.auth.me", Post, "/me", "return the authenticated user's record", signing_in::me),
        anyone(
            "core.auth.forget_password",
            Post,
            "/forget-password",
            "request a password reset email",
            recovering::forget_password,
        )
        .throttled(Throttle::Recovery)
        .says("If the account exists, a link is on its way"),
        anyone(
            "core.auth.confirm_password_reset",
            Post,
            "/forget-password-confirm",
            "confirm a reset with the token",
            recovering::confirm_password_reset,
        )
        .throttled(Throttle::Recovery)
        .says("Password changed")
        .errors(&[codes::TOKEN_INVALID]),
        anyone(
            "core.auth.check_email",
            Post,
            "/check-email-exist",
            "check that an email is not already taken (call before registration)",
            recovering::check_email,
        )
        .throttled(Throttle::Registration),
        anyone(
            "core.auth.verify_email",
            Post,
            "/verify-email",
            "verify an e-mail by the mailed link",
            recovering::verify_email,
        )
        .extension()
        .throttled(Throttle::Recovery)
        .says("E-mail verified")
        .errors(&[codes::TOKEN_INVALID]),
        user("core.tutorial.show", Get, "/tutorial", "the caller's first steps", tutorial::show)
            .extension(),
        user(
            "core.tutorial.complete_step",
            Post,
            "/tutorial/complete-step",
            "tick a step of the tutorial off",
            tutorial::complete_step,
        )
        .extension()
        .says("Step done"),
        partner("core.partner.me", Get, "/partner/me", "brand profile", profiles::partner_me)
            .extension(),
    ]
}
