//! Subscriptions: the plans operators offer, who subscribes to them, and the bill of each period.
//!
//! Each period of a subscription has one row, one invoice and at most one charge that does not fail:
//! unique keys see to that, whatever crashes and however many workers run. A charge is written down,
//! asked of the processor outside any transaction under a key made of its row, and settled, as
//! payments are. Whoever changes a subscription holds its row first.

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
