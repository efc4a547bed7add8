//! Applies the processor's outcome of a charge: the payments' status, the ledger, the messages, the contract.
//! The call itself, the webhook and the reconciler use it, in any order and any number of times.

use std::collections::BTreeSet;
use std::time::Duration;

use super::inquiry::{NEVER_ARRIVED, ask_again, name_of};
use super::ledger::{Account, Book, Owner, Reason, Transfer};
use super::order_payment::answer_order;
use super::paying::BulkPayment;
use super::payment::{
    ChargeEvent, ChargeStatus, Payment, PaymentEvent, PaymentKind, PaymentStatus,
};
use super::store;
use super::store::payment::{Booked, Charge};
use super::taxes;
use crate::accounts::verifying;
use crate::deals;
use crate::disclosures::threshold;
use crate::error::{Error, Kind, Result, codes};
use crate::kernel::{BulkId, Cents, ChargeId, Machine as _, Rested};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Done, Work};
use crate::platform::Platform;
use crate::ports::processor::{Outage, Outcome};
use crate::storage::first_of;

/// How often a settlement is retried when the database asks for it.
const TRIES: u32 = 8;

/// Repeats a settlement while the database asks for a retry. The dispatcher cannot do that here, because the
/// charge is already committed.
pub async fn patiently<T, F, Fut>(platform: &Platform, attempt: F) -> Result<T>
where
    F: Fn() -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let mut tries = 0;
    loop {
        match attempt().await {
            Err(error) if error.kind() == Kind::Again && tries < TRIES => {
                tries += 1;
                let most = 2_u64.saturating_pow(tries).saturating_mul(4);
                tokio::time::sleep(Duration::from_millis(1 + platform.draw() % most)).await;
            }
            outcome => return outcome,
        }
    }
}

/// The processor's answer; `None` if it decides nothing: an outage, or the key being in use by a call that
/// has not ended.
pub(super) fn verdict(answer: Result<Outcome, Outage>) -> Option<Outcome> {
    match answer {
        Ok(Outcome::Failed(_, reason)) if reason == "idempotency_key_in_use" => None,
        Ok(outcome) => Some(outcome),
        Err(Outage(why)) => {
            tracing::warn!(why, "the payment processor did not answer");
            None
        }
    }
}

/// Asks the processor, outside any transaction, to make a charge that was already written.
pub async fn ask_charge(platform: &Platform, id: ChargeId) -> Result<Option<Outcome>> {
    let mut session = platform.db().read().await?;
    let charge = store::payment::charge(&mut session, id).await?;
    drop(session);
    let charge = charge.ok_or(codes::NOT_FOUND)?;
    Ok(ask(platform, &charge).await)
}

async fn ask(platform: &Platform, charge: &Charge) -> Option<Outcome> {
    let processor = platform.processor();
    let answer = processor.charge(&charge.key(), &charge.processor_ref, charge.total_cents);
    verdict(answer.await)
}

/// Saves the processor's outcome of a charge. Changes nothing if the charge is already settled or there is no
/// outcome yet.
pub async fn settle_charge(work: &mut Work, id: ChargeId, said: Option<&Outcome>) -> Result<()> {
    let Some(said) = said else { return Ok(()) };
    let charge = store::payment::locked_charge(work, id).await?;
    if charge.status != ChargeStatus::Processing {
        return Ok(());
    }
    match said {
        Outcome::InTransit(..) => Ok(()),
        Outcome::Succeeded(name) => succeed(work, &charge, name).await,
        Outcome::Failed(name, why) => fail(work, &charge, name, why).await,
    }
}

