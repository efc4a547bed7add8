//! Subscriptions: operators' plans, brands' and agents' subscriptions, and the bill of each period.
//!
//! Tables: `subscription_plan`, `subscription`, `subscription_period`, `subscription_charge`. State machine:
//! [`SubscriptionStatus`].
//!
//! Each period has one row, one invoice and at most one charge that does not fail; unique keys ensure that,
//! whatever crashes and however many workers run. As with payments, a charge is written, requested from the
//! processor outside any transaction under a key made of its row, and settled. Every change locks the
//! subscription's row first.

mod billing;
pub(super) mod checks;
mod invoicing;
mod plan;
pub mod planning;
pub(super) mod settling;
pub mod subscribing;
mod subscription;

pub use billing::{Billed, bill};
pub use plan::{BillingInterval, PlanAudience, SubscriptionPlan};
pub(super) use subscription::Span;
pub use subscription::{EndReason, Subscription, SubscriptionEvent, SubscriptionStatus};
