//! Charges for subscriptions as movements: what the outcome, or the lack of a card, changes of the
//! subscription.

use chrono::TimeDelta;
use chrono_tz::Tz;

use super::subscription::{
    Subscription, SubscriptionEndReason, SubscriptionEvent, SubscriptionStatus,
};
use super::telling::{day, told};
use super::{changing, invoicing};
use crate::error::{Error, Result, codes};
use crate::kernel::{Cents, InvoiceId, Machine as _, SubscriptionChargeId, SubscriptionId};
use crate::notifications::Event;
use crate::operation::{Done, Work};
use crate::payments::charges::answering::{declined, reason_in_words};
use crate::payments::invoices::invoice::InvoiceEvent;
use crate::payments::ledger::{Account, Book, Reason, Transfer};
use crate::payments::movement::{self, Movement};
use crate::payments::store::subscription_charge::{self as charges, Charge};
use crate::payments::store::{invoice as invoices, subscription as store};
use crate::platform::Platform;
use crate::ports::processor::{Answer, MoneyKind, Outage, Outcome, Request};
use crate::storage::Session;
use crate::wording::moment;

/// The days after the first declined charge of a period on which it is tried again. A day that
/// passed without the worker is not made up for.
const TRIED_AGAIN_ON: [i64; 3] = [1, 3, 7];

impl Movement for Charge {
    type Id = SubscriptionChargeId;

    const MOVES: MoneyKind = MoneyKind::Charge;

    fn id(&self) -> SubscriptionChargeId {
        self.id
    }

    /// The call's own, whose stored responses have a subscription's shape, or the worker's.
    fn operation(&self) -> &'static str {
        match (self.change_id, self.number) {
            (Some(_), _) => "core.subscription.change",
            (None, 1) => "core.subscription.subscribe",
            (None, _) => "subscription.renewal",
        }
    }

    async fn find(session: &mut Session, id: SubscriptionChargeId) -> Result<Option<Self>> {
        charges::find(session, id).await
    }

    async fn send(&self, platform: &Platform, request: &Request) -> Option<Result<Answer, Outage>> {
        Some(platform.processor().charge(request, &self.of_card.processor_ref).await)
    }

    async fn settle(&self, work: &mut Work, said: &Outcome) -> Result<()> {
        let subscription = store::held(work, self.subscription_id).await?;
        let charge = charges::find(work, self.id).await?.ok_or(codes::NOT_FOUND)?;
        let Some(moved) = charge.of_card.status.moved_by(said)? else { return Ok(()) };
        let now = work.now();
        charges::change(work, charge.id, moved, said, now).await?;
        match said {
            Outcome::InTransit { .. } => Ok(()),
            Outcome::NeedsAction { until, .. } => {
                work.note(subscription.id, "confirmation_asked_for");
                let message = told(work, &subscription, Event::SubscriptionNeedsConfirmation)
                    .await?
                    .with("amount", charge.total_cents.to_string())
                    .with("confirm_until", moment(*until, Tz::UTC));
                work.send(message);
                Ok(())
            }
            Outcome::Succeeded { fee, .. } => {
                book(work, &subscription, &charge, *fee).await?;
                match charge.change_id {
                    Some(id) => changing::paid(work, &subscription, id).await,
                    None => paid(work, &subscription, &charge).await,
                }
            }
            Outcome::Failed { why, .. } => match charge.change_id {
                Some(id) => changing::declined(work, &subscription, id, why).await,
                None => missed(work, &subscription, charge.invoice_id, why).await,
            },
        }
    }

    fn reference(&self) -> Option<&str> {
        self.of_card.waits_as()
    }

    async fn answer(&self, work: Work) -> Result<bool> {
        match self.change_id {
            Some(id) => changing::answer(work, id).await.map(|_| true),
            None => answer(work, self.subscription_id).await.map(|_| true),
        }
    }
}

/// Books a charge that succeeded: its invoice is paid.
async fn book(
    work: &mut Work,
    subscription: &Subscription,
    charge: &Charge,
    cost: Cents,
) -> Result<()> {
    let now = work.now();
    invoicing::close(work, charge.invoice_id, InvoiceEvent::Pay).await?;
    let card = Account::Card(subscription.payer()?);
    let mut accounts = vec![card, Account::Subscriptions];
    accounts.extend(Account::COSTS);
    let mut book = Book::open(work, accounts).await?;
    let entries = [(card, -charge.total_cents), (Account::Subscriptions, charge.total_cents)];
    // One invoice, one transfer, whichever caller settles: the ledger leaves out what it already
    // has.
    let refers_to = format!("invoice:{}", charge.invoice_id);
    let mut transfers = vec![Transfer::new(Reason::Subscription, refers_to, entries)];
    transfers.extend(Transfer::of_cost(movement::name(charge.id), cost));
    book.post(work, now, &transfers).await
}

