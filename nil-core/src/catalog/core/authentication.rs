//! Log-in, log-out, password recovery.

use crate::accounts::profiles::tutorial::complete_step;
use crate::accounts::profiles::{self, tutorial};
use crate::accounts::signing_in::{self, recovering};
use crate::auth::Permission;
use crate::catalog::section::{ATHLETES, PARTNERS, TUTORIAL};
use crate::catalog::table::{Entry, anyone, athlete, partner, user};
use crate::departures::closing;
use crate::error::{Code, codes};
use crate::takeout::taking;
use crate::throttle::Throttle;

/// The refusals of a log-in.
const LOGGING_IN: &[Code] =
    &[codes::WRONG_CREDENTIALS, codes::REGISTRATION_INCOMPLETE, codes::ACCOUNT_SUSPENDED];

/// The refusals of a takeout's file.
const TAKEOUT: &[Code] = &[codes::NOT_READY, codes::EXPORT_FAILED, codes::EXPORT_EXPIRED];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("core.auth.log_in", "POST /login", signing_in::log_in)
            .purpose("log in, receive a JWT")
            .errors(LOGGING_IN)
            .bare()
            .credentials()
            .throttled(Throttle::Login),
        user("core.auth.log_out", "POST /logout", signing_in::log_out)
            .purpose("invalidate the current token")
            .says("Logged out"),
        user("core.auth.me", "POST /me", signing_in::me)
            .purpose("return the authenticated user's record")
            .for_impersonators(Permission::Accounts),
        anyone("core.auth.forget_password", "POST /forget-password", recovering::forget_password)
            .purpose("request a password reset email")
            .says("If the account exists, a link is on its way")
            .throttled(Throttle::Recovery),
        anyone(
            "core.auth.confirm_password_reset",
            "POST /forget-password-confirm",
            recovering::confirm_password_reset,
        )
        .purpose("confirm a reset with the token")
        .says("Password changed")
        .errors(&[codes::TOKEN_INVALID])
        .throttled(Throttle::Recovery),
        anyone("core.auth.check_email", "POST /check-email-exist", recovering::check_email)
            .purpose("check that an email is not already taken (call before registration)")
            .throttled(Throttle::Registration),
        anyone("core.auth.verify_email", "POST /verify-email", recovering::verify_email)
            .purpose("verify an e-mail with a mailed token")
            .says("E-mail verified")
            .errors(&[codes::TOKEN_INVALID])
            .throttled(Throttle::Recovery)
            .extension(),
        user("core.account.close", "POST /deactivate-account", closing::close_own)
            .purpose("close the caller's account and erase their personal data")
            .says("Account closed")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::ACCOUNT_NOT_SETTLED])
            .throttled(Throttle::Login)
            .extension(),
        user("core.account.request_takeout", "POST /takeout", taking::request)
            .purpose("ask for a copy of the caller's data")
            .says("Takeout requested")
            .throttled(Throttle::Recovery)
            .extension(),
        athlete("core.athlete.takeout", "GET /athlete/takeout", taking::of_athlete)
            .purpose("the copy of the athlete's data as a ZIP that opens in a browser")
            .under(&ATHLETES)
            .audited()
            .sends("application/zip")
            .errors(TAKEOUT)
            .extension(),
        user("core.account.takeout", "GET /takeout", taking::of_user)
            .purpose("the copy of the caller's data as a ZIP that opens in a browser")
            .audited()
            .sends("application/zip")
            .errors(TAKEOUT)
            .extension(),
        user("core.tutorial.show", "GET /tutorial", tutorial::show)
            .purpose("show the caller's tutorial")
            .for_impersonators(Permission::Accounts)
            .under(&TUTORIAL)
            .extension(),
        user("core.tutorial.complete_step", "POST /tutorial/complete-step", complete_step)
            .purpose("tick off a step of the tutorial")
            .under(&TUTORIAL)
            .says("Step done")
            .extension(),
        partner("core.partner.me", "GET /partner/me", profiles::partner_me)
            .purpose("brand profile")
            .for_impersonators(Permission::Accounts)
            .under(&PARTNERS)
            .extension(),
    ]
}
