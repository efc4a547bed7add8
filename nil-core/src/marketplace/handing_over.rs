//! Athletes deliver ordered work; brands send it back.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::auth::{Athlete, Partner};
use crate::deals::delivering::{self, Decision, Proof, Submit};
use crate::error::{Result, codes};
use crate::kernel::{FileId, Machine as _, Many, ServiceOrderId, Text, WebUrl};
use crate::operation::{Cx, Done};
use crate::orders::store::{self as orders, Whose};
use crate::orders::{Order, OrderEvent};

/// Work to deliver.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DeliverOrder {
    /// The order.
    pub id: ServiceOrderId,
    /// The addresses of the publication.
    pub post_urls: Option<Many<WebUrl, 0, 100>>,
    /// Files that prove it, or that are the work.
    pub file_ids: Option<Many<FileId, 0, 100>>,
    /// The caption of the publication, or a note for the brand.
    pub caption: Option<Text<0, 4000>>,
}

/// Work to send back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReturnOrder {
    /// The order.
    pub id: ServiceOrderId,
    /// What should be changed.
    pub note: Text<1, 4000>,
}

/// Submits ordered work, for the first time or again (extension). Like a deliverable it needs a
/// link or a file, unless it was done in person. 404 for another athlete's order, 409
/// `illegal_transition` unless it is `accepted`.
pub async fn deliver(cx: Cx<Athlete>, input: DeliverOrder) -> Result<Done<Order>> {
    let mut work = cx.begin().await?;
    let order = orders::find(&mut work, input.id, Whose::Athlete(cx.caller.id)).await?;
    order.status.on(OrderEvent::Deliver)?;
    let submit = Submit {
        deliverable_id: order.deliverable_id.ok_or(codes::INTERNAL)?,
        post_url: None,
        post_urls: input.post_urls,
        caption: input.caption,
        file_ids: input.file_ids,
    };
    let proof = Proof::UnlessInPerson;
    delivering::hand_in(&mut work, &cx.caller, submit, proof).await?;
    let order = orders::again(&mut work, order.id).await?;
    work.done(order).await
}

/// Sends delivered work back with a note; the order is `accepted` again (extension). 404 for
/// another brand's order, 409 `illegal_transition` unless it is `delivered` and not approved.
pub async fn send_back(cx: Cx<Partner>, input: ReturnOrder) -> Result<Done<Order>> {
    let mut work = cx.begin().await?;
    let order = orders::find(&mut work, input.id, Whose::Partner(cx.caller.id)).await?;
    order.status.on(OrderEvent::Return)?;
    let deliverable = order.deliverable_id.ok_or(codes::INTERNAL)?;
    let note = Some(input.note.trim().to_owned());
    let denied = Decision::Denied;
    delivering::decide_on(&mut work, order.partner_id, deliverable, denied, note).await?;
    let order = orders::again(&mut work, order.id).await?;
    work.done(order).await
}
