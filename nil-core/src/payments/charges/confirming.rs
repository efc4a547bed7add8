//! Brands confirm payments with the banks of their cards, or give them up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::payment::Payment;
use crate::auth::Partner;
use crate::error::{Result, codes};
use crate::kernel::{ChargeId, PaymentId, WebUrl};
use crate::operation::{Cx, Done};
use crate::payments::movement::confirming::{self, CardCharge};
use crate::payments::store::payment::{self, Charge, OfCard};
use crate::payments::store::records;

/// A payment to confirm.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Confirm {
    /// The payment; of a bulk payment, any one of them.
    pub payment_id: PaymentId,
    /// The page to return to from the bank.
    pub return_url: WebUrl,
}

/// A payment to give up.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct GiveUp {
    /// The payment; of a bulk payment, any one of them.
    pub payment_id: PaymentId,
}

/// A payment, and where it is confirmed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Confirmation {
    /// The payment.
    #[serde(flatten)]
    pub payment: Payment,
    /// The absolute address of the page where the cardholder confirms it; null if there is nothing
    /// to confirm. It opens once, for minutes, and is for the cardholder alone.
    pub confirm_url: Option<String>,
}

impl CardCharge for Charge {
    fn of_card(&self) -> &OfCard {
        &self.of_card
    }
}

/// Asks for the page where a payment is confirmed with the card's bank (extension). Ask again after
/// the return from there: the payment then has its outcome, or can be confirmed once more. 404 for
/// a payment that is not the brand's; 503 if the processor does not answer.
pub async fn confirm(cx: Cx<Partner>, input: Confirm) -> Result<Done<Confirmation>> {
    let charge = charge_of(&cx, input.payment_id).await?;
    let back = input.return_url.to_string();
    let confirm_url = confirming::address::<Charge>(cx.platform(), charge, &back).await?;
    let mut work = cx.begin().await?;
    let payment = records::one(&mut work, input.payment_id).await?;
    if confirm_url.is_some() {
        work.note(payment.id, "confirmation_begun");
    }
    work.done(Confirmation { payment, confirm_url }).await
}

/// Gives up a payment that waits for the cardholder's confirmation, so that it can be made with
/// another card (extension). The payment is `failed`, unless it was confirmed just before. 404 for
/// a payment that is not the brand's; 409 `illegal_transition` if it does not wait; 503 if the
/// processor does not answer.
pub async fn give_up(cx: Cx<Partner>, input: GiveUp) -> Result<Done<Payment>> {
    let charge = charge_of(&cx, input.payment_id).await?;
    if !confirming::give_up::<Charge>(cx.platform(), charge).await? {
        return Err(codes::ILLEGAL_TRANSITION.saying("This payment does not wait to be confirmed."));
    }
    let mut work = cx.begin().await?;
    let payment = records::one(&mut work, input.payment_id).await?;
    work.note(payment.id, "given_up");
    work.done(payment).await
}

/// The charge of one of the caller's payments.
async fn charge_of(cx: &Cx<Partner>, payment: PaymentId) -> Result<ChargeId> {
    let mut session = cx.read().await?;
    let charge = payment::charge_of(&mut session, cx.caller.id, payment).await?;
    charge.ok_or_else(|| codes::NOT_FOUND.into())
}
