//! Subscribers change their plan (decision 30).
//!
//! A plan that costs as much or more, and is charged as often, takes effect at once: the days left
//! of the old plan are credited, the same days of the new one are charged, in one charge with an
//! invoice of its own. What a refund gave back is not credited. Any other plan takes effect with
//! the next period, whose price it then has. Nothing is paid back for a change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::{ChangeEffect, ChangeEvent, ChangeStatus, PlanChange, Quote};
use super::invoicing;
use super::plan::{BillingInterval, SubscriptionPlan};
use super::subscriber::{audience, mine, owner};
use super::subscription::{Span, Subscription, SubscriptionStatus};
use super::telling::{day, told};
use crate::auth::Subscriber;
use crate::error::{Error, Result, codes};
use crate::kernel::{
    BasisPoints, Cents, InvoiceId, Machine as _, PlanId, SubscriptionChangeId, SubscriptionId, Time,
};
use crate::notifications::Event;
use crate::operation::{Cx, Done, Work};
use crate::payments::charges::answering::declined as refusal;
use crate::payments::invoices::invoice::{InvoiceEvent, InvoiceLine};
use crate::payments::movement;
use crate::payments::store::subscription_change::{self as changes, NewChange};
use crate::payments::store::subscription_charge::{self as charges, Charge};
use crate::payments::store::{method, plan as plans, subscription as store};
use crate::storage::Session;

/// Selects a plan to change to.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct PreviewChange {
    /// The plan; it must be on offer to the caller's kind of user.
    pub plan_id: PlanId,
}

/// A change of plan to make.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ChangePlan {
    /// The plan; it must be on offer to the caller's kind of user. The present plan withdraws a
    /// change that waits for the next period.
    pub plan_id: PlanId,
    /// The total of the preview: what is charged now.
    #[schemars(extend("examples" = [0]))]
    pub expected_total_cents: Cents,
}

/// A line of a change's cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ChangeLine {
    /// What is credited or charged.
    pub description: String,
    /// The amount; negative for a credit.
    pub amount_cents: Cents,
}

/// What a change of plan would cost now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ChangePreview {
    /// The present plan.
    pub from_plan_id: PlanId,
    /// Its name.
    pub from_plan_name: String,
    /// The new plan.
    pub plan_id: PlanId,
    /// Its name.
    pub plan_name: String,
    /// When the change takes effect: now, or with the next period.
    pub effect: ChangeEffect,
    /// The instant when the change takes effect.
    pub takes_effect_at: Time,
    /// How many days of the paid period are left, today included.
    pub days_left: i64,
    /// How many days the period has.
    pub days: i64,
    /// What is credited and charged now; none if the change waits for the next period.
    pub lines: Vec<ChangeLine>,
    /// The sum of the lines, which is charged now. It stays the same for the rest of a day of the
    /// period.
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: &'static str,
    /// When the next period is charged.
    pub next_charge_at: Time,
    /// Its price.
    pub next_charge_cents: Cents,
    /// How often the new plan is charged.
    pub interval: BillingInterval,
    /// The platform's fee on hires once the change has taken effect; null if the new plan changes
    /// no fee.
    pub fee_basis_points: Option<BasisPoints>,
}

/// A change of plan with the subscription.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ChangedPlan {
    /// The change; null if the call only withdrew one.
    pub change: Option<PlanChange>,
    /// The subscription.
    pub subscription: Subscription,
}

/// Shows what a change of plan would cost now, without making it (extension). 404 for a plan that
/// is not on offer to the caller; 409 `not_subscribed`, `same_plan`, `payment_in_progress` while a
/// charge is under way, `illegal_transition` for a subscription that is past due or cancelled.
pub async fn preview(cx: Cx<Subscriber>, input: PreviewChange) -> Result<ChangePreview> {
    let mut session = cx.read().await?;
    let plan = plans::find(&mut session, input.plan_id).await?;
    on_offer(&plan, cx.caller)?;
    let subscription = store::live(&mut session, owner(cx.caller), false).await?;
    let subscription = subscription.ok_or(codes::NOT_SUBSCRIBED)?;
    changeable(&subscription, cx.now())?;
    if plan.id == subscription.plan_id {
        return Err(codes::SAME_PLAN.into());
    }
    let quote = quote(&mut session, &subscription, &plan, cx.now()).await?;
    Ok(shown(&subscription, &plan, &quote))
}

