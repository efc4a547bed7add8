//! SQL of webhooks: endpoints, and deliveries to them.

pub mod delivery;
pub mod endpoint;
