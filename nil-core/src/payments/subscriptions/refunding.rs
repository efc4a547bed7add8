//! Operators refund what was charged for a subscription: in full within the days that the site
//! grants, or the days left of the period until it is over.
//!
//! Such a refund is a `movement`: the transaction that writes it sets the money aside, and the
//! outcome sends the money to the card, with a credit note, or puts it back. It can still fail days
//! after it had succeeded: then an invoice takes the credit note back.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;

use super::proration::Days;
use super::refund::{SubscriptionRefund, SubscriptionRefundRule};
use super::subscription::{Subscription, SubscriptionEndReason, SubscriptionStatus};
use super::telling::told;
use super::{invoicing, settling};
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{Cents, InvoiceId, Machine as _, SubscriptionRefundId, Text, Time};
use crate::notifications::Event;
use crate::operation::{Cx, Done, Work};
use crate::payments::ledger::{Account, Book, Reason, Transfer};
use crate::payments::movement::{self, Movement};
use crate::payments::refunds::refund::{RefundEvent, RefundStatus};
use crate::payments::store::subscription_refund::{self as store, NewRefund, Refundable};
use crate::payments::store::{
    dispute as disputes, invoice as invoices, subscription as subscriptions,
};
use crate::platform::Platform;
use crate::ports::processor::{Answer, MoneyKind, Outage, Outcome, Request};
use crate::storage::Session;

/// An invoice of a subscription to refund.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RefundSubscription {
    /// The invoice, which must be paid: of a period or of a change of plan.
    pub invoice_id: InvoiceId,
    /// How much is refunded (default `full`). Earlier refunds of the invoice are taken into
    /// account.
    pub rule: Option<SubscriptionRefundRule>,
    /// The reason.
    pub reason: Text<1, 500>,
    /// Whether the subscription ends at once (default false).
    pub end_subscription: Option<bool>,
}

/// Refunds a paid invoice of a subscription by rule, and issues a credit note once the card was
/// refunded (extension). 404 for an invoice that is not a subscription's, 409 `not_refundable` for
/// one that was not paid or has nothing left to give back by the rule, `refund_period_over` once
/// the days of a full refund or the period are over, `charge_disputed` if the bank of the card has
/// taken the charge back, `payment_in_progress` while a charge of a
/// subscription that is to end is under way.
pub async fn refund(
    cx: Cx<Operator>,
    input: RefundSubscription,
) -> Result<Done<SubscriptionRefund>> {
    let mut work = cx.begin().await?;
    let paid = match store::charged(&mut work, input.invoice_id).await? {
        Some(paid) => paid,
        None if invoices::is_of_subscription(&mut work, input.invoice_id).await? => {
            return Err(codes::NOT_REFUNDABLE.into());
        }
        None => return Err(codes::NOT_FOUND.into()),
    };
    let subscription = subscriptions::held(&mut work, paid.subscription_id).await?;
    if disputes::is_taken_from_subscription(&mut work, paid.charge_id).await? {
        return Err(codes::CHARGE_DISPUTED.into());
    }
    let before = store::so_far(&mut work, paid.charge_id).await?;
    let rule = input.rule.unwrap_or(SubscriptionRefundRule::Full);
    let days = store::days(&mut work).await?;
    let amount = amount(&paid, before, (rule, days), cx.now())?;
    if input.end_subscription == Some(true) {
        end(&mut work, &subscription).await?;
    }
    let refund =
        set_aside(&cx, &mut work, (&paid, &subscription), amount, rule, &input.reason).await?;
    movement::begin(&mut work, refund.id, refund.amount_cents).await?;
    work.intent(refund.name()).await?;
    movement::ask_and_answer(&cx, &refund, |work| answer(work, refund.id)).await
}

