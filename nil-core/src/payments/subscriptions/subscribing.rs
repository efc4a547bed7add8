//! Brands and agents subscribe to plans, cancel and resume.

use schemars::JsonSchema;
use serde::Deserialize;

use super::subscriber::{audience, mine, owner};
use super::subscription::{Span, Subscription, SubscriptionEndReason, SubscriptionStatus};
use super::{confirming, invoicing, settling};
use crate::auth::Subscriber;
use crate::error::{Result, codes};
use crate::kernel::{Nothing, PlanId};
use crate::operation::{Cx, Done, Work};
use crate::payments::ledger::Owner;
use crate::payments::movement;
use crate::payments::store::subscription_charge::{self as charges, Charge};
use crate::payments::store::{method, plan as plans, subscription as store};

/// Selects a plan.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Subscribe {
    /// The plan; it must be on offer to the caller's kind of user.
    pub plan_id: PlanId,
}

/// Subscribes to a plan and charges the default card for the first period (extension). The current
/// terms apply as long as the subscription continues. 404 for a plan that is not on offer to the
/// caller, 409 `already_subscribed`, `no_payment_method`, or `site_unnamed` if the site cannot
/// issue invoices yet; a declined card is 402 `card_declined` with the subscription, which has
/// ended. If the processor does not answer, the subscription comes back `pending` and is settled
/// later.
pub async fn subscribe(cx: Cx<Subscriber>, input: Subscribe) -> Result<Done<Subscription>> {
    let mut work = cx.begin().await?;
    let owner = owner(cx.caller);
    let plan = plans::held(&mut work, input.plan_id).await?;
    if !plan.active || plan.audience != audience(cx.caller) {
        return Err(codes::NOT_FOUND.into());
    }
    if store::live(&mut work, owner, false).await?.is_some() {
        return Err(codes::ALREADY_SUBSCRIBED.into());
    }
    let card = method::default_card(&mut work, &owner.to_string())
        .await?
        .ok_or(codes::NO_PAYMENT_METHOD)?;
    let now = cx.now();
    let first = Span::of(plan.interval, now, 1)?;
    let subscription = store::add(&mut work, owner, &plan, first).await?;
    let period = invoicing::drawn_up(&mut work, &subscription, first).await?;
    let what = (card, plan.price_cents);
    let charge = charges::add(&mut work, (period.id, None), what, now).await?;
    work.note(subscription.id, "asked_for");
    movement::begin_as(&mut work, charge, what.1, (&subscription.label(), false)).await?;
    work.intent(movement::name(charge)).await?;
    let charge: Charge = movement::committed(cx.platform(), charge).await?;
    let id = subscription.id;
    movement::ask_and_answer(&cx, &charge, |work| settling::answer(work, id)).await
}

/// Ends the caller's subscription at the end of the paid period; at once if the next period is
/// billed but unpaid, whose invoice becomes void (extension). A charge that waits for its
/// cardholder is given up before. Repeating it changes nothing. 409 `not_subscribed`; 409
/// `payment_in_progress` while the first charge, or another attempt, is under way; 503 if the
/// processor does not answer.
pub async fn cancel(cx: Cx<Subscriber>, _: Nothing) -> Result<Done<Subscription>> {
    let live = current(cx.clone(), Nothing {}).await?;
    let waits = live.filter(|subscription| subscription.confirm_until.is_some());
    if let Some(waits) = &waits {
        confirming::give_up(cx.platform(), waits.id).await?;
    }
    let mut work = cx.begin().await?;
    if let Some(waits) = waits {
        let given_up = store::find(&mut work, waits.id).await?;
        if given_up.status == SubscriptionStatus::Ended {
            return work.done(given_up).await;
        }
    }
    let subscription = mine(&mut work, cx.caller).await?;
    cancel_held(&mut work, &subscription).await?;
    let subscription = store::find(&mut work, subscription.id).await?;
    work.done(subscription).await
}

/// Cancels a locked subscription.
async fn cancel_held(work: &mut Work, subscription: &Subscription) -> Result<()> {
    match subscription.status {
        SubscriptionStatus::Active if !subscription.cancel_at_period_end => {
            set_cancelled(work, subscription, true).await
        }
        SubscriptionStatus::PastDue if subscription.next_charge_at.is_some() => {
            settling::end(work, subscription, SubscriptionEndReason::Cancelled, None).await
        }
        SubscriptionStatus::Active | SubscriptionStatus::Ended => Ok(()),
        SubscriptionStatus::Pending | SubscriptionStatus::PastDue => {
            Err(codes::PAYMENT_IN_PROGRESS.into())
        }
    }
}

/// Cancels the subscription of a brand or an agent who leaves, if there is one. 409
/// `payment_in_progress` while a charge is under way.
pub async fn cancel_of(work: &mut Work, owner: Owner) -> Result<()> {
    match store::live(work, owner, true).await? {
        Some(subscription) => cancel_held(work, &subscription).await,
        None => Ok(()),
    }
}

/// Withdraws a cancellation before the paid period is over (extension). Repeating it changes
/// nothing. 409 `not_subscribed`, `payment_in_progress` while the first charge is under way,
/// `illegal_transition` once the period is over or a charge was declined.
pub async fn resume(cx: Cx<Subscriber>, _: Nothing) -> Result<Done<Subscription>> {
    let mut work = cx.begin().await?;
    let subscription = mine(&mut work, cx.caller).await?;
    match subscription.status {
        SubscriptionStatus::Active if !subscription.cancel_at_period_end => {}
        SubscriptionStatus::Active if !subscription.is_over(cx.now()) => {
            set_cancelled(&mut work, &subscription, false).await?;
        }
        SubscriptionStatus::Pending => return Err(codes::PAYMENT_IN_PROGRESS.into()),
        SubscriptionStatus::Active | SubscriptionStatus::PastDue | SubscriptionStatus::Ended => {
            let message =
                "The paid period is over. Subscribe again once the subscription has ended.";
            return Err(codes::ILLEGAL_TRANSITION.saying(message));
        }
    }
    let subscription = store::find(&mut work, subscription.id).await?;
    work.done(subscription).await
}

async fn set_cancelled(
    work: &mut Work,
    subscription: &Subscription,
    cancelled: bool,
) -> Result<()> {
    let now = work.now();
    store::set_cancelled(work, subscription.id, cancelled, now).await?;
    let action = if cancelled { "cancelled" } else { "resumed" };
    work.note(subscription.id, action);
    Ok(())
}

/// Returns the caller's subscription; null if there is none or it has ended (extension).
pub async fn current(cx: Cx<Subscriber>, _: Nothing) -> Result<Option<Subscription>> {
    let mut session = cx.read().await?;
    store::live(&mut session, owner(cx.caller), false).await
}
