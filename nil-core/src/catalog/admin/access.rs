//! Sessions and the dashboard.

use crate::accounts::operators::impersonating::start;
use crate::accounts::operators::passwords::change;
use crate::accounts::operators::two_step::turn_off;
use crate::accounts::operators::{self, impersonating};
use crate::accounts::sign_on::{operators as signing_on, starting};
use crate::accounts::two_step;
use crate::catalog::table::{Entry, anyone, operator, operator_session};
use crate::catalog::two_step::{confirming, replacing_codes, starting, turning_off};
use crate::dashboard::{self, audit_log};
use crate::error::{Code, codes};
use crate::throttle::Throttle;

/// The columns of sessions.
const SESSIONS: &[&str] = &["address", "created_at", "used_at", "expires_at", "current"];

/// The columns of impersonations.
const IMPERSONATIONS: &[&str] = &[
    "account_name",
    "operator_name",
    "running",
    "started_at",
    "ended_at",
    "purpose",
    "reason",
    "calls",
    "kind",
];

/// The columns of entries.
const ENTRIES: &[&str] = &[
    "at",
    "actor",
    "operation",
    "action",
    "subject_kind",
    "subject_id",
    "on_behalf_of",
    "address",
];

/// The columns of operators.
const OPERATORS: &[&str] = &[
    "name",
    "active",
    "email",
    "permissions",
    "last_login_at",
    "totp_on_at",
    "one_time_password",
    "created_at",
];

/// The refusals of a log-in.
const LOGGING_IN: &[Code] = &[
    codes::WRONG_CREDENTIALS,
    codes::TOTP_REQUIRED,
    codes::TOTP_INVALID,
    codes::TOTP_BLOCKED,
    codes::ONE_TIME_PASSWORD_USED,
    codes::CSRF_INVALID,
    codes::SIGN_ON_REQUIRED,
];

/// The refusals of a sign-on that has come back.
const SIGNING_ON: &[Code] = &[
    codes::SIGN_ON_FAILED,
    codes::SIGN_ON_REFUSED,
    codes::SIGN_ON_UNAVAILABLE,
    codes::CSRF_INVALID,
];

/// The refusals of one step instead of two.
const TURNING_OFF: &[Code] =
    &[codes::TOTP_INVALID, codes::TOTP_BLOCKED, codes::TOTP_NOT_ON, codes::TOTP_COMPULSORY];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("admin.auth.csrf_token", "GET /updateCsrfToken", operators::signing_in::csrf_token)
            .purpose("fresh CSRF token")
            .title("Form token")
            .verb("Get a token")
            .credentials()
            .harmless(),
        anyone("admin.auth.log_in", "POST /check-login", operators::signing_in::log_in)
            .purpose("log in, establishes a session")
            .title("Sign in")
            .verb("Sign in")
            .says("Welcome")
            .errors(LOGGING_IN)
            .credentials()
            .throttled(Throttle::Login),
        anyone("admin.sign_on.start", "POST /sign-on/start", starting::start_operator)
            .purpose("begin a sign-on through the operators' identity provider")
            .title("Sign on through your organization")
            .verb("Continue")
            .errors(&[codes::NOT_FOUND, codes::SIGN_ON_UNAVAILABLE, codes::CSRF_INVALID])
            .credentials()
            .throttled(Throttle::Login)
            .extension(),
        anyone("admin.sign_on.finish", "POST /sign-on/finish", signing_on::finish)
            .purpose("end a sign-on, establishes a session")
            .title("End a sign-on through your organization")
            .verb("Sign in")
            .says("Welcome")
            .errors(SIGNING_ON)
            .credentials()
            .throttled(Throttle::Login)
            .extension(),
        operator_session("admin.auth.log_out", "GET /logout", operators::signing_in::log_out)
            .purpose("end the session")
            .title("Sign out")
            .verb("Sign out")
            .says("Logged out"),
        operator::any("admin.dashboard.view", "GET /dashboard", dashboard::view)
            .may_be_behind()
            .purpose("admin dashboard (5 requests per minute)")
            .title("Today")
            .throttled(Throttle::Dashboard),
        operator_session("admin.auth.change_password", "POST /change-password", change)
            .purpose("change the caller's own password")
            .title("Change your password")
            .verb("Change the password")
            .says("Your password is changed")
            .credentials()
            .throttled(Throttle::Login)
            .extension(),
        starting(operator_session("admin.totp.start", "POST /totp/start", two_step::start)),
        confirming(operator_session("admin.totp.confirm", "POST /totp/confirm", two_step::confirm)),
        replacing_codes(operator::any(
            "admin.totp.recovery_codes",
            "POST /totp/recovery-codes",
            two_step::replace_codes,
        )),
        turning_off(operator::any("admin.totp.off", "POST /totp/off", turn_off))
            .errors(TURNING_OFF),
        operator::any("admin.session.list", "GET /sessions", operators::sessions::list)
            .purpose("list the caller's own sessions")
            .title("Your sessions")
            .columns(SESSIONS)
            .extension(),
        operator::any("admin.session.end", "POST /sessions/end", operators::sessions::end)
            .purpose("end the caller's other sessions")
            .title("End your other sessions")
            .verb("End")
            .says("Sessions ended")
            .extension(),
    ]
}

