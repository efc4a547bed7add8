//! Brands and institutions list, make, change and remove their endpoints of webhooks.

use schemars::JsonSchema;
use serde::Deserialize;

use super::endpoint::{Owner, WebhookEndpoint};
use super::store::endpoint::Content;
use super::store::{delivery, endpoint as store};
use crate::auth::{Partner, PortalUser};
use crate::error::{Error, Result, codes};
use crate::feed::Event;
use crate::kernel::{Many, Nothing, Text, WebUrl, WebhookEndpointId};
use crate::keys::WebhookSecret;
use crate::operation::{Cx, Done};

/// The number of endpoints that an owner can have.
const MOST_ENDPOINTS: usize = 10;
/// Why deliveries are given up that wait for an endpoint whose owner switches it off.
const SWITCHED_OFF: &str = "the endpoint was switched off";

/// An endpoint to make, or changes to one; omitted fields keep their values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveWebhook {
    /// The endpoint to change; without it a new one is made.
    pub id: Option<WebhookEndpointId>,
    /// The address that deliveries are sent to: an `https` address with a name, at the usual port.
    pub url: Option<WebUrl>,
    /// The events that it hears.
    #[schemars(extend("examples" = [["contract.executed"]]))]
    pub events: Option<Many<Event, 1, 100>>,
    /// What its owner says about it; an empty text removes it.
    pub description: Option<Text<0, 200>>,
    /// Whether it hears them now (default: yes). Switching it off gives up what waits for it.
    pub enabled: Option<bool>,
}

/// Selects an endpoint.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichWebhook {
    /// The endpoint.
    pub id: WebhookEndpointId,
}

/// Lists the brand's endpoints of webhooks, oldest first; at most ten (extension).
pub async fn list_of_partner(cx: Cx<Partner>, _: Nothing) -> Result<Vec<WebhookEndpoint>> {
    list(&cx, cx.caller.into()).await
}

/// Lists the institution's endpoints of webhooks, oldest first; at most ten (extension). 403 for an
/// owner limited to certain sports, as for the other operations with webhooks.
pub async fn list_of_portal(cx: Cx<PortalUser>, _: Nothing) -> Result<Vec<WebhookEndpoint>> {
    list(&cx, Owner::of_portal(&cx.caller)?).await
}

/// Makes an endpoint of webhooks for the brand, or changes one (extension). The answer to a new one
/// has its secret, which is not shown again. 422 for an address that cannot be reached and for an
/// event that brands do not hear, 404 for another's endpoint, 409 `too_many_webhooks`.
pub async fn save_for_partner(
    cx: Cx<Partner>,
    input: SaveWebhook,
) -> Result<Done<WebhookEndpoint>> {
    let owner = cx.caller.into();
    save(cx, owner, input).await
}

/// Makes an endpoint of webhooks for the institution, or changes one, as for a brand (extension).
pub async fn save_for_portal(
    cx: Cx<PortalUser>,
    input: SaveWebhook,
) -> Result<Done<WebhookEndpoint>> {
    let owner = Owner::of_portal(&cx.caller)?;
    save(cx, owner, input).await
}

/// Removes an endpoint of the brand with its deliveries; what waits for it is not sent (extension).
/// 404 for another's.
pub async fn remove_of_partner(cx: Cx<Partner>, input: WhichWebhook) -> Result<Done<()>> {
    let owner = cx.caller.into();
    remove(cx, owner, input.id).await
}

/// Removes an endpoint of the institution with its deliveries, as for a brand (extension).
pub async fn remove_of_portal(cx: Cx<PortalUser>, input: WhichWebhook) -> Result<Done<()>> {
    let owner = Owner::of_portal(&cx.caller)?;
    remove(cx, owner, input.id).await
}

async fn list<C>(cx: &Cx<C>, owner: Owner) -> Result<Vec<WebhookEndpoint>> {
    let mut session = cx.read().await?;
    store::of_owner(&mut session, owner).await
}

async fn save<C>(cx: Cx<C>, owner: Owner, input: SaveWebhook) -> Result<Done<WebhookEndpoint>> {
    check(&cx, owner, &input)?;
    match input.id {
        Some(id) => change(cx, owner, id, input).await,
        None => add(cx, owner, input).await,
    }
}

/// 422 unless the address is of a form that is asked, and the events are the owner's.
fn check<C>(cx: &Cx<C>, owner: Owner, input: &SaveWebhook) -> Result<()> {
    if let Some(url) = &input.url {
        let accepted = cx.platform().webhooks()?.accepts(url);
        accepted.map_err(|why| Error::invalid("url", why))?;
    }
    for event in input.events.iter().flatten() {
        if !event.is_heard_by(owner.kind()) {
            let whose = owner.kind().as_str();
            return Err(Error::invalid("events", format!("{event} is not heard by {whose}")));
        }
    }
    Ok(())
}

/// The events in the order of the documents, each once.
fn in_order(events: Vec<Event>) -> Vec<Event> {
    let mut events = events;
    events.sort_unstable();
    events.dedup();
    events
}

async fn add<C>(cx: Cx<C>, owner: Owner, input: SaveWebhook) -> Result<Done<WebhookEndpoint>> {
    // The dispatcher asks for both without an id.
    let url = input.url.ok_or_else(|| Error::invalid("url", "is required"))?;
    let events = in_order(Many::or_none(input.events));
    let description = input.description.as_deref().filter(|text| !text.is_empty());
    let enabled = input.enabled.unwrap_or(true);
    let content = Content { url: &url, description, events: &events, enabled };
    let secret = WebhookSecret::draw(cx.platform().random());
    let sealed = cx.platform().vault().seal(&owner.context(), secret.bytes())?;
    let mut work = cx.begin().await?;
    // Two of its endpoints are not made at once.
    work.lock(owner.table(), owner.column().1).await?;
    if store::of_owner(&mut work, owner).await?.len() >= MOST_ENDPOINTS {
        return Err(codes::TOO_MANY_WEBHOOKS.into());
    }
    let mut endpoint = store::add(&mut work, owner, &content, sealed, cx.now()).await?;
    endpoint.secret = Some(secret.to_text());
    work.note(endpoint.id, "created");
    work.done(endpoint).await
}

async fn change<C>(
    cx: Cx<C>,
    owner: Owner,
    id: WebhookEndpointId,
    input: SaveWebhook,
) -> Result<Done<WebhookEndpoint>> {
    let mut work = cx.begin().await?;
    let before = store::lock(&mut work, owner, id).await?;
    let events = match input.events {
        Some(events) => in_order(events.into_vec()),
        None => before.events.clone(),
    };
    let description = input.description.as_deref().or(before.description.as_deref());
    let content = Content {
        url: input.url.as_deref().unwrap_or(&before.url),
        description: description.filter(|text| !text.is_empty()),
        events: &events,
        enabled: input.enabled.unwrap_or(before.enabled),
    };
    let endpoint = store::change(&mut work, &before, &content, cx.now()).await?;
    if before.enabled && !endpoint.enabled {
        delivery::end_waiting(&mut work, id, SWITCHED_OFF).await?;
    }
    work.note(id, "changed");
    work.done(endpoint).await
}

async fn remove<C>(cx: Cx<C>, owner: Owner, id: WebhookEndpointId) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    store::lock(&mut work, owner, id).await?;
    store::remove(&mut work, id).await?;
    work.note(id, "removed");
    work.done(()).await
}
