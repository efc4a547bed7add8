//! Payments, payouts, refunds, wallets.

use crate::auth::Permission::Finance;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, operator};
use crate::error::codes;
use crate::payments::cancelling;
use crate::payments::managing;
use crate::payments::paying_out;
use crate::payments::refunding;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
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
            "admin.payout.cancel",
            Post,
            "/payment-records/payout/{id}/cancel",
            "cancel a payout that is on hold",
            cancelling::cancel,
        )
        .extension()
        .strict()
        .says("Payout cancelled")
        .errors(&[codes::ILLEGAL_TRANSITION]),
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
