//! Charges of brands' cards as movements: what the outcome changes of the payments, the ledger and
//! the contract, and which messages it sends.

use std::collections::BTreeSet;

use chrono_tz::Tz;

use super::answering::{answer_bulk, answer_card, reason_in_words};
use super::order_payment::answer_order;
use super::payment::{PaymentEvent, PaymentKind, PaymentStatus};
use crate::accounts::partners::verifying;
use crate::deals;
use crate::disclosures::threshold;
use crate::error::Result;
use crate::feed::{Concerned, Published};
use crate::kernel::{Cents, ChargeId, Machine as _, Time};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::payments::ledger::{Account, Book, Owner, Reason, Transfer};
use crate::payments::movement::{self, Movement};
use crate::payments::store;
use crate::payments::store::payment::{Booked, Charge, Known};
use crate::payments::taxes;
use crate::platform::Platform;
use crate::ports::processor::{Answer, MoneyKind, Outage, Outcome, Request};
use crate::storage::Session;
use crate::wording::moment;

impl Movement for Charge {
    type Id = ChargeId;

    const MOVES: MoneyKind = MoneyKind::Charge;

    fn id(&self) -> ChargeId {
        self.id
    }

    fn operation(&self) -> &'static str {
        match (self.service_order_id, self.kind) {
            (Some(_), _) => "core.service_order.complete",
            (None, PaymentKind::Card) => "core.payment.pay_with_saved_card",
            (None, PaymentKind::Bulk) => "core.payment.pay_bulk",
        }
    }

    async fn find(session: &mut Session, id: ChargeId) -> Result<Option<Self>> {
        store::payment::charge(session, id).await
    }

    async fn send(&self, platform: &Platform, request: &Request) -> Option<Result<Answer, Outage>> {
        Some(platform.processor().charge(request, &self.of_card.processor_ref).await)
    }

    async fn settle(&self, work: &mut Work, said: &Outcome) -> Result<()> {
        let charge = store::payment::locked_charge(work, self.id).await?;
        let Some(moved) = charge.of_card.status.moved_by(said)? else { return Ok(()) };
        let now = work.now();
        store::payment::change_charge(work, charge.id, moved, said, now).await?;
        match said {
            Outcome::InTransit { .. } => Ok(()),
            Outcome::NeedsAction { until, .. } => wait(work, &charge, *until).await,
            Outcome::Succeeded { fee, available_at, .. } => {
                succeed(work, &charge, *fee, *available_at).await
            }
            Outcome::Failed { why, .. } => fail(work, &charge, why).await,
        }
    }

    fn reference(&self) -> Option<&str> {
        self.of_card.waits_as()
    }

    async fn answer(&self, work: Work) -> Result<bool> {
        match (self.service_order_id, self.kind) {
            (Some(order), _) => answer_order(work, order, self.id).await.map(|_| true),
            (None, PaymentKind::Card) => answer_card(work, self.id).await.map(|_| true),
            (None, PaymentKind::Bulk) => answer_bulk(work, self.id).await.map(|_| true),
        }
    }
}

async fn succeed(
    work: &mut Work,
    charge: &Charge,
    cost: Cents,
    available_at: Option<Time>,
) -> Result<()> {
    let now = work.now();
    let moved = PaymentStatus::Processing.on(PaymentEvent::Succeed)?;
    let known = Known { failure: None, funds_at: available_at.filter(|at| *at > now) };
    store::payment::change_payments(work, charge.id, moved, known, now).await?;
    verifying::verify(work, charge.partner_id, now).await?;
    let payments = store::payment::of_charge(work, charge.id).await?;
    book(work, charge, &payments, cost).await?;
    let payees: BTreeSet<Owner> = payments.iter().flat_map(owners).collect();
    taxes::ask_if_near(work, charge.partner_id, payees).await?;
    for payment in &payments {
        work.note(payment.id, "succeeded");
        work.publish(publishes(Event::PaymentSucceeded, payment, PaymentStatus::Succeeded));
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

/// Debits the card with amount and fee; credits the athlete's wallet with the amount less the
/// commission, the agent's with the commission. Tax that must be withheld is taken out of the
/// wallets again. The processor's cost is the platform's.
async fn book(work: &mut Work, charge: &Charge, payments: &[Booked], cost: Cents) -> Result<()> {
    let card = Account::Card(Owner::Partner(charge.partner_id));
    let mut accounts = vec![card, Account::Fees];
    accounts.extend(Account::COSTS);
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
    transfers.extend(Transfer::of_cost(movement::name(charge.id), cost));
    let now = work.now();
    book.post(work, now, &transfers).await?;
    taxes::take(work, &mut book, charge.partner_id, payments).await
}

fn owners(payment: &Booked) -> impl Iterator<Item = Owner> {
    Owner::payees(payment.athlete_id, payment.agent_id)
}

/// An event about a payment in this state, for webhooks.
fn publishes(event: Event, payment: &Booked, status: PaymentStatus) -> Published {
    Published::new(event, Concerned::Payment(payment.id))
        .with(payment.id)
        .with(payment.contract_id)
        .with(payment.athlete_id)
        .saying("status", status.as_str())
        .worth("amount_cents", payment.amount_cents)
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

/// Tells the brand that its card's bank wants a confirmation.
async fn wait(work: &mut Work, charge: &Charge, until: Time) -> Result<()> {
    let payments = store::payment::of_charge(work, charge.id).await?;
    for payment in &payments {
        work.note(payment.id, "confirmation_asked_for");
        let status = PaymentStatus::Processing;
        work.publish(publishes(Event::PaymentNeedsConfirmation, payment, status));
    }
    if let Some(message) = told_of_charge(charge, &payments, Event::PaymentNeedsConfirmation) {
        work.send(message.with("confirm_until", moment(until, Tz::UTC)));
    }
    Ok(())
}

async fn fail(work: &mut Work, charge: &Charge, why: &str) -> Result<()> {
    let now = work.now();
    let moved = PaymentStatus::Processing.on(PaymentEvent::Fail)?;
    let known = Known { failure: Some(why), funds_at: None };
    store::payment::change_payments(work, charge.id, moved, known, now).await?;
    let payments = store::payment::of_charge(work, charge.id).await?;
    for payment in &payments {
        work.note(payment.id, "failed");
        work.publish(publishes(Event::PaymentFailed, payment, PaymentStatus::Failed));
    }
    if let Some(message) = told_of_charge(charge, &payments, Event::PaymentFailed) {
        work.send(message.with("reason", reason_in_words(why)));
    }
    Ok(())
}

/// A message to the brand about its charge of one or more payments.
fn told_of_charge(charge: &Charge, payments: &[Booked], event: Event) -> Option<Message> {
    let first = payments.first()?;
    let (athletes, jobs) = match charge.kind {
        PaymentKind::Card => (first.athlete_name.clone(), first.job_title.clone()),
        PaymentKind::Bulk => (format!("{} athletes", payments.len()), "a bulk payment".into()),
    };
    let message = Message::new(event, Recipient::User(first.partner_user_id))
        .with("amount", charge.total_cents.to_string())
        .with("athlete_name", athletes)
        .with("job_title", jobs)
        .with("payment_id", first.id.get());
    Some(message)
}
