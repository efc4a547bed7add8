//! The worker charges subscriptions that are due and ends those that were cancelled.

use schemars::JsonSchema;
use serde::Serialize;

use super::subscription::SubscriptionEndReason;
use super::{changing, invoicing, settling};
use crate::accounts::UserStatus;
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::{SubscriptionChargeId, SubscriptionId};
use crate::operation::{Cx, Done};
use crate::payments::movement;
use crate::payments::store::subscription_charge::{self as charges, Charge};
use crate::payments::store::{invoice as invoices, method, subscription as store};
use crate::platform::Platform;
use crate::ports::processor::Outcome;

/// The maximum number of subscriptions per round, so that a busy first of the month does not keep
/// the worker from its other tasks; the next round continues.
const AT_MOST: usize = 500;

/// The failure code of a period without a card to charge.
const NO_CARD: &str = "no_payment_method";

/// The result of one round of billing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Billed {
    /// Periods that were paid.
    pub renewed: usize,
    /// Periods that could not be charged, also for lack of a card.
    pub declined: usize,
    /// Charges with an unknown outcome; [`reconcile`](crate::payments::reconcile) asks again.
    pub open: usize,
    /// Subscriptions that were ended.
    pub ended: usize,
}

/// What is due for a subscription.
#[derive(Clone, Copy, Debug, Serialize)]
enum Due {
    /// Nothing any more: another worker was faster.
    Nothing,
    /// Its end.
    Ended,
    /// A charge, but there is no card.
    NoCard,
    /// A charge, already written.
    Charge(SubscriptionChargeId),
}

/// Renews subscriptions that are due by charging the default cards, and ends those that were
/// cancelled. A period is charged once, whatever crashes and however many workers run. An error
/// with one does not stop the others. Processes five hundred at most per call. For the worker and
/// the cron endpoint.
pub async fn bill(platform: &Platform) -> Result<Billed> {
    let mut billed = Billed::default();
    let mut after = 0;
    let mut looked_at = 0;
    while looked_at < AT_MOST {
        let due = {
            let mut session = platform.db().read().await?;
            store::due(&mut session, platform.now(), after).await?
        };
        let Some(last) = due.last() else { break };
        after = last.get();
        looked_at += due.len();
        for id in due {
            if let Err(error) = bill_one(platform, id, &mut billed).await {
                tracing::error!(%error, %id, "a subscription could not be billed");
            }
        }
    }
    Ok(billed)
}

async fn bill_one(platform: &Platform, id: SubscriptionId, billed: &mut Billed) -> Result<()> {
    let worker = Service::ourselves();
    let charge = match platform.call(worker, draw_up, id).await?.into_inner() {
        Due::Nothing => return Ok(()),
        Due::Ended => {
            billed.ended += 1;
            return Ok(());
        }
        Due::NoCard => {
            billed.declined += 1;
            return Ok(());
        }
        Due::Charge(charge) => charge,
    };
    let charge: Charge = movement::committed(platform, charge).await?;
    match movement::ask_and_end(platform, &charge).await? {
        Some(Outcome::Succeeded { .. }) => billed.renewed += 1,
        Some(Outcome::Failed { .. }) => billed.declined += 1,
        Some(Outcome::InTransit { .. } | Outcome::NeedsAction { .. }) | None => billed.open += 1,
    }
    Ok(())
}

/// Decides what is due for a subscription. For a charge, it writes the period and its invoice,
/// unless an earlier attempt did, and the charge. A change of plan that waited for the period takes
/// effect before.
async fn draw_up(cx: Cx<Service>, id: SubscriptionId) -> Result<Done<Due>> {
    let mut work = cx.begin().await?;
    let subscription = store::held(&mut work, id).await?;
    let now = cx.now();
    if subscription.next_charge_at.is_none_or(|at| at > now) {
        return work.done(Due::Nothing).await;
    }
    let customer = invoices::customer(&mut work, subscription.payer()?).await?;
    let gone = customer.status != UserStatus::Active;
    if gone || subscription.cancel_at_period_end {
        let reason = if gone {
            SubscriptionEndReason::AccountClosed
        } else {
            SubscriptionEndReason::Cancelled
        };
        settling::end(&mut work, &subscription, reason, None).await?;
        return work.done(Due::Ended).await;
    }
    let subscription = changing::begin_period(&mut work, subscription).await?;
    let span = subscription.next_period()?;
    let period = invoicing::drawn_up(&mut work, &subscription, span).await?;
    let Some(card) = method::default_card(&mut work, &subscription.owner).await? else {
        settling::missed(&mut work, &subscription, period.invoice_id, NO_CARD).await?;
        return work.done(Due::NoCard).await;
    };
    let what = (card, subscription.price_cents);
    let charge = charges::add(&mut work, (period.id, None), what, now).await?;
    movement::begin_as(&mut work, charge, what.1, (&subscription.label(), false)).await?;
    store::under_way(&mut work, id, now).await?;
    work.note(subscription.id, "charged");
    work.done(Due::Charge(charge)).await
}
