//! Payments, payouts, wallets.

use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone, athlete, partner, payee};
use crate::error::codes;
use crate::payments::hearing;
use crate::payments::histories;
use crate::payments::paying;
use crate::payments::receiving;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    [specified(), extensions()].into_iter().flatten().collect()
}

fn specified() -> Vec<Entry> {
    vec![
        partner(
            "core.payment.pay_with_saved_card",
            Post,
            "/submitProcessorPaymentsaved",
            "pay an athlete with the partner's default saved card",
            paying::pay_with_saved_card,
        )
        .strict()
        .owned()
        .says("Payment submitted")
        .errors(&[
            codes::CATEGORY_PROHIBITED,
            codes::VISA_STATUS,
            codes::CARD_DECLINED,
            codes::NO_PAYMENT_METHOD,
            codes::NOTHING_OWED,
            codes::AMOUNT_EXCEEDS_OWED,
        ]),
        partner(
            "core.payment.pay_bulk",
            Post,
            "/bulkPaymentRequest",
            "bulk payment for several athletes",
            paying::pay_bulk,
        )
        .owned()
        .strict()
        .says("Bulk payment submitted")
        .errors(&[
            codes::CARD_DECLINED,
            codes::NO_PAYMENT_METHOD,
            codes::LINE_NOT_PAYABLE,
            codes::TOTAL_CHANGED,
        ]),
        payee(
            "core.payout_account.create",
            Post,
            "/create_connect",
            "create a connected payment account for an athlete",
            receiving::create,
        )
        .says("Payout account ready")
        .errors(&[codes::PROCESSOR_UNAVAILABLE]),
        payee(
            "core.payout_account.create_express",
            Post,
            "/ConnectExpressAccount",
            "create an express connected account",
            receiving::create_express,
        )
        .says("Payout account ready")
        .errors(&[codes::PROCESSOR_UNAVAILABLE]),
        payee(
            "core.payout_account.status",
            Get,
            "/ProcessorAccountRetrieve",
            "check connected account status",
            receiving::status,
        ),
        athlete(
            "core.payment.history_of_athlete",
            Post,
            "/paymentHistoryAthlete",
            "athlete payment history",
            histories::of_athlete,
        ),
        partner(
            "core.payment.history_of_partner",
            Post,
            "/paymentHistoryPartner",
            "partner payment history",
            histories::of_partner,
        ),
        payee(
            "core.payout_account.set_preference",
            Post,
            "/updatePayment",
            "update payout preference of athlete or agent",
            receiving::set_preference,
        )
        .strict()
        .says("Payout preference saved"),
    ]
}

/// Beyond the specification.
fn extensions() -> Vec<Entry> {
    vec![
        payee(
            "core.wallet.show",
            Get,
            "/wallet",
            "show the caller's balance and recent ledger entries",
            histories::wallet,
        )
        .extension(),
        athlete(
            "core.payment.tax_summary",
            Get,
            "/athlete/tax-summary",
            "sum up a year's payments by payer",
            histories::tax_summary,
        )
        .extension(),
        anyone(
            "core.processor.webhook",
            Post,
            "/processor/webhook",
            "take in an event of the payment processor",
            hearing::webhook,
        )
        .extension()
        .raw()
        .throttled(Throttle::Public)
        .errors(&[codes::SIGNATURE_INVALID, codes::PROCESSOR_UNAVAILABLE]),
    ]
}
