//! The secret of an endpoint is replaced. The one before signs as well for a day, so that receivers
//! can change over at any hour of it.

use chrono::TimeDelta;

use super::endpoint::{Owner, WebhookEndpoint};
use super::saving::WhichWebhook;
use super::store::endpoint as store;
use crate::auth::{Partner, PortalUser};
use crate::error::Result;
use crate::kernel::WebhookEndpointId;
use crate::keys::WebhookSecret;
use crate::operation::{Cx, Done};

/// How long the secret before the last rotation signs as well.
const BOTH_SIGN: TimeDelta = TimeDelta::hours(24);

/// Replaces the secret of an endpoint of the brand (extension). The answer has the new one, which
/// is not shown again; the old one signs as well for 24 hours. 404 for another's endpoint.
pub async fn rotate_of_partner(
    cx: Cx<Partner>,
    input: WhichWebhook,
) -> Result<Done<WebhookEndpoint>> {
    let owner = cx.caller.into();
    rotate(cx, owner, input.id).await
}

/// Replaces the secret of an endpoint of the institution, as for a brand (extension).
pub async fn rotate_of_portal(
    cx: Cx<PortalUser>,
    input: WhichWebhook,
) -> Result<Done<WebhookEndpoint>> {
    let owner = Owner::of_portal(&cx.caller)?;
    rotate(cx, owner, input.id).await
}

async fn rotate<C>(
    cx: Cx<C>,
    owner: Owner,
    id: WebhookEndpointId,
) -> Result<Done<WebhookEndpoint>> {
    let secret = WebhookSecret::draw(cx.platform().random());
    let sealed = cx.platform().vault().seal(&owner.context(), secret.bytes())?;
    let mut work = cx.begin().await?;
    store::lock(&mut work, owner, id).await?;
    let now = cx.now();
    store::rotate(&mut work, id, sealed, (now + BOTH_SIGN, now)).await?;
    let mut endpoint = store::find(&mut work, owner, id).await?;
    endpoint.secret = Some(secret.to_text());
    work.note(id, "secret_replaced");
    work.done(endpoint).await
}