/// What is refunded by a rule, less what was given back before: never more than is left of the
/// charge.
fn amount(
    paid: &Refundable,
    before: Cents,
    (rule, granted): (SubscriptionRefundRule, i64),
    now: Time,
) -> Result<Cents> {
    let left = paid.total_cents - before;
    if !left.is_positive() {
        return Err(codes::NOT_REFUNDABLE.into());
    }
    match rule {
        SubscriptionRefundRule::Full if now - paid.paid_at > TimeDelta::days(granted) => {
            let message = format!("An invoice is refunded in full within {granted} days.");
            Err(codes::REFUND_PERIOD_OVER.saying(message))
        }
        SubscriptionRefundRule::Full => Ok(left),
        SubscriptionRefundRule::Unused => {
            let days = Days::of(paid.starts_at, paid.ends_at, now);
            let unused = days.left_at(paid.price_cents) - days.left_at(paid.credited_price_cents);
            if !unused.is_positive() {
                let message = "Nothing of the invoice's period is left.";
                return Err(codes::REFUND_PERIOD_OVER.saying(message));
            }
            let amount = (unused - before).min(left);
            if amount.is_positive() {
                Ok(amount)
            } else {
                let message = "The days left of the invoice's period were given back before.";
                Err(codes::NOT_REFUNDABLE.saying(message))
            }
        }
    }
}

/// Ends a subscription whose invoice is refunded. One that has ended stays as it is.
async fn end(work: &mut Work, subscription: &Subscription) -> Result<()> {
    match subscription.status {
        SubscriptionStatus::Ended => Ok(()),
        _ if subscription.next_charge_at.is_none() => Err(codes::PAYMENT_IN_PROGRESS.into()),
        _ => settling::end(work, subscription, SubscriptionEndReason::Cancelled, None).await,
    }
}

async fn open(work: &mut Work, subscription: &Subscription) -> Result<(Account, Book)> {
    let card = Account::Card(subscription.payer()?);
    let book = Book::open(work, [card, Account::Subscriptions, Account::Refunding]).await?;
    Ok((card, book))
}

/// Writes the refund and sets its money aside.
async fn set_aside(
    cx: &Cx<Operator>,
    work: &mut Work,
    (paid, subscription): (&Refundable, &Subscription),
    amount: Cents,
    rule: SubscriptionRefundRule,
    reason: &str,
) -> Result<SubscriptionRefund> {
    let now = cx.now();
    let requested_by = cx.facts().actor.clone();
    let new = NewRefund { charge: paid.charge_id, amount, rule, reason, requested_by };
    let id = store::add(work, new, now).await?;
    let refund = store::find(work, id).await?.ok_or(codes::INTERNAL)?;
    let (_, mut book) = open(work, subscription).await?;
    let entries = [(Account::Subscriptions, -amount), (Account::Refunding, amount)];
    let transfer = Transfer::new(Reason::Refund, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "asked_for");
    Ok(refund)
}

async fn answer(mut work: Work, id: SubscriptionRefundId) -> Result<Done<SubscriptionRefund>> {
    let refund = store::find(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    work.done(refund).await
}

impl Movement for SubscriptionRefund {
    type Id = SubscriptionRefundId;

    const MOVES: MoneyKind = MoneyKind::Refund;

    fn id(&self) -> SubscriptionRefundId {
        self.id
    }

    fn operation(&self) -> &'static str {
        "admin.subscription.refund"
    }

    async fn find(session: &mut Session, id: SubscriptionRefundId) -> Result<Option<Self>> {
        store::find(session, id).await
    }

    async fn send(&self, platform: &Platform, request: &Request) -> Option<Result<Answer, Outage>> {
        let charge = self.processor_charge_id.as_deref()?;
        Some(platform.processor().refund(request, charge).await)
    }

    async fn settle(&self, work: &mut Work, said: &Outcome) -> Result<()> {
        let subscription = subscriptions::held(work, self.subscription_id).await?;
        let refund = store::find(work, self.id).await?.ok_or(codes::NOT_FOUND)?;
        match (refund.status, said) {
            (RefundStatus::Pending, Outcome::Succeeded { .. }) => {
                succeed(work, &subscription, &refund).await
            }
            (RefundStatus::Pending | RefundStatus::Succeeded, Outcome::Failed { why, .. }) => {
                fall_back(work, &subscription, &refund, why).await
            }
            (_, Outcome::InTransit { .. } | Outcome::NeedsAction { .. })
            | (RefundStatus::Succeeded, Outcome::Succeeded { .. })
            | (RefundStatus::Failed, _) => Ok(()),
        }
    }

    async fn answer(&self, work: Work) -> Result<bool> {
        answer(work, self.id).await.map(|_| true)
    }
}