/// Changes the plan (extension). A plan that costs as much or more, and is charged as often, takes
/// effect at once: the default card is charged the difference for the days left. Any other takes
/// effect with the next period. Refusals are those of the preview, and 409 `total_changed`, with
/// the new preview, if the total is another one than expected, or `no_payment_method`. A declined
/// card is 402 `card_declined`, and the old plan stays. If the processor does not answer, the
/// change comes back `pending` and is settled later.
pub async fn change(cx: Cx<Subscriber>, input: ChangePlan) -> Result<Done<ChangedPlan>> {
    let mut work = cx.begin().await?;
    let plan = plans::held(&mut work, input.plan_id).await?;
    let subscription = mine(&mut work, cx.caller).await?;
    let now = cx.now();
    if plan.id == subscription.plan_id {
        return keep(work, &subscription, input.expected_total_cents).await;
    }
    on_offer(&plan, cx.caller)?;
    changeable(&subscription, now)?;
    let quote = quote(&mut work, &subscription, &plan, now).await?;
    expected(input.expected_total_cents, quote.total(), || shown(&subscription, &plan, &quote))?;
    if quote.total().is_positive() {
        return charge(&cx, work, (&subscription, &plan), quote).await;
    }
    withdraw(&mut work, subscription.id).await?;
    let new = (ChangeStatus::Scheduled, None);
    let change = add(&mut work, &subscription, &plan, quote, new).await?;
    work.note(change.id, "scheduled");
    if quote.effect == ChangeEffect::Now {
        apply(&mut work, &subscription, &change, ChangeEvent::Apply).await?;
    }
    answer(work, change.id).await
}

/// Charges the difference: writes the change, its invoice and the charge, asks the processor, and
/// settles.
async fn charge(
    cx: &Cx<Subscriber>,
    mut work: Work,
    (subscription, plan): (&Subscription, &SubscriptionPlan),
    quote: Quote,
) -> Result<Done<ChangedPlan>> {
    let card = method::default_card(&mut work, &subscription.owner)
        .await?
        .ok_or(codes::NO_PAYMENT_METHOD)?;
    let invoice = invoicing::issue_for_change(&mut work, subscription, plan, &quote).await?;
    let new = (ChangeStatus::Pending, Some(invoice));
    let change = add(&mut work, subscription, plan, quote, new).await?;
    let (id, now) = (change.id, cx.now());
    let what = (card, quote.total());
    let written = charges::add(&mut work, (change.period_id, Some(id)), what, now).await?;
    store::under_way(&mut work, subscription.id, now).await?;
    work.note(id, "asked_for");
    movement::begin_as(&mut work, written, what.1, (&subscription.label(), false)).await?;
    work.intent(movement::name(written)).await?;
    let written: Charge = movement::committed(cx.platform(), written).await?;
    movement::ask_and_answer(cx, &written, |work| answer(work, id)).await
}

/// Withdraws the change that waits, because its owner chose the present plan.
async fn keep(
    mut work: Work,
    subscription: &Subscription,
    expected_total: Cents,
) -> Result<Done<ChangedPlan>> {
    if subscription.status != SubscriptionStatus::Active
        || !withdraw(&mut work, subscription.id).await?
    {
        return Err(codes::SAME_PLAN.into());
    }
    if expected_total != Cents::ZERO {
        return Err(codes::TOTAL_CHANGED.saying("Keeping the present plan costs nothing."));
    }
    let subscription = store::find(&mut work, subscription.id).await?;
    work.done(ChangedPlan { change: None, subscription }).await
}

