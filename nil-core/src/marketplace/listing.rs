//! Lists of orders for both sides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::auth::Party;
use crate::error::Result;
use crate::kernel::{Followed, Listing, Many};
use crate::operation::Cx;
use crate::orders::{Order, OrderStatus, store as orders};
use crate::people;

/// The orders to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListOrders {
    /// Only orders in these states.
    pub statuses: Option<Many<OrderStatus, 0, 7>>,
}

/// The caller's orders, newest first (extension): orders from the athlete, orders of the brand, or
/// orders from the athletes whom an agent currently represents.
pub async fn list(cx: Cx<Party>, input: Followed<ListOrders>) -> Result<Listing<Order>> {
    let (input, place) = cx.place(input)?;
    let statuses = input.statuses.as_deref().unwrap_or_default();
    let mut session = cx.read().await?;
    let page = orders::page(&mut session, &cx.caller, statuses, place).await?;
    drop(session);
    let whose = page.items.iter().map(|order| order.athlete_id);
    people::party_looked_at(&cx, whose, "service_orders_seen").await?;
    Ok(page)
}
