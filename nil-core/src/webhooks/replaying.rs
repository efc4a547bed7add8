//! Brands and institutions send a delivery again, and a test event.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};

use super::delivery::{TEST_EVENT, WebhookDelivery};
use super::endpoint::Owner;
use super::saving::WhichWebhook;
use super::store::{delivery, endpoint};
use crate::auth::{Partner, PortalUser};
use crate::error::{Result, codes};
use crate::feed::{self, WebhookBody, is_full};
use crate::kernel::{WebhookDeliveryId, WebhookEndpointId};
use crate::operation::{Cx, Done, Work};

/// Selects a delivery.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichDelivery {
    /// The delivery.
    pub id: WebhookDeliveryId,
}

/// Sends a delivery to an endpoint of the brand again, with the same `webhook-id` and the same body
/// (extension). It is tried as a new one is. 404 for another's delivery, 409 `webhook_off`
/// and `webhook_full`.
pub async fn replay_of_partner(
    cx: Cx<Partner>,
    input: WhichDelivery,
) -> Result<Done<WebhookDelivery>> {
    let owner = cx.caller.into();
    replay(cx, owner, input.id).await
}

/// Sends a delivery to an endpoint of the institution again, as for a brand (extension).
pub async fn replay_of_portal(
    cx: Cx<PortalUser>,
    input: WhichDelivery,
) -> Result<Done<WebhookDelivery>> {
    let owner = Owner::of_portal(&cx.caller)?;
    replay(cx, owner, input.id).await
}

/// Sends the event `webhook.test` to an endpoint of the brand (extension). 404 for another's
/// endpoint, 409 `webhook_off`, and `webhook_full` if a thousand deliveries wait for it.
pub async fn test_of_partner(
    cx: Cx<Partner>,
    input: WhichWebhook,
) -> Result<Done<WebhookDelivery>> {
    let owner = cx.caller.into();
    test(cx, owner, input.id).await
}

/// Sends the event `webhook.test` to an endpoint of the institution, as for a brand (extension).
pub async fn test_of_portal(
    cx: Cx<PortalUser>,
    input: WhichWebhook,
) -> Result<Done<WebhookDelivery>> {
    let owner = Owner::of_portal(&cx.caller)?;
    test(cx, owner, input.id).await
}

/// Locks an endpoint that is on and has room for another delivery.
async fn lock(work: &mut Work, owner: Owner, id: WebhookEndpointId) -> Result<()> {
    if !endpoint::lock(work, owner, id).await?.enabled {
        return Err(codes::WEBHOOK_OFF.into());
    }
    if is_full(work, id).await? {
        return Err(codes::WEBHOOK_FULL.into());
    }
    Ok(())
}

async fn replay<C>(
    cx: Cx<C>,
    owner: Owner,
    id: WebhookDeliveryId,
) -> Result<Done<WebhookDelivery>> {
    let mut work = cx.begin().await?;
    let of = delivery::endpoint_of(&mut work, owner, id).await?;
    lock(&mut work, owner, of).await?;
    let delivery = delivery::again(&mut work, id, cx.now()).await?;
    work.note(of, "replayed");
    done(cx, work, delivery).await
}

async fn test<C>(cx: Cx<C>, owner: Owner, id: WebhookEndpointId) -> Result<Done<WebhookDelivery>> {
    let data = Map::from_iter([("webhook_endpoint_id".to_owned(), json!(id))]);
    let body = WebhookBody { event: TEST_EVENT, timestamp: cx.now(), data: &data };
    let row = feed::delivery(id, cx.platform().random(), &body)?;
    let mut work = cx.begin().await?;
    lock(&mut work, owner, id).await?;
    let delivery = delivery::add(&mut work, row).await?;
    work.note(id, "tested");
    done(cx, work, delivery).await
}

async fn done<C>(
    cx: Cx<C>,
    work: Work,
    delivery: WebhookDelivery,
) -> Result<Done<WebhookDelivery>> {
    let done = work.done(delivery).await?;
    cx.platform().wake_webhooks();
    Ok(done)
}