fn on_offer(plan: &SubscriptionPlan, caller: Subscriber) -> Result<()> {
    if plan.active && plan.audience == audience(caller) {
        Ok(())
    } else {
        Err(codes::NOT_FOUND.into())
    }
}

/// Whether the plan of a subscription can be changed now.
fn changeable(subscription: &Subscription, now: Time) -> Result<()> {
    let refused = |message: &'static str| Err(codes::ILLEGAL_TRANSITION.saying(message));
    match subscription.status {
        SubscriptionStatus::Pending => Err(codes::PAYMENT_IN_PROGRESS.into()),
        SubscriptionStatus::PastDue => refused("Pay the period that is past due first."),
        SubscriptionStatus::Ended => Err(codes::NOT_SUBSCRIBED.into()),
        SubscriptionStatus::Active if subscription.next_charge_at.is_none() => {
            Err(codes::PAYMENT_IN_PROGRESS.into())
        }
        SubscriptionStatus::Active if subscription.cancel_at_period_end => {
            refused("The subscription is cancelled. Resume it first.")
        }
        SubscriptionStatus::Active if subscription.is_over(now) => {
            refused("The paid period is over, and the next one is about to be charged. Try again.")
        }
        SubscriptionStatus::Active => Ok(()),
    }
}

/// The cost of a change now. Refunds lock the subscription, too: what it reads stays so while the
/// caller holds it.
async fn quote(
    session: &mut Session,
    subscription: &Subscription,
    plan: &SubscriptionPlan,
    now: Time,
) -> Result<Quote> {
    let kept = charges::kept_price(session, subscription.id, subscription.period).await?;
    Ok(Quote::of(subscription, kept, plan, now))
}

fn expected(wanted: Cents, total: Cents, preview: impl FnOnce() -> ChangePreview) -> Result<()> {
    if wanted == total {
        return Ok(());
    }
    let message = format!(
        "The total is now {} cents, which differs from the preview. Check the change again.",
        total.get()
    );
    let preview = serde_json::to_value(preview()).map_err(Error::internal)?;
    Err(codes::TOTAL_CHANGED.saying(message).with_data(preview))
}

fn shown(subscription: &Subscription, plan: &SubscriptionPlan, quote: &Quote) -> ChangePreview {
    let lines = match quote.effect {
        ChangeEffect::Now => invoicing::lines_of_change(subscription, plan, quote),
        ChangeEffect::NextPeriod => Vec::new(),
    };
    let line = |line: InvoiceLine| ChangeLine {
        description: line.description,
        amount_cents: line.amount_cents,
    };
    ChangePreview {
        from_plan_id: subscription.plan_id,
        from_plan_name: subscription.plan_name.clone(),
        plan_id: plan.id,
        plan_name: plan.name.clone(),
        effect: quote.effect,
        takes_effect_at: quote.takes_effect_at,
        days_left: quote.days.left,
        days: quote.days.all,
        lines: lines.into_iter().map(line).collect(),
        total_cents: quote.total(),
        currency: "usd",
        next_charge_at: subscription.period_ends_at,
        next_charge_cents: plan.price_cents,
        interval: plan.interval,
        fee_basis_points: plan.fee_basis_points,
    }
}

async fn add(
    work: &mut Work,
    subscription: &Subscription,
    plan: &SubscriptionPlan,
    quote: Quote,
    (status, invoice): (ChangeStatus, Option<InvoiceId>),
) -> Result<PlanChange> {
    let period = store::period(work, subscription.id, subscription.period).await?;
    let period = period.ok_or(codes::INTERNAL)?.id;
    let now = work.now();
    changes::add(work, NewChange { subscription, period, plan, quote, status, invoice }, now).await
}

