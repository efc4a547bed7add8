//! Access to the portal.

use crate::accounts::portal;
use crate::accounts::portal::admin::invite_colleague;
use crate::accounts::portal::registering::verify_email;
use crate::accounts::portal::signing_in::{change_password, forgot_password, set_password};
use crate::catalog::table::portal::{owner, viewer};
use crate::catalog::table::{Entry, anyone};
use crate::error::{Code, codes};
use crate::kernel::Feature;
use crate::notifications::unsubscribing::unsubscribe;
use crate::throttle::Throttle;

/// The refusals of a log-in.
const LOGGING_IN: &[Code] =
    &[codes::WRONG_CREDENTIALS, codes::APPROVAL_PENDING, codes::ACCOUNT_SUSPENDED];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("compliance.auth.log_in", "POST /login", portal::signing_in::log_in)
            .purpose("log in with email and password; response has a `token` field")
            .errors(LOGGING_IN)
            .bare()
            .credentials()
            .throttled(Throttle::Login),
        anyone("compliance.auth.register", "POST /register", portal::registering::register)
            .purpose("register a compliance user")
            .says("Follow the link in the mail; the registration then needs approval")
            .part_of(Feature::PortalRegistration)
            .stops()
            .throttled(Throttle::Registration),
        owner("compliance.portal_user.invite", "POST /invite-user", invite_colleague)
            .purpose("invite a user to the portal")
            .says("Invitation sent")
            .errors(&[codes::EMAIL_TAKEN, codes::TOO_MANY_MAILS]),
        anyone("compliance.auth.set_password", "POST /set-password", set_password)
            .purpose("set password for an invited user")
            .says("Welcome")
            .errors(&[codes::TOKEN_INVALID, codes::ILLEGAL_TRANSITION])
            .credentials()
            .throttled(Throttle::Recovery),
        anyone("compliance.auth.change_password", "POST /change-password", change_password)
            .purpose("change password with a reset token")
            .says("Password changed")
            .errors(&[codes::TOKEN_INVALID])
            .throttled(Throttle::Recovery),
        viewer("compliance.auth.log_out", "POST /logout", portal::signing_in::log_out)
            .purpose("invalidate the session")
            .says("Logged out"),
        anyone("compliance.auth.forgot_password", "POST /forgot-password", forgot_password)
            .purpose("mail a password-reset link")
            .says("If the account exists, a link is on its way")
            .throttled(Throttle::Recovery)
            .extension(),
        anyone("compliance.notification.unsubscribe", "POST /unsubscribe", unsubscribe)
            .purpose("end the mails of an event by the link in one")
            .says("You get no more mails of this kind")
            .errors(&[codes::TOKEN_INVALID])
            .throttled(Throttle::Recovery)
            .extension(),
        anyone("compliance.auth.verify_email", "POST /verify-email", verify_email)
            .purpose("confirm a registration's e-mail with a mailed token")
            .says("The registration now needs approval")
            .part_of(Feature::PortalRegistration)
            .errors(&[codes::TOKEN_INVALID, codes::EMAIL_TAKEN])
            .throttled(Throttle::Recovery)
            .extension(),
        viewer(
            "compliance.auth.change_own_password",
            "POST /change-own-password",
            portal::passwords::change,
        )
        .purpose("change the caller's own password")
        .says("Your password is changed")
        .throttled(Throttle::Login)
        .extension(),
        viewer("compliance.session.list", "GET /sessions", portal::sessions::list)
            .purpose("list the caller's own sessions")
            .extension(),
        viewer("compliance.session.end", "POST /sessions/end", portal::sessions::end)
            .purpose("end the caller's other sessions")
            .says("Sessions ended")
            .extension(),
    ]
}
