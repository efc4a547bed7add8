//! The worker charges what is due, and ends what does not go on.

use schemars::JsonSchema;
use serde::Serialize;

use super::subscription::EndReason;
use super::{invoicing, settling};
use crate::accounts::UserStatus;
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::{SubscriptionChargeId, SubscriptionId};
use crate::operation::{Cx, Done};
use crate::payments::store::{
    invoice as invoices, method, subscription as store, subscription_charge as charges,
};
use crate::platform::Platform;
use crate::ports::processor::Outcome;

/// How many subscriptions one round looks at, so that a busy first of the month does not keep the worker
/// from everything else; the next round goes on.
const AT_MOST: usize = 500;

/// The reason for a period that nothing could be charged to.
const NO_CARD: &str = "no_payment_method";

/// What one round of billing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Billed {
    /// Periods that were paid.
    pub renewed: usize,
    /// Periods that could not be charged, for want of a card too.
    pub declined: usize,
    /// Charges whose outcome is not known yet; [`reconcile`](crate::payments::reconcile) asks again.
    pub open: usize,
    /// Subscriptions that were due to end.
    pub ended: usize,
}

/// What was found due for a subscription.
#[derive(Clone, Copy, Debug, Serialize)]
enum Due {
    /// Nothing any more: somebody else was here.
    Nothing,
    /// It does not go on.
    Ended,
    /// There is no card to charge.
    NoCard,
    /// A charge, written down.
    Charge(SubscriptionChargeId),
}

/// Renews what is due by charging the default cards, and ends what was cancelled. A period is charged
/// once, whatever crashes and however many do this at a time. One that goes wrong does not keep the
/// others from it. One call works off five hundred at most. For the worker, and for whoever runs it by
/// the clock.
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
    let (charge, said) = settling::ask_charge(platform, charge).await?;
    settling::end_charge(platform, &charge, said.as_ref()).await?;
    match said {
        Some(Outcome::Succeeded(_)) => billed.renewed += 1,
        Some(Outcome::Failed(..)) => billed.declined += 1,
        Some(Outcome::InTransit(..)) | None => billed.open += 1,
    }
    Ok(())
}

/// Decides what is due for a subscription and, where that is a charge, writes it down: the period and
/// its invoice, unless they are there from an earlier try, and the charge.
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
        let reason = if gone { EndReason::AccountClosed } else { EndReason::Cancelled };
        settling::end(&mut work, &subscription, reason, None).await?;
        return work.done(Due::Ended).await;
    }
    let span = subscription.next_period()?;
    let period = invoicing::drawn_up(&mut work, &subscription, span).await?;
    let Some(card) = method::default_card(&mut work, &subscription.owner).await? else {
        settling::missed(&mut work, &subscription, period.invoice_id, NO_CARD).await?;
        return work.done(Due::NoCard).await;
    };
    let what = (card, subscription.price_cents);
    let charge = charges::add(&mut work, period.id, what, now).await?;
    store::under_way(&mut work, id, now).await?;
    work.note(subscription.id, "charged");
    work.done(Due::Charge(charge)).await
}