/// Operators and what they did.
pub(super) fn operators() -> Vec<Entry> {
    vec![
        operator::accounts("admin.impersonation.start", "POST /impersonations/start", start)
            .purpose("act as an account for a limited time")
            .title("Act as an account")
            .acts_on("user", "user_id")
            .acts_on("portal_user", "portal_user_id")
            .verb("Act as this account")
            .confirm(
                "You see what the account sees, and every call is on record under your name. The \
                 account is told, unless you investigate abuse.",
                "You read no private messages, and change only what your permissions name. It \
                 ends after its time.",
            )
            .says("You act as this account; every call is on record")
            .credentials()
            .strict()
            .throttled(Throttle::Login)
            .extension(),
        operator::accounts("admin.impersonation.list", "GET /impersonations", impersonating::list)
            .purpose("list impersonations")
            .title("Impersonations")
            .columns(IMPERSONATIONS)
            .extension(),
        operator::accounts(
            "admin.impersonation.end",
            "POST /impersonations/end",
            impersonating::end,
        )
        .purpose("end an impersonation")
        .title("End an impersonation")
        .acts_on("impersonation", "id")
        .verb("End")
        .says("The impersonation has ended")
        .extension(),
        operator::reports("admin.audit.list", "GET /audit-log", audit_log::list)
            .purpose("search the audit trail")
            .title("Audit trail")
            .columns(ENTRIES)
            .audited()
            .extension(),
        operator::chief("admin.operator.list", "GET /operators", operators::saving::list)
            .purpose("list operators")
            .title("Operators")
            .columns(OPERATORS)
            .extension(),
        operator::chief("admin.operator.save", "POST /operators/save", operators::saving::save)
            .purpose("make or change an operator")
            .title("Save an operator")
            .acts_on("operator", "id")
            .verb("Save")
            .says("Operator saved")
            .errors(&[codes::EMAIL_TAKEN, codes::LAST_OPERATOR])
            .new_needs(&["email", "name", "permissions"])
            .credentials()
            .strict()
            .extension(),
        operator::chief(
            "admin.operator.reset_log_in",
            "POST /operators/reset-log-in",
            operators::saving::reset_log_in,
        )
        .purpose("give an operator a one-time password and turn their two-step log-in off")
        .title("Reset an operator's log-in")
        .acts_on("operator", "id")
        .verb("Reset")
        .confirm(
            "The operator gets a one-time password, their two-step log-in is off, and their \
                 sessions end at once.",
            "Their permissions and what they did stay as they are. Give the password in \
                 person or by telephone.",
        )
        .says("Give the one-time password in person or by telephone")
        .credentials()
        .extension(),
    ]
}
