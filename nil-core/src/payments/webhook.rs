//! Handles processor webhooks. Events repeat and arrive in any order, so the object is always read
//! again from the processor, and settled movements do not change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::disputes::applying;
use super::methods::unavailable;
use super::movement;
use super::payouts::{auto_payout, payout_settings};
use crate::auth::Anyone;
use crate::error::{Result, codes};
use crate::kernel::{Secret, fitting};
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::ports::processor::{Concern, ProcessorEvent};
use crate::storage::{FromRow, Session, insert, sql};

/// A processor event as received. Its catalog row is marked raw: the server fills these fields from
/// the request itself and ignores fields of the body.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Webhook {
    /// The header in which the processor signs, such as `Processor-Signature`.
    pub signature: Option<Secret>,
    /// The raw body.
    pub body: Option<String>,
}

/// The acknowledgement of an event.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Heard {
    /// Always true.
    pub received: bool,
}

/// Handles a processor event (extension). 401 `signature_invalid` if the signature is wrong or too
/// old; 503 if the processor cannot be asked about it, so that it sends the event again.
pub async fn receive(cx: Cx<Anyone>, input: Webhook) -> Result<Done<Heard>> {
    let signature = input.signature.ok_or(codes::SIGNATURE_INVALID)?;
    let body = input.body.unwrap_or_default();
    let event = cx
        .platform()
        .processor()
        .read_webhook(signature.expose(), body.as_bytes())
        .ok_or(codes::SIGNATURE_INVALID)?;
    let id = fitting(&event.id);
    let mut session = cx.read().await?;
    let known = seen(&mut session, &id).await?;
    drop(session);
    if !known {
        act(cx.platform(), &event).await?;
    }
    let mut work = cx.begin().await?;
    let row = insert("webhook_event")
        .set("id", &*id)
        .set("kind", &*fitting(&event.kind))
        .set("object_id", &*fitting(event.concern.reference()))
        .set("received_at", cx.now())
        .unless_exists(&["id"]);
    work.run(row).await?;
    work.done(Heard { received: true }).await
}

async fn seen(session: &mut Session, id: &str) -> Result<bool> {
    #[derive(FromRow)]
    struct Seen {
        #[expect(dead_code, reason = "only whether there is a row matters")]
        id: String,
    }
    let found: Option<Seen> =
        session.first(sql("SELECT id FROM webhook_event WHERE id = $1").bind(id)).await?;
    Ok(found.is_some())
}

/// Reads the object from the processor and settles what it belongs to.
async fn act(platform: &Platform, event: &ProcessorEvent) -> Result<()> {
    match &event.concern {
        Concern::Account(reference) => {
            if let Some(owner) = payout_settings::owner_of(platform, reference).await? {
                payout_settings::refreshed(platform, owner).await?;
                auto_payout::release_held(platform, owner).await?;
            }
            Ok(())
        }
        Concern::Movement(reference) => {
            let found = platform.processor().look_up(reference).await.map_err(unavailable)?;
            match found {
                Some(found) => movement::apply_outcome(platform, &found).await,
                None => Ok(()),
            }
        }
        Concern::Dispute(reference) => {
            let found = platform.processor().dispute(reference).await.map_err(unavailable)?;
            match found {
                Some(found) => applying::apply(platform, &found).await.map(|_| ()),
                None => Ok(()),
            }
        }
        Concern::Nothing => Ok(()),
    }
}
