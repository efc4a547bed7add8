//! Payments, payouts, wallets.

use crate::auth::Permission;
use crate::catalog::Signer;
use crate::catalog::table::{Entry, Takes, anyone, athlete, partner, payee};
use crate::error::{Code, codes};
use crate::payments::browsing::history;
use crate::payments::browsing::history::{of_athlete, of_partner};
use crate::payments::charges::{confirming, paying};
use crate::payments::payouts::payout_settings;
use crate::payments::payouts::payout_settings::{create_express, set_preference};
use crate::payments::taxes::{handing_in, summary};
use crate::payments::webhook;
use crate::throttle::Throttle;

/// The refusals of a payment.
const PAYING: &[Code] = &[
    codes::CATEGORY_PROHIBITED,
    codes::VISA_STATUS,
    codes::CARD_DECLINED,
    codes::NO_PAYMENT_METHOD,
    codes::NOTHING_OWED,
    codes::AMOUNT_EXCEEDS_OWED,
];

/// The refusals of a bulk payment.
const PAYING_SEVERAL: &[Code] = &[
    codes::CARD_DECLINED,
    codes::NO_PAYMENT_METHOD,
    codes::LINE_NOT_PAYABLE,
    codes::TOTAL_CHANGED,
];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        partner(
            "core.payment.pay_with_saved_card",
            "POST /submitProcessorPaymentsaved",
            paying::pay_with_saved_card,
        )
        .purpose("pay an athlete with the partner's default saved card")
        .says("Payment submitted")
        .errors(PAYING)
        .owned()
        .strict(),
        partner("core.payment.pay_bulk", "POST /bulkPaymentRequest", paying::pay_bulk)
            .purpose("bulk payment for several athletes")
            .says("Bulk payment submitted")
            .errors(PAYING_SEVERAL)
            .owned()
            .strict(),
        partner("core.payment.confirm", "POST /payment/confirm", confirming::confirm)
            .purpose("ask for the page where a payment is confirmed with the card's bank")
            .says("Payment looked up")
            .errors(&[codes::PROCESSOR_UNAVAILABLE])
            .owned()
            .strict()
            .extension(),
        partner("core.payment.give_up", "POST /payment/give-up", confirming::give_up)
            .purpose("give up a payment that waits to be confirmed")
            .says("Payment given up")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::PROCESSOR_UNAVAILABLE])
            .owned()
            .strict()
            .extension(),
        payee("core.payout_account.create", "POST /create_connect", payout_settings::create)
            .purpose("create a connected payment account for an athlete")
            .says("Payout account ready")
            .errors(&[codes::PROCESSOR_UNAVAILABLE]),
        payee("core.payout_account.create_express", "POST /ConnectExpressAccount", create_express)
            .purpose("create an express connected account")
            .says("Payout account ready")
            .errors(&[codes::PROCESSOR_UNAVAILABLE]),
        payee(
            "core.payout_account.status",
            "GET /ProcessorAccountRetrieve",
            payout_settings::status,
        )
        .purpose("check connected account status")
        .for_impersonators(Permission::Finance),
        athlete("core.payment.history_of_athlete", "POST /paymentHistoryAthlete", of_athlete)
            .purpose("athlete payment history")
            .for_impersonators(Permission::Finance),
        partner("core.payment.history_of_partner", "POST /paymentHistoryPartner", of_partner)
            .purpose("partner payment history")
            .for_impersonators(Permission::Finance),
        payee("core.payout_account.set_preference", "POST /updatePayment", set_preference)
            .purpose("update payout preference of athlete or agent")
            .says("Payout preference saved")
            .strict(),
        payee("core.wallet.show", "GET /wallet", history::wallet)
            .purpose("show the caller's balance and recent ledger entries")
            .for_impersonators(Permission::Finance)
            .extension(),
        athlete("core.payment.tax_summary", "GET /athlete/tax-summary", summary::show)
            .purpose("show a year's payments by payer")
            .for_impersonators(Permission::Finance)
            .extension(),
        payee("core.tax_form.submit", "POST /tax-form", handing_in::submit)
            .purpose("hand in a W-9")
            .says("Tax form saved")
            .strict()
            .extension(),
        payee("core.tax_form.standing", "GET /tax-form", handing_in::standing)
            .purpose("show the caller's tax form, and whether one is asked for")
            .for_impersonators(Permission::Finance)
            .extension(),
        partner("core.tax_form.save_payer", "POST /partner/tax-details", handing_in::save_payer)
            .purpose("save who the brand is on information returns")
            .says("Tax details saved")
            .strict()
            .extension(),
        partner("core.tax_form.payer", "GET /partner/tax-details", handing_in::payer)
            .purpose("show who the brand is on information returns")
            .for_impersonators(Permission::Finance)
            .extension(),
        anyone("core.processor.webhook", "POST /processor/webhook", webhook::receive)
            .purpose("handle a webhook of the payment processor")
            .errors(&[codes::SIGNATURE_INVALID, codes::PROCESSOR_UNAVAILABLE])
            .takes(Takes::Raw(Signer::Processor))
            .throttled(Throttle::Public)
            .extension(),
    ]
}
