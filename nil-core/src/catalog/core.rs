//! The Core interface: `/api`. Rows stand in the order and wording of the specification's tables.

use super::row::Method::{Delete, Get, Post};
use super::row::{Entry, agent, anyone, athlete, partner, payee};
use crate::auth::throttle::Throttle;
use crate::error::codes;
use crate::institutions;
use crate::payments::{hearing, histories, methods, paying, receiving};

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [partner_payments(), agent_payments(), payments(), public()]
        .into_iter()
        .flatten()
        .collect()
}

/// A brand's cards, and the preview of a bulk payment.
fn partner_payments() -> Vec<Entry> {
    vec![
        partner(
            "core.payment.bulk_summary",
            Post,
            "/partner/get-bulk-payment-summary",
            "preview total cost before bulk payment",
            paying::bulk_summary,
        )
        .owned(),
        partner(
            "core.partner.payment_methods",
            Get,
            "/partner/processor/payment-methods",
            "list saved payment methods",
            methods::list_of_partner,
        )
        .extension(),
        partner(
            "core.partner.add_payment_method",
            Post,
            "/partner/processor/payment-methods",
            "add a payment method",
            methods::add_for_partner,
        )
        .extension()
        .strict()
        .says("Payment method saved")
        .errors(&[codes::PROCESSOR_UNAVAILABLE]),
        partner(
            "core.partner.set_default_payment_method",
            Post,
            "/partner/processor/payment-methods/{paymentMethodId}/set-as-default",
            "set default payment method",
            methods::set_default_of_partner,
        )
        .extension()
        .owned()
        .says("Default payment method set"),
        partner(
            "core.partner.remove_payment_method",
            Delete,
            "/partner/processor/payment-methods/{paymentMethodId}",
            "remove a payment method",
            methods::remove_of_partner,
        )
        .extension()
        .owned()
        .says("Payment method removed"),
    ]
}

/// An agent's cards.
fn agent_payments() -> Vec<Entry> {
    vec![
        agent(
            "core.agent.payment_methods",
            Get,
            "/agent/processor/payment-methods",
            "list saved payment methods",
            methods::list_of_agent,
        ),
        agent(
            "core.agent.add_payment_method",
            Post,
            "/agent/processor/payment-methods",
            "add a payment method",
            methods::add_for_agent,
        )
        .strict()
        .says("Payment method saved")
        .errors(&[codes::PROCESSOR_UNAVAILABLE]),
        agent(
            "core.agent.set_default_payment_method",
            Post,
            "/agent/processor/payment-methods/{paymentMethodId}/set-as-default",
            "set default payment method",
            methods::set_default_of_agent,
        )
        .owned()
        .says("Default payment method set"),
        agent(
            "core.agent.remove_payment_method",
            Delete,
            "/agent/processor/payment-methods/{paymentMethodId}",
            "remove a payment method",
            methods::remove_of_agent,
        )
        .extension()
        .owned()
        .says("Payment method removed"),
    ]
}

/// Payments, payout accounts, wallets.
fn payments() -> Vec<Entry> {
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
        .strict()
        .owned()
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

/// No authentication.
fn public() -> Vec<Entry> {
    vec![
        anyone(
            "core.public.colleges",
            Post,
            "/listColleges",
            "list colleges and universities",
            institutions::browsing::list,
        )
        .throttled(Throttle::Public),
    ]
}