/// Puts a change into effect: the subscription has the new plan's terms from now on.
async fn apply(
    work: &mut Work,
    subscription: &Subscription,
    change: &PlanChange,
    event: ChangeEvent,
) -> Result<()> {
    let now = work.now();
    let moved = change.status.on(event)?;
    changes::change(work, change.id, moved, None, now).await?;
    // Periods of another length are counted from the first of them.
    let anchor = (change.interval != subscription.interval).then_some(Span {
        number: subscription.period + 1,
        starts_at: subscription.period_ends_at,
        ends_at: subscription.period_ends_at,
    });
    store::set_terms(work, subscription, change, anchor, now).await?;
    let terms = |plan: PlanId,
                 price: Cents,
                 interval: BillingInterval,
                 fee: Option<BasisPoints>| {
        serde_json::json!({
            "plan_id": plan, "price_cents": price, "interval": interval, "fee_basis_points": fee,
        })
    };
    let before = terms(
        subscription.plan_id,
        subscription.price_cents,
        subscription.interval,
        subscription.fee_basis_points,
    );
    let after = terms(change.plan_id, change.price_cents, change.interval, change.fee_basis_points);
    work.note_change(subscription.id, "plan_changed", before, after);
    let message = told(work, subscription, Event::SubscriptionChanged)
        .await?
        .with("amount", change.total_cents.to_string())
        .with("from_plan_name", subscription.plan_name.clone())
        .with("plan_name", change.plan_name.clone())
        .with("price", change.price_cents.to_string())
        .with("next_charge_on", day(subscription.period_ends_at));
    work.send(message);
    Ok(())
}

/// The change was paid: it takes effect. A change that waited for the next period is withdrawn.
pub(super) async fn paid(
    work: &mut Work,
    subscription: &Subscription,
    change: SubscriptionChangeId,
) -> Result<()> {
    let change = changes::find(work, change).await?;
    withdraw(work, subscription.id).await?;
    apply(work, subscription, &change, ChangeEvent::Pay).await
}

/// The change was not paid: the old plan stays, and its invoice is void.
pub(super) async fn declined(
    work: &mut Work,
    subscription: &Subscription,
    change: SubscriptionChangeId,
    why: &str,
) -> Result<()> {
    let change = changes::find(work, change).await?;
    let now = work.now();
    let moved = change.status.on(ChangeEvent::Decline)?;
    changes::change(work, change.id, moved, Some(why), now).await?;
    if let Some(invoice) = change.invoice_id {
        invoicing::close(work, invoice, InvoiceEvent::Void).await?;
    }
    store::rest(work, subscription, now).await?;
    work.note(change.id, "declined");
    Ok(())
}

/// Withdraws the change that waits for the next period; returns whether there was one.
pub(super) async fn withdraw(work: &mut Work, subscription: SubscriptionId) -> Result<bool> {
    let Some(waits) = changes::scheduled(work, subscription).await? else {
        return Ok(false);
    };
    let now = work.now();
    let moved = waits.status.on(ChangeEvent::Withdraw)?;
    changes::change(work, waits.id, moved, None, now).await?;
    work.note(waits.id, "withdrawn");
    Ok(true)
}

/// Puts the change that waited for a new period into effect; returns the subscription with the
/// terms of the period.
pub(super) async fn begin_period(
    work: &mut Work,
    subscription: Subscription,
) -> Result<Subscription> {
    if subscription.status != SubscriptionStatus::Active {
        return Ok(subscription);
    }
    match changes::scheduled(work, subscription.id).await? {
        Some(change) => {
            apply(work, &subscription, &change, ChangeEvent::Apply).await?;
            store::find(work, subscription.id).await
        }
        None => Ok(subscription),
    }
}

/// The response of a call that changed the plan: 402 with the change and the subscription if the
/// card was declined.
pub(super) async fn answer(mut work: Work, id: SubscriptionChangeId) -> Result<Done<ChangedPlan>> {
    let change = changes::find(&mut work, id).await?;
    let subscription = store::find(&mut work, change.subscription_id).await?;
    let declined = change.status == ChangeStatus::Declined;
    let why = change.failure_code.clone();
    let answer = ChangedPlan { change: Some(change), subscription };
    if declined {
        let data = serde_json::to_value(&answer).map_err(Error::internal)?;
        return Err(work.refused(refusal(why.as_deref()).with_data(data)).await?);
    }
    work.done(answer).await
}
