//! Webhooks: brands and institutions hear of their events at addresses of their own, by the
//! Standard Webhooks specification (`docs/webhooks.md`).
//!
//! 1. `endpoint` is an address with the events that it hears and its owner; `saving` makes and
//!    changes endpoints, `rotating` replaces their secrets.
//! 2. `feed::publish` writes a [`WebhookDelivery`] with the effects that it tells of. `browsing`
//!    lists deliveries, `replaying` sends one again, and a test event.
//! 3. `sending` is the worker's task: endpoints have turns, so that a slow one delays no other.
//!    `settling` notes what came of a try: `pauses` says when the next one is, and an endpoint that
//!    does not answer for days is switched off (`ending`).
//!
//! Tables: `webhook_endpoint`, `webhook_delivery`.

pub mod browsing;
mod delivery;
mod ending;
mod endpoint;
mod pauses;
pub mod replaying;
pub mod rotating;
pub mod saving;
mod sending;
mod settling;
mod store;

pub use delivery::{DeliveryStatus, TEST_EVENT, WebhookDelivery};
pub use endpoint::{DisabledWhy, WebhookEndpoint};
pub use sending::{deliver, waiting_since};
