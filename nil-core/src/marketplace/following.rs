//! An order follows its contract, whoever moved that and by which operation.

use chrono::TimeDelta;

use super::order::{OrderEvent, OrderStatus, subject};
use super::store::order as orders;
use crate::error::Result;
use crate::jobs::engaging;
use crate::kernel::{ContractId, Machine as _};
use crate::notifications::Activity;
use crate::operation::Work;

/// How long a brand can look at what was delivered before its silence is taken for approval.
const REVIEWED_WITHIN: TimeDelta = TimeDelta::days(7);

/// Moves the order on that this held contract was made of. Nothing where it was made of none.
pub(crate) async fn follow(work: &mut Work, contract: ContractId, event: OrderEvent) -> Result<()> {
    let Some(order) = orders::of_contract(work, contract).await? else {
        return Ok(());
    };
    let moved = order.status.on(event)?;
    let now = work.now();
    let review_by = (moved.to() == OrderStatus::Delivered).then(|| now + REVIEWED_WITHIN);
    orders::follow(work, order.id, moved, review_by, now).await?;
    work.note(subject(order.id), moved.to().as_str());
    if event == OrderEvent::CallOff {
        engaging::call_off(work, order.job_id).await?;
    }
    work.touch(order.athlete_user_id, Activity::Deals);
    work.touch(order.partner_user_id, Activity::Deals);
    Ok(())
}
