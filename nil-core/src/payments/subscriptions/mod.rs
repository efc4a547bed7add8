//! Subscriptions: operators' plans, brands' and agents' subscriptions, and the bill of each period.
//!
//! Tables: `subscription_plan`, `subscription`, `subscription_period`, `subscription_change`,
//! `subscription_charge`, `subscription_refund`. State machines: [`SubscriptionStatus`],
//! [`ChangeStatus`].
//!
//! Each period has one row, one invoice and at most one charge that does not fail; unique keys
//! ensure that, whatever crashes and however many workers run. Charges and refunds are movements
//! (`payments::movement`). Every change locks the subscription's row first. A change of plan within
//! a period has a charge and an invoice of its own (decision 30).

mod billing;
mod change;
pub mod changing;
pub(super) mod checks;
pub mod confirming;
mod invoicing;
pub(super) mod plan;
pub mod planning;
mod proration;
mod refund;
pub mod refunding;
pub(super) mod settling;
mod subscriber;
pub mod subscribing;
mod subscription;
mod telling;

pub use billing::{Billed, bill};
pub(super) use change::Quote;
pub use change::{ChangeEffect, ChangeEvent, ChangeStatus, PlanChange};
pub use plan::{BillingInterval, PlanAudience, PlanInUse, PlanSort, SubscriptionPlan};
pub use refund::{SubscriptionRefund, SubscriptionRefundRule};
pub(super) use subscription::Span;
pub use subscription::{
    Subscription, SubscriptionEndReason, SubscriptionEvent, SubscriptionStatus,
};