async fn succeed(work: &mut Work, charge: &Charge, name: &str) -> Result<()> {
    let now = work.now();
    let moved = charge.status.on(ChargeEvent::Succeed)?;
    store::payment::change_charge(work, charge.id, moved, Some(name), None, now).await?;
    let moved = PaymentStatus::Processing.on(PaymentEvent::Succeed)?;
    store::payment::change_payments(work, charge.id, moved, None, now).await?;
    verifying::verify(work, charge.partner_id, now).await?;
    let payments = store::payment::of_charge(work, charge.id).await?;
    book(work, charge, &payments).await?;
    let payees: BTreeSet<Owner> = payments.iter().flat_map(owners).collect();
    taxes::ask_if_near(work, charge.partner_id, payees).await?;
    for payment in &payments {
        work.note(payment.id, "succeeded");
        work.send(told(payment, Recipient::User(payment.athlete_user_id)));
        // The brand gets a bulk payment's result in the response, not as one message per line.
        if charge.kind == PaymentKind::Card {
            work.send(told(payment, Recipient::User(payment.partner_user_id)));
        }
    }
    let paid: Vec<_> = payments.iter().map(|payment| payment.contract_id).collect();
    deals::complete_settled(work, &paid).await?;
    let shares = payments.iter().filter(|payment| payment.compensation.is_share_of_sales());
    let athletes: BTreeSet<_> = shares.map(|payment| payment.athlete_id).collect();
    for athlete in athletes {
        threshold::of_receipt(work, athlete).await?;
    }
    Ok(())
}

/// Debits the card with amount and fee; credits the athlete's wallet with the amount less the commission, the
/// agent's with the commission. Tax that must be withheld is taken out of the wallets again.
async fn book(work: &mut Work, charge: &Charge, payments: &[Booked]) -> Result<()> {
    let card = Account::Card(Owner::Partner(charge.partner_id));
    let mut accounts = vec![card, Account::Fees];
    for payment in payments {
        for owner in owners(payment) {
            accounts.extend([
                Account::Wallet(owner),
                Account::Receivable(owner),
                Account::Withheld(owner),
            ]);
        }
    }
    let mut book = Book::open(work, accounts).await?;
    let mut transfers = Vec::with_capacity(payments.len());
    for payment in payments {
        let mut entries = vec![
            (card, -(payment.amount_cents + payment.fee_cents)),
            (Account::Fees, payment.fee_cents),
        ];
        let athlete = payment.amount_cents - payment.agent_commission_cents;
        entries.extend(book.credit(Owner::Athlete(payment.athlete_id), athlete));
        if let Some(agent) = payment.agent_id {
            entries.extend(book.credit(Owner::Agent(agent), payment.agent_commission_cents));
        }
        let refers_to = format!("payment:{}", payment.id);
        transfers.push(Transfer::new(Reason::Payment, refers_to, entries));
    }
    let now = work.now();
    book.post(work, now, &transfers).await?;
    taxes::take(work, &mut book, charge.partner_id, payments).await
}

fn owners(payment: &Booked) -> impl Iterator<Item = Owner> {
    let agent = payment.agent_id.map(Owner::Agent);
    std::iter::once(Owner::Athlete(payment.athlete_id)).chain(agent)
}

fn told(payment: &Booked, to: Recipient) -> Message {
    Message::new(Event::PaymentSucceeded, to)
        .with("amount", payment.amount_cents.to_string())
        .with("athlete_name", payment.athlete_name.clone())
        .with("company_name", payment.company_name.clone())
        .with("job_title", payment.job_title.clone())
        .with("payment_number", payment.number.clone())
        .with("payment_id", payment.id.get())
}

async fn fail(work: &mut Work, charge: &Charge, name: &str, why: &str) -> Result<()> {
    let now = work.now();
    let moved = charge.status.on(ChargeEvent::Fail)?;
    store::payment::change_charge(work, charge.id, moved, name_of(name), Some(why), now).await?;
    let moved = PaymentStatus::Processing.on(PaymentEvent::Fail)?;
    store::payment::change_payments(work, charge.id, moved, Some(why), now).await?;
    let payments = store::payment::of_charge(work, charge.id).await?;
    for payment in &payments {
        work.note(payment.id, "failed");
    }
    let Some(first) = payments.first() else {
        return Ok(());
    };
    let (athletes, jobs) = match charge.kind {
        PaymentKind::Card => (first.athlete_name.clone(), first.job_title.clone()),
        PaymentKind::Bulk => (format!("{} athletes", payments.len()), "a bulk payment".into()),
    };
    let message = Message::new(Event::PaymentFailed, Recipient::User(first.partner_user_id))
        .with("amount", charge.total_cents.to_string())
        .with("athlete_name", athletes)
        .with("job_title", jobs)
        .with("reason", reason_in_words(why));
    work.send(message);
    Ok(())
}