/// Goes on to a paid period.
async fn paid(work: &mut Work, subscription: &Subscription, charge: &Charge) -> Result<()> {
    let now = work.now();
    let moved = subscription.status.on(SubscriptionEvent::Pay)?;
    store::paid(work, subscription.id, moved, charge.span(), now).await?;
    if subscription.status == SubscriptionStatus::Pending {
        work.note(subscription.id, "begun");
        return Ok(());
    }
    work.note(subscription.id, "renewed");
    let number = invoices::number(work, charge.invoice_id).await?;
    let message = told(work, subscription, Event::SubscriptionRenewed)
        .await?
        .with("invoice_number", number)
        .with("period_ends_on", day(charge.ends_at));
    work.send(message);
    Ok(())
}

/// Handles an unpaid period: the subscription never begins, is tried again, or ends.
pub(super) async fn missed(
    work: &mut Work,
    subscription: &Subscription,
    invoice: InvoiceId,
    why: &str,
) -> Result<()> {
    if subscription.status == SubscriptionStatus::Pending {
        let moved = subscription.status.on(SubscriptionEvent::Decline)?;
        let end = (SubscriptionEndReason::Declined, Some(why));
        let now = work.now();
        store::end(work, subscription.id, moved, end, now).await?;
        invoicing::close(work, invoice, InvoiceEvent::Void).await?;
        work.note(subscription.id, "declined");
        return Ok(());
    }
    // It was cancelled while the charge was under way: no further attempt.
    if subscription.cancel_at_period_end {
        return end(work, subscription, SubscriptionEndReason::Cancelled, Some(why)).await;
    }
    let now = work.now();
    let first = subscription.unpaid_since.unwrap_or(now);
    let mut tries = TRIED_AGAIN_ON.iter().map(|days| first + TimeDelta::days(*days));
    let Some(again) = tries.find(|at| *at > now) else {
        return end(work, subscription, SubscriptionEndReason::Unpaid, Some(why)).await;
    };
    let moved = subscription.status.on(SubscriptionEvent::Decline)?;
    store::declined(work, subscription.id, moved, (why, first, again), now).await?;
    work.note(subscription.id, "payment_failed");
    let message = told(work, subscription, Event::SubscriptionPaymentFailed)
        .await?
        .with("reason", in_words(why))
        .with("retry_on", day(again));
    work.send(message);
    Ok(())
}

/// Ends a subscription that has begun. Unpaid invoices become void, or uncollectible if all
/// attempts failed.
pub(super) async fn end(
    work: &mut Work,
    subscription: &Subscription,
    reason: SubscriptionEndReason,
    failure: Option<&str>,
) -> Result<()> {
    let (event, invoice) = match reason {
        SubscriptionEndReason::Unpaid => (SubscriptionEvent::GiveUp, InvoiceEvent::GiveUp),
        _ => (SubscriptionEvent::End, InvoiceEvent::Void),
    };
    let moved = subscription.status.on(event)?;
    let now = work.now();
    store::end(work, subscription.id, moved, (reason, failure), now).await?;
    changing::withdraw(work, subscription.id).await?;
    let next = subscription.next_period()?.number;
    if let Some(period) = store::period(work, subscription.id, next).await? {
        invoicing::close(work, period.invoice_id, invoice).await?;
    }
    work.note(subscription.id, "ended");
    let words = match reason {
        SubscriptionEndReason::Cancelled => "it was cancelled",
        SubscriptionEndReason::AccountClosed => "the account is not active",
        SubscriptionEndReason::Unpaid | SubscriptionEndReason::Declined => "it was not paid",
    };
    let message = told(work, subscription, Event::SubscriptionEnded).await?.with("reason", words);
    work.send(message);
    Ok(())
}

fn in_words(why: &str) -> String {
    match why {
        "no_payment_method" => "there is no saved card".into(),
        why => reason_in_words(why),
    }
}

/// The response of a call that subscribed: the subscription, or 402 with it if the card was
/// declined.
pub(super) async fn answer(mut work: Work, id: SubscriptionId) -> Result<Done<Subscription>> {
    let subscription = store::find(&mut work, id).await?;
    if subscription.end_reason == Some(SubscriptionEndReason::Declined) {
        let refusal = declined(subscription.failure_code.as_deref());
        let data = serde_json::to_value(&subscription).map_err(Error::internal)?;
        return Err(work.refused(refusal.with_data(data)).await?);
    }
    work.done(subscription).await
}
