//! Sessions and the dashboard.

use crate::accounts::operator_passwords::change;
use crate::accounts::{operator_saving, operators};
use crate::catalog::table::{Entry, anyone, operator, operator_session};
use crate::dashboard::{self, audit_log};
use crate::error::{Code, codes};
use crate::throttle::Throttle;

/// The refusals of a log-in.
const LOGGING_IN: &[Code] =
    &[codes::WRONG_CREDENTIALS, codes::ONE_TIME_PASSWORD_USED, codes::CSRF_INVALID];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone("admin.auth.csrf_token", "GET /updateCsrfToken", operators::csrf_token)
            .purpose("fresh CSRF token")
            .credentials()
            .harmless(),
        anyone("admin.auth.log_in", "POST /check-login", operators::log_in)
            .purpose("log in, establishes a session")
            .says("Welcome")
            .errors(LOGGING_IN)
            .credentials()
            .throttled(Throttle::Login),
        operator_session("admin.auth.log_out", "GET /logout", operators::log_out)
            .purpose("end the session")
            .says("Logged out"),
        operator::any("admin.dashboard.view", "GET /dashboard", dashboard::view)
            .purpose("admin dashboard (5 requests per minute)")
            .throttled(Throttle::Dashboard),
        operator_session("admin.auth.change_password", "POST /change-password", change)
            .purpose("change the caller's own password")
            .says("Your password is changed")
            .credentials()
            .throttled(Throttle::Login)
            .extension(),
        operator::reports("admin.audit.list", "GET /audit-log", audit_log::list)
            .purpose("search the audit trail")
            .on_record()
            .extension(),
        operator::chief("admin.operator.list", "GET /operators", operator_saving::list)
            .purpose("list operators")
            .extension(),
        operator::chief("admin.operator.save", "POST /operators/save", operator_saving::save)
            .purpose("make or change an operator")
            .says("Operator saved")
            .errors(&[codes::EMAIL_TAKEN, codes::LAST_OPERATOR])
            .credentials()
            .strict()
            .extension(),
    ]
}