/// The processor's failure code in words for users.
pub(super) fn reason_in_words(code: &str) -> String {
    match code {
        "card_declined" => "the card was declined".into(),
        "insufficient_funds" => "the card has insufficient funds".into(),
        "bank_account_closed" => "the bank account is closed".into(),
        "account_cannot_receive" => "the account cannot receive money".into(),
        NEVER_ARRIVED => "the request did not reach the payment processor".into(),
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

/// The response of a call that made one payment: the payment, or 402 with it if the card was declined.
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

pub(super) fn declined(why: Option<&str>) -> Error {
    let why = reason_in_words(why.unwrap_or("card_declined"));
    codes::CARD_DECLINED.saying(format!("The payment failed: {why}. Nothing was charged."))
}

/// The operation that made a charge; stored responses have its shape.
fn operation(charge: &Charge) -> &'static str {
    match (charge.service_order_id, charge.kind) {
        (Some(_), _) => "core.service_order.complete",
        (None, PaymentKind::Card) => "core.payment.pay_with_saved_card",
        (None, PaymentKind::Bulk) => "core.payment.pay_bulk",
    }
}

/// Applies the processor's outcome to a charge outside its call, and stores the response under that call's
/// key if it has none. Returns whether the charge is settled now.
pub(super) async fn end_charge(
    platform: &Platform,
    charge: &Charge,
    said: Option<&Outcome>,
) -> Result<bool> {
    // A charge is never in transit, so such an outcome is not final.
    let Some(said) = said.filter(|said| !matches!(said, Outcome::InTransit(..))) else {
        let mut work = Work::resume(platform, operation(charge), None).await?;
        let now = work.now();
        store::payment::touch_charge(&mut work, charge.id, now).await?;
        work.done(()).await?;
        return Ok(false);
    };
    let ended = patiently(platform, || async {
        let about = Some(charge.key());
        let mut work = Work::resume(platform, operation(charge), about).await?;
        settle_charge(&mut work, charge.id, Some(said)).await?;
        match (charge.service_order_id, charge.kind) {
            (Some(order), _) => answer_order(work, order, charge.id).await.map(|_| ()),
            (None, PaymentKind::Card) => answer_card(work, charge.id).await.map(|_| ()),
            (None, PaymentKind::Bulk) => answer_bulk(work, charge.id).await.map(|_| ()),
        }
    });
    match ended.await {
        // A declined charge is settled, too.
        Err(error) if error.kind() == Kind::Declined => Ok(true),
        outcome => outcome.map(|()| true),
    }
}

/// Counts a settled movement. An error is logged and does not stop the others.
pub(super) fn counted(ended: Result<bool>) -> usize {
    ended.map_or_else(
        |error| {
            tracing::error!(%error, "an outcome could not be settled");
            0
        },
        usize::from,
    )
}

/// Asks again about charges with an unknown outcome; returns how many were settled.
pub(super) async fn reconcile(platform: &Platform, rested: Rested) -> Result<usize> {
    let mut session = platform.db().read().await?;
    let open = store::payment::unsettled(&mut session, rested).await?;
    drop(session);
    let mut settled = 0;
    for charge in open {
        let key = charge.key();
        let asked = ask_again(platform, &key, charge.created_at, ask(platform, &charge));
        let said = asked.await;
        settled += counted(end_charge(platform, &charge, said.as_ref()).await);
    }
    Ok(settled)
}

/// Settles a charge that a webhook reported.
pub(super) async fn hear(platform: &Platform, id: ChargeId, said: &Outcome) -> Result<()> {
    let mut session = platform.db().read().await?;
    let charge = store::payment::charge(&mut session, id).await?;
    drop(session);
    match charge {
        Some(charge) => end_charge(platform, &charge, Some(said)).await.map(|_| ()),
        None => Ok(()),
    }
}
