//! Expires orders that were not answered.

use super::answering;
use crate::auth::Service;
use crate::error::Result;
use crate::kernel::ServiceOrderId;
use crate::operation::{Cx, Done};
use crate::orders::store::{self as orders, Whose};
use crate::orders::{OrderEvent, OrderStatus};
use crate::platform::Platform;
use crate::schedule::due;

/// Expires orders whose time to answer is over, each once. Returns their number. For the worker.
pub async fn expire_unanswered(platform: &Platform) -> Result<usize> {
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        orders::unanswered(&mut session, platform.now(), behind).await
    };
    due::each("service order", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, expire, id).await?.into_inner())
    })
    .await
}

/// Returns whether this call expired it.
async fn expire(cx: Cx<Service>, id: ServiceOrderId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let order = orders::lock(&mut work, id, Whose::Anybody).await?;
    if order.status != OrderStatus::Ordered || order.expires_at >= cx.now() {
        return work.done(false).await;
    }
    answering::end(&mut work, &order, OrderEvent::Expire, None).await?;
    work.done(true).await
}
