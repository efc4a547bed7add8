//! How a call that charged a card is answered: with its payments, or with 402 and the reason in
//! words.

use super::payment::{BulkPayment, Payment, PaymentStatus};
use crate::error::{Error, Result, codes};
use crate::kernel::{BulkId, Cents, ChargeId};
use crate::operation::{Done, Work};
use crate::payments::movement::{DECIDED, NEVER_ARRIVED, NOT_MADE};
use crate::payments::store;
use crate::storage::first_of;

/// The processor's failure code in words for users.
pub(crate) fn reason_in_words(code: &str) -> String {
    match code {
        "card_declined" => "the card was declined".into(),
        "insufficient_funds" => "the card has insufficient funds".into(),
        "authentication_required" => "the cardholder did not confirm it in time".into(),
        "authentication_failed" | "payment_intent_authentication_failure" => {
            "the cardholder did not confirm it".into()
        }
        "bank_account_closed" => "the bank account is closed".into(),
        "account_cannot_receive" => "the account cannot receive money".into(),
        DECIDED => "an operator found that the payment processor did not make it".into(),
        NEVER_ARRIVED => "the request did not reach the payment processor".into(),
        NOT_MADE => "the payment processor could not do it in time".into(),
        other => other.replace('_', " "),
    }
}

/// The payment of a charge with a single payment.
pub(crate) async fn payment_of(work: &mut Work, charge: ChargeId) -> Result<Payment> {
    let payments = store::records::of_charge(work, charge).await?;
    first_of(payments)
}

/// The refusal of a call whose payment failed: 402 with the payment.
pub(crate) fn refusal_of(payment: &Payment) -> Result<Option<Error>> {
    if payment.status != PaymentStatus::Failed {
        return Ok(None);
    }
    let data = serde_json::to_value(payment).map_err(Error::internal)?;
    let refusal = declined(payment.failure_code.as_deref());
    Ok(Some(refusal.with_data(data)))
}

/// The response of a call that made one payment: the payment, or 402 with it if the card was
/// declined.
pub(super) async fn answer_card(mut work: Work, charge: ChargeId) -> Result<Done<Payment>> {
    let payment = payment_of(&mut work, charge).await?;
    match refusal_of(&payment)? {
        Some(refusal) => Err(work.refused(refusal).await?),
        None => work.done(payment).await,
    }
}

/// The response of a call that made a bulk payment.
pub(super) async fn answer_bulk(mut work: Work, charge: ChargeId) -> Result<Done<BulkPayment>> {
    let payments = store::records::of_charge(&mut work, charge).await?;
    let failure = payments
        .first()
        .filter(|payment| payment.status == PaymentStatus::Failed)
        .map(|payment| declined(payment.failure_code.as_deref()));
    let amount_cents: Cents = payments.iter().map(|payment| payment.amount_cents).sum();
    let fee_cents: Cents = payments.iter().map(|payment| payment.fee_cents).sum();
    let bulk = BulkPayment {
        bulk_id: BulkId::new(charge.get()).ok_or(codes::INTERNAL)?,
        amount_cents,
        fee_cents,
        total_cents: amount_cents + fee_cents,
        currency: "usd".into(),
        payments,
    };
    match failure {
        None => work.done(bulk).await,
        Some(refusal) => {
            let data = serde_json::to_value(&bulk).map_err(Error::internal)?;
            Err(work.refused(refusal.with_data(data)).await?)
        }
    }
}

pub(crate) fn declined(why: Option<&str>) -> Error {
    let why = reason_in_words(why.unwrap_or("card_declined"));
    codes::CARD_DECLINED.saying(format!("The payment failed: {why}. Nothing was charged."))
}
