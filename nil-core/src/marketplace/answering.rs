//! Athletes accept and decline orders.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::auth::Athlete;
use crate::deals::engaging::{self, Engagement};
use crate::error::{Result, codes};
use crate::kernel::{Machine as _, ServiceOrderId, Text, day_in};
use crate::notifications::FeedKind;
use crate::operation::{Cx, Done, Work};
use crate::orders::store::{self as orders, Whose};
use crate::orders::{Order, OrderEvent, notices};
use crate::payments::methods;
use crate::people;

/// The order to accept.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AcceptOrder {
    /// The order.
    pub id: ServiceOrderId,
}

/// The order to decline.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DeclineOrder {
    /// The order.
    pub id: ServiceOrderId,
    /// The reason; the brand sees it.
    pub reason: Option<Text<1, 1000>>,
}

/// Accepts an order (extension). This is a hire that the athlete confirms at once: job, contract
/// and deliverable are created together, at the frozen price and rate, and it is refused for the
/// same reasons as a hire. 404 for another athlete's order, 409 `illegal_transition` if it was
/// already answered, its time is over or the brand has left, `no_payment_method` if the brand no
/// longer has a card.
pub async fn accept(cx: Cx<Athlete>, input: AcceptOrder) -> Result<Done<Order>> {
    let mut work = cx.begin().await?;
    let order = held(&mut work, &cx, input.id).await?;
    let moved = order.status.on(OrderEvent::Accept)?;
    if order.expires_at < cx.now() {
        return Err(codes::ILLEGAL_TRANSITION.saying("The time to answer this order is over."));
    }
    still_stands(&mut work, &order).await?;
    let athlete = people::facts(&mut work, cx.caller.id).await?.ok_or(codes::NOT_FOUND)?;
    let today = day_in(cx.now(), athlete.zone());
    let due_on = today + TimeDelta::days(order.delivery_days);
    let made = engaging::engage(
        &mut work,
        Engagement {
            partner: order.partner_id,
            athlete: order.athlete_id,
            title: order.title.clone(),
            description: order.description.clone(),
            category: order.category_id,
            kind: order.kind.job_kind(),
            activity: order.kind.activity(),
            platform: order.platform,
            media_kind: order.kind.media_kind(),
            instructions: order.note.clone(),
            business_purpose: order.business_purpose.clone(),
            price: order.price_cents,
            fee: order.fee_basis_points,
            due_on: order.wanted_by.unwrap_or(due_on),
        },
    )
    .await?;
    let became = (made.contract, made.deliverable);
    orders::accept(&mut work, order.id, moved, became, cx.now()).await?;
    work.note(order.id, moved.to().as_str());
    let order = orders::again(&mut work, order.id).await?;
    work.done(order).await
}

/// Refuses if the brand could no longer place the order: it has left, or has no card.
async fn still_stands(work: &mut Work, order: &Order) -> Result<()> {
    if !orders::is_in_use(work, order.partner_id).await? {
        return Err(codes::ILLEGAL_TRANSITION.saying("The brand's account is no longer in use."));
    }
    if !methods::can_pay(work, order.partner_id).await? {
        return Err(codes::NO_PAYMENT_METHOD.saying("The brand no longer has a saved card."));
    }
    Ok(())
}

/// Declines an order (extension). 404 for another athlete's order, 409 `illegal_transition` if it
/// was already answered.
pub async fn decline(cx: Cx<Athlete>, input: DeclineOrder) -> Result<Done<Order>> {
    let mut work = cx.begin().await?;
    let order = held(&mut work, &cx, input.id).await?;
    let reason = input.reason.as_deref().map(|why| why.trim().to_owned());
    let order = end(&mut work, &order, OrderEvent::Decline, reason).await?;
    work.done(order).await
}

/// The caller's order, locked.
async fn held(work: &mut Work, cx: &Cx<Athlete>, id: ServiceOrderId) -> Result<Order> {
    orders::lock(work, id, Whose::Athlete(cx.caller.id)).await
}

/// Ends a locked order that has not become a contract; both sides are told.
pub(super) async fn end(
    work: &mut Work,
    order: &Order,
    event: OrderEvent,
    reason: Option<String>,
) -> Result<Order> {
    let moved = order.status.on(event)?;
    let now = work.now();
    orders::end(work, order.id, moved, reason, now).await?;
    work.note(order.id, moved.to().as_str());
    let (athlete, partner) = orders::users(work, order).await?;
    work.touch(athlete, FeedKind::Jobs);
    work.touch(partner, FeedKind::Jobs);
    let order = orders::again(work, order.id).await?;
    notices::tell(work, &order, event).await?;
    Ok(order)
}
