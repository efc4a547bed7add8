//! The platform switches an endpoint off whose receiver is gone or does not answer, and tells its
//! owner.

use super::endpoint::{DisabledWhy, Owner};
use super::store::{delivery, endpoint as store};
use crate::error::Result;
use crate::kernel::WebhookEndpointId;
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;

/// Switches an endpoint off, gives up what waits for it, and tells its owner, unless it is off
/// already.
pub(super) async fn end(
    work: &mut Work,
    (id, url): (WebhookEndpointId, &str),
    owner: Owner,
    why: DisabledWhy,
) -> Result<()> {
    let now = work.now();
    if !store::disable(work, id, why, now).await? {
        return Ok(());
    }
    let words = format!("the endpoint was switched off, because {}", why.in_words());
    delivery::end_waiting(work, id, &words).await?;
    work.note(id, "disabled");
    let told: Vec<Recipient> = match owner {
        Owner::Brand(brand) => vec![Recipient::User(store::user_of(work, brand).await?)],
        Owner::Institution(college) => {
            let owners = store::owners_of(work, college).await?;
            owners.into_iter().map(Recipient::Portal).collect()
        }
    };
    for to in told {
        let message = Message::new(Event::WebhookDisabled, to)
            .with("webhook_url", url)
            .with("reason", why.in_words())
            .with("webhook_endpoint_id", id.get());
        work.send(message);
    }
    Ok(())
}
