//! Brands and institutions list what was sent to their endpoints, and what came of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::delivery::{DeliveryStatus, WebhookDelivery};
use super::endpoint::Owner;
use super::store::{delivery, endpoint};
use crate::auth::{Partner, PortalUser};
use crate::error::Result;
use crate::kernel::{Followed, Listing, WebhookEndpointId};
use crate::operation::Cx;

/// Selects deliveries.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListDeliveries {
    /// The endpoint that they were sent to.
    pub webhook_id: WebhookEndpointId,
    /// Only those in this state.
    pub status: Option<DeliveryStatus>,
}

/// Lists the deliveries to an endpoint of the brand, newest first (extension). Those that ended are
/// kept for thirty days. 404 for another's endpoint.
pub async fn deliveries_of_partner(
    cx: Cx<Partner>,
    input: Followed<ListDeliveries>,
) -> Result<Listing<WebhookDelivery>> {
    let owner = cx.caller.into();
    list(cx, owner, input).await
}

/// Lists the deliveries to an endpoint of the institution, as for a brand (extension).
pub async fn deliveries_of_portal(
    cx: Cx<PortalUser>,
    input: Followed<ListDeliveries>,
) -> Result<Listing<WebhookDelivery>> {
    let owner = Owner::of_portal(&cx.caller)?;
    list(cx, owner, input).await
}

async fn list<C>(
    cx: Cx<C>,
    owner: Owner,
    input: Followed<ListDeliveries>,
) -> Result<Listing<WebhookDelivery>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let endpoint = endpoint::find(&mut session, owner, input.webhook_id).await?;
    delivery::page(&mut session, endpoint.id, input.status, place).await
}
