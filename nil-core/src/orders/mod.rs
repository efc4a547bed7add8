//! Orders of athletes' services: the record, its machine, and how it follows its contract.
//!
//! It owns the table `service_order`. `marketplace` places, answers and completes orders; from the athlete's
//! word on an order is a deal, and `deals` tells [`following`] whatever becomes of its contract.

pub(crate) mod following;
pub(crate) mod offer;
pub(crate) mod order;
pub(crate) mod store;

pub use offer::{Offer, ServiceKind};
pub use order::{Order, OrderEvent, OrderStatus};