async fn succeed(
    work: &mut Work,
    subscription: &Subscription,
    refund: &SubscriptionRefund,
) -> Result<()> {
    let now = work.now();
    let paid = store::charged(work, refund.invoice_id).await?.ok_or(codes::INTERNAL)?;
    let bill = (paid.invoice_number.as_str(), refund.amount_cents);
    let note = invoicing::credit(work, subscription, bill, (paid.starts_at, paid.ends_at)).await?;
    let moved = refund.status.on(RefundEvent::Succeed)?;
    store::change(work, refund.id, moved, (Some(note), None), now).await?;
    let (card, mut book) = open(work, subscription).await?;
    let entries = [(Account::Refunding, -refund.amount_cents), (card, refund.amount_cents)];
    let transfer = Transfer::new(Reason::RefundSucceeded, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "succeeded");
    let number = invoices::number(work, note).await?;
    let message = told(work, subscription, Event::SubscriptionRefunded)
        .await?
        .with("amount", refund.amount_cents.to_string())
        .with("invoice_number", paid.invoice_number)
        .with("credit_note_number", number)
        .with("reason", refund.reason.clone());
    work.send(message);
    Ok(())
}

/// Puts back what was set aside, or what had reached the card.
async fn fall_back(
    work: &mut Work,
    subscription: &Subscription,
    refund: &SubscriptionRefund,
    why: &str,
) -> Result<()> {
    let now = work.now();
    let moved = refund.status.on(RefundEvent::Fail)?;
    store::change(work, refund.id, moved, (None, Some(why)), now).await?;
    let (card, mut book) = open(work, subscription).await?;
    let (reason, from) = match refund.status {
        RefundStatus::Succeeded => (Reason::RefundReturned, card),
        RefundStatus::Pending | RefundStatus::Failed => (Reason::RefundFailed, Account::Refunding),
    };
    let back = refund.amount_cents;
    let entries = [(from, -back), (Account::Subscriptions, back)];
    let transfer = Transfer::new(reason, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "failed");
    match refund.credit_note_id {
        Some(note) => take_note_back(work, subscription, refund, note).await,
        None => Ok(()),
    }
}

/// An invoice takes the credit note back, and the payer is told.
async fn take_note_back(
    work: &mut Work,
    subscription: &Subscription,
    refund: &SubscriptionRefund,
    note: InvoiceId,
) -> Result<()> {
    let paid = store::charged(work, refund.invoice_id).await?.ok_or(codes::INTERNAL)?;
    let credited = invoices::number(work, note).await?;
    let bill = (credited.as_str(), refund.amount_cents);
    let span = (paid.starts_at, paid.ends_at);
    let taken_back = invoicing::take_back(work, subscription, bill, span).await?;
    store::taken_back(work, refund.id, note, taken_back).await?;
    let number = invoices::number(work, taken_back).await?;
    let message = told(work, subscription, Event::SubscriptionRefundFailed)
        .await?
        .with("amount", refund.amount_cents.to_string())
        .with("invoice_number", paid.invoice_number)
        .with("credit_note_number", credited)
        .with("taken_back_by", number);
    work.send(message);
    Ok(())
}
