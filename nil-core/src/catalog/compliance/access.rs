//! Access to the portal.

use crate::accounts::portal;
use crate::accounts::portal::admin::invite_colleague;
use crate::accounts::portal::registering::verify_email;
use crate::accounts::portal::signing_in::{change_password, forgot_password, set_password};
use crate::accounts::two_step;
use crate::catalog::table::portal::{owner, viewer};
use crate::catalog::table::{Entry, anyone};
use crate::catalog::two_step::{confirming, replacing_codes, starting, turning_off};
use crate::error::{Code, codes};
use crate::kernel::Feature;
use crate::notifications::unsubscribing::unsubscribe;
use crate::throttle::Throttle;

/// The refusals of a log-in.
const LOGGING_IN: &[Code] = &[
    codes::WRONG_CREDENTIALS,
    codes::TOTP_REQUIRED,
    codes::TOTP_INVALID,
    codes::TOTP_BLOCKED,
    codes::APPROVAL_PENDING,
    codes::ACCOUNT_SUSPENDED,
    codes::SIGN_ON_REQUIRED,
];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("compliance.auth.log_in", "POST /login", portal::signing_in::log_in)
            .purpose("log in with email and password; response has a `token` field")
            .title("Sign in")
            .verb("Sign in")
            .errors(LOGGING_IN)
            .bare()
            .credentials()
            .throttled(Throttle::Login),
        anyone("compliance.auth.register", "POST /register", portal::registering::register)
            .purpose("register a compliance user")
            .title("Ask for access to the portal")
            .verb("Ask for access")
            .says("Follow the link in the mail; the registration then needs approval")
            .errors(&[codes::SIGN_ON_REQUIRED])
            .part_of(Feature::PortalRegistration)
            .stops()
            .throttled(Throttle::Registration),
        owner("compliance.portal_user.invite", "POST /invite-user", invite_colleague)
            .purpose("invite a user to the portal")
            .title("Invite a colleague")
            .verb("Invite")
            .says("Invitation sent")
            .errors(&[codes::EMAIL_TAKEN, codes::TOO_MANY_MAILS]),
        anyone("compliance.auth.set_password", "POST /set-password", set_password)
            .purpose("set password for an invited user")
            .title("Set your first password")
            .verb("Set the password")
            .says("Welcome")
            .errors(&[codes::TOKEN_INVALID, codes::ILLEGAL_TRANSITION, codes::SIGN_ON_REQUIRED])
            .credentials()
            .throttled(Throttle::Recovery),
        anyone("compliance.auth.change_password", "POST /change-password", change_password)
            .purpose("change password with a reset token")
            .title("Set a new password by a mailed link")
            .verb("Set the password")
            .says("Password changed")
            .errors(&[codes::TOKEN_INVALID, codes::SIGN_ON_REQUIRED])
            .throttled(Throttle::Recovery),
        viewer("compliance.auth.log_out", "POST /logout", portal::signing_in::log_out)
            .purpose("invalidate the session")
            .title("Sign out")
            .verb("Sign out")
            .says("Logged out"),
        anyone("compliance.auth.forgot_password", "POST /forgot-password", forgot_password)
            .purpose("mail a password-reset link")
            .title("Get a link for a new password")
            .verb("Send the link")
            .says("If the account exists, a link is on its way")
            .throttled(Throttle::Recovery)
            .extension(),
        anyone("compliance.notification.unsubscribe", "POST /unsubscribe", unsubscribe)
            .purpose("end the mails of an event by the link in one")
            .title("End mails of this kind")
            .verb("End these mails")
            .says("You get no more mails of this kind")
            .errors(&[codes::TOKEN_INVALID])
            .throttled(Throttle::Recovery)
            .extension(),
        anyone("compliance.auth.verify_email", "POST /verify-email", verify_email)
            .purpose("confirm a registration's e-mail with a mailed token")
            .title("Confirm your e-mail address")
            .verb("Confirm")
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
        .title("Change your password")
        .verb("Change the password")
        .says("Your password is changed")
        .errors(&[codes::SIGN_ON_REQUIRED])
        .throttled(Throttle::Login)
        .extension(),
        viewer("compliance.session.list", "GET /sessions", portal::sessions::list)
            .purpose("list the caller's own sessions")
            .title("Your sessions")
            .columns(&["address", "created_at", "expires_at", "current"])
            .extension(),
        viewer("compliance.session.end", "POST /sessions/end", portal::sessions::end)
            .purpose("end the caller's other sessions")
            .title("End your other sessions")
            .verb("End")
            .says("Sessions ended")
            .extension(),
        starting(viewer("compliance.totp.start", "POST /totp/start", two_step::start)),
        confirming(viewer("compliance.totp.confirm", "POST /totp/confirm", two_step::confirm)),
        replacing_codes(viewer(
            "compliance.totp.recovery_codes",
            "POST /totp/recovery-codes",
            two_step::replace_codes,
        )),
        turning_off(viewer("compliance.totp.off", "POST /totp/off", two_step::turn_off)),
    ]
}
