//! The Admin interface: `/admin`. Rows stand in the order and wording of the specification's tables.

use super::row::Method::{Get, Post};
use super::row::{Entry, any_operator, anyone, operator};
use crate::accounts::{operators, portal_managing};
use crate::auth::Permission::{Accounts, Finance};
use crate::auth::throttle::Throttle;
use crate::error::codes;
use crate::institutions;
use crate::payments::{managing, paying_out, refunding};

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [authentication(), university_admins(), money(), colleges()]
        .into_iter()
        .flatten()
        .collect()
}

/// Authentication.
fn authentication() -> Vec<Entry> {
    vec![
        anyone(
            "admin.auth.csrf_token",
            Get,
            "/updateCsrfToken",
            "fresh CSRF token",
            operators::csrf_token,
        ),
        anyone(
            "admin.auth.log_in",
            Post,
            "/check-login",
            "log in, establishes a session",
            operators::log_in,
        )
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

/// University admins: the portal users of institutions.
fn university_admins() -> Vec<Entry> {
    vec![
        operator(
            Accounts,
            "admin.university_admin.save",
            Post,
            "/university-admin/save",
            "create or update",
            portal_managing::save,
        )
        .says("Saved")
        .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION]),
    ]
}

/// Payments, payouts, refunds, wallets.
fn money() -> Vec<Entry> {
    vec![
        operator(
            Finance,
            "admin.payment.list",
            Get,
            "/payment-records/{status}/{id}",
            "list payment records",
            managing::list,
        ),
        operator(
            Finance,
            "admin.payout.list",
            Get,
            "/payment-records/athlete-payout/{status}",
            "list athlete payouts",
            managing::list_payouts,
        ),
        operator(
            Finance,
            "admin.payout.trigger",
            Get,
            "/payment-records/payout/{id}",
            "trigger a payout for an athlete",
            paying_out::trigger,
        )
        .mutates()
        .strict()
        .says("Payout made")
        .errors(&[codes::NOTHING_TO_PAY_OUT]),
        operator(
            Finance,
            "admin.payment.refund",
            Post,
            "/payment-refund",
            "process a refund",
            refunding::refund,
        )
        .strict()
        .says("Refund submitted")
        .errors(&[
            codes::PAYMENT_IN_PROGRESS,
            codes::NOT_REFUNDABLE,
            codes::REFUND_EXCEEDS_PAYMENT,
            codes::PAYOUT_IN_PROGRESS,
            codes::ALREADY_PAID_OUT,
        ]),
        operator(
            Finance,
            "admin.payout.retry",
            Get,
            "/payment-retry/payout/{id}",
            "retry a failed payout",
            paying_out::retry,
        )
        .mutates()
        .strict()
        .says("Payout made")
        .errors(&[
            codes::ILLEGAL_TRANSITION,
            codes::PAYOUT_IN_PROGRESS,
            codes::NOTHING_TO_PAY_OUT,
        ]),
        operator(
            Finance,
            "admin.payment.wallet_history",
            Get,
            "/wallet-history/{id}",
            "wallet history of a user",
            managing::wallet_history,
        ),
    ]
}

/// Colleges (extension: the specification lists them but lets nobody make one).
fn colleges() -> Vec<Entry> {
    vec![
        operator(
            Accounts,
            "admin.college.save",
            Post,
            "/college/save",
            "create or update a college",
            institutions::managing::save,
        )
        .extension()
        .says("College saved")
        .errors(&[codes::DUPLICATE]),
    ]
}
