//! Completes orders: the work is approved and the saved card charged, once.
//!
//! The card is charged here and not earlier, so that no refund is needed if nothing is delivered. A
//! brand that does not respond is taken to approve after seven days, so that delivered work is
//! paid. The charge works like every payment: recorded, sent to the processor, settled.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::auth::{Partner, Service};
use crate::deals::delivering;
use crate::error::{Kind, Result, codes};
use crate::kernel::{Machine as _, ServiceOrderId};
use crate::operation::{Cx, Done, Work};
use crate::orders::store::{self as orders, Whose};
use crate::orders::{Order, OrderEvent, OrderStatus};
use crate::payments::{
    self, CompletedOrder, charges::amount_owed::Line, charges::charging::charge_card,
    charges::charging::intend_order, charges::selection::all_of_contract,
};
use crate::platform::Platform;
use crate::schedule::due;

/// The order to complete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompleteOrder {
    /// The order.
    pub id: ServiceOrderId,
}

/// Approves delivered work and charges the brand's default card the price and the fee, at the
/// frozen rate (extension). A declined card is 402 `card_declined` with the failed payment: the
/// work stays approved and owed, and completing again is a new attempt. 404 for another brand's
/// order, 409 `illegal_transition` unless it is `delivered`, `nothing_owed` while a payment of it
/// is under way, `no_payment_method`, or a rule of the athlete's institution that forbids paying.
pub async fn complete(cx: Cx<Partner>, input: CompleteOrder) -> Result<Done<CompletedOrder>> {
    let mut work = cx.begin().await?;
    let order = orders::find(&mut work, input.id, Whose::Partner(cx.caller.id)).await?;
    order.status.on(OrderEvent::Complete)?;
    approve(&mut work, &order).await?;
    let line = owed(&mut work, &order).await?;
    let charge = intend_order(work, order.partner_id, line, order.id).await?;
    charge_card(&cx, charge, |work| payments::answer_order(work, order.id, charge)).await
}

/// Approves the work unless it is already approved; returns whether it did.
async fn approve(work: &mut Work, order: &Order) -> Result<bool> {
    let deliverable = order.deliverable_id.ok_or(codes::INTERNAL)?;
    delivering::approve_once(work, order.partner_id, deliverable).await
}

async fn owed(work: &mut Work, order: &Order) -> Result<Line> {
    let contract = order.contract_id.ok_or(codes::INTERNAL)?;
    all_of_contract(work, order.partner_id, order.athlete_id, contract).await
}

/// Completes delivered orders that the brand has not reviewed in time, each once: the work is
/// approved, and the card charged if possible. Returns their number. For the worker.
pub async fn conclude_unanswered(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        orders::unreviewed(&mut session, platform.now(), behind).await
    };
    due::each("delivered service order", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, conclude, id).await?.into_inner())
    })
    .await
}

/// Returns whether this call approved it. The card is charged at most once; if that is not
/// possible, the amount stays owed.
async fn conclude(cx: Cx<Service>, id: ServiceOrderId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let order = orders::find(&mut work, id, Whose::Anybody).await?;
    let over = order.review_by.is_some_and(|until| until < cx.now());
    if order.status != OrderStatus::Delivered || !over {
        return work.done(false).await;
    }
    if !approve(&mut work, &order).await? {
        return work.done(false).await;
    }
    work.note(order.id, "approved_by_silence");
    // The card of a brand that was suspended or has left is not charged automatically; the amount
    // stays owed.
    if !orders::is_in_use(&mut work, order.partner_id).await? {
        return work.done(true).await;
    }
    let line = match owed(&mut work, &order).await {
        Ok(line) => line,
        Err(error) if !work.failed() && error.kind() == Kind::Conflict => {
            return work.done(true).await;
        }
        Err(error) => return Err(error),
    };
    let charge = intend_order(work, order.partner_id, line, order.id).await?;
    charge_card(&cx, charge, |work| work.done(true)).await
}
