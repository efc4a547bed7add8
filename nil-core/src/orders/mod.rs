//! Offers and orders of athletes' services: the records, and how an order follows its contract.
//!
//! `marketplace` places, answers and completes orders; `notices` tells both sides that one has
//! ended. An accepted order is a deal: `deals` reports each change of its contract to `order_sync`.
//!
//! Table: `service_order`. State machine: [`OrderStatus`].

pub(crate) mod notices;
mod offer;
mod order;
pub(crate) mod order_sync;
pub(crate) mod store;

pub use offer::{Offer, ServiceKind};
pub use order::{Order, OrderEvent, OrderStatus};
