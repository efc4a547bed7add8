//! Access to the portal.

use crate::accounts::{portal_managing, portal_registering, portal_signing_in};
use crate::auth::Role;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::Post;
use crate::catalog::row::{Entry, anyone, portal};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "compliance.auth.log_in",
            Post,
            "/login",
            "log in with email and password; response has a `token` field",
            portal_signing_in::log_in,
        )
        .credentials()
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
            portal_registering::register,
        )
        .throttled(Throttle::Registration)
        .says("Follow the link in the mail; then somebody has to approve this registration"),
        portal(
            Role::Owner,
            "compliance.portal_user.invite",
            Post,
            "/invite-user",
            "invite a user to the portal",
            portal_managing::invite_colleague,
        )
        .says("Invitation sent")
        .errors(&[codes::EMAIL_TAKEN, codes::TOO_MANY_MAILS]),
        anyone(
            "compliance.auth.set_password",
            Post,
            "/set-password",
            "set password for an invited user",
            portal_signing_in::set_password,
        )
        .credentials()
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
        anyone(
            "compliance.auth.verify_email",
            Post,
            "/verify-email",
            "show with a mailed token that a registration's e-mail is one's own",
            portal_registering::verify_email,
        )
        .extension()
        .throttled(Throttle::Recovery)
        .says("Somebody has to approve this registration")
        .errors(&[codes::TOKEN_INVALID, codes::EMAIL_TAKEN]),
    ]
}
