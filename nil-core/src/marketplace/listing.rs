//! Both sides' orders.

use schemars::JsonSchema;
use serde::Deserialize;

use super::order::{Order, OrderStatus};
use super::store::order as orders;
use crate::agents::acting;
use crate::auth::Party;
use crate::error::Result;
use crate::kernel::{Listing, Many, PageNumber, Paging, PerPage};
use crate::operation::Cx;

/// Which orders.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ListOrders {
    /// The page, from 1.
    pub page: Option<PageNumber>,
    /// Records per page.
    pub per_page: Option<PerPage>,
    /// Only orders in these states.
    pub statuses: Option<Many<OrderStatus, 0, 7>>,
}

/// The orders of the caller, newest first (extension): what brands have ordered of an athlete, what a
/// brand has ordered, what was ordered of the athletes whom an agent represents now.
pub async fn list(cx: Cx<Party>, input: ListOrders) -> Result<Listing<Order>> {
    let paging = Paging::new(input.page, input.per_page);
    let statuses = input.statuses.as_deref().unwrap_or_default();
    let mut session = cx.read().await?;
    let (items, total) = orders::page(&mut session, &cx.caller, statuses, paging).await?;
    drop(session);
    let whose = items.iter().map(|order| order.athlete_id);
    acting::party_looked_at(&cx, whose, "service_orders_seen").await?;
    Ok(Listing::new(items, paging, total))
}
