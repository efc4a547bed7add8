//! Keeps an order's state in step with its contract, whichever operation changes that.

use chrono::TimeDelta;

use super::notices;
use super::order::{OrderEvent, OrderStatus};
use super::store::{self as orders, Followed};
use crate::error::Result;
use crate::jobs::closing;
use crate::kernel::{ContractId, Machine as _};
use crate::notifications::FeedKind;
use crate::operation::Work;

/// How long a brand can review delivered work before its silence counts as approval.
const REVIEWED_WITHIN: TimeDelta = TimeDelta::days(7);

/// Changes the state of the order that this locked contract belongs to, if there is one.
pub(crate) async fn follow(work: &mut Work, contract: ContractId, event: OrderEvent) -> Result<()> {
    follow_all(work, &[contract], event).await
}

/// Changes the states of the orders that these locked contracts belong to, as far as there are any.
pub(crate) async fn follow_all(
    work: &mut Work,
    contracts: &[ContractId],
    event: OrderEvent,
) -> Result<()> {
    for order in orders::of_contracts(work, contracts).await? {
        follow_one(work, &order, event).await?;
    }
    Ok(())
}

async fn follow_one(work: &mut Work, order: &Followed, event: OrderEvent) -> Result<()> {
    let moved = order.status.on(event)?;
    let now = work.now();
    let review_by = (moved.to() == OrderStatus::Delivered).then(|| now + REVIEWED_WITHIN);
    orders::follow(work, order.id, moved, review_by, now).await?;
    work.note(order.id, moved.to().as_str());
    if event == OrderEvent::CallOff {
        closing::call_off(work, order.job_id).await?;
    }
    if event == OrderEvent::Complete {
        let order = orders::again(work, order.id).await?;
        notices::tell(work, &order, event).await?;
    }
    work.touch(order.athlete_user_id, FeedKind::Deals);
    work.touch(order.partner_user_id, FeedKind::Deals);
    Ok(())
}
